// The encodings that text may come in, and their conversion to UTF-16: all that ICU knows.
#pragma once

#include <unicode/ucnv.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wordbreadth/extract.h"

namespace wordbreadth::corpus {

inline constexpr std::string_view utf_8 = "UTF-8";

// How the bytes of a file become text.
struct Decoding {
    std::string encoding = std::string(utf_8);  // a name that encoding_named() gave
    InvalidBytes invalid = InvalidBytes::error;
};

// The one name of an encoding that has many, whose case and hyphens do not matter: "windows-1252" for "CP1252". Throws
// InputError, with the names most like it, when there is no such encoding.
[[nodiscard]] std::string encoding_named(const std::string& name);

// What the byte order mark at the start of a file says: UTF-8, UTF-16LE, ... Empty where there is none.
[[nodiscard]] std::string_view encoding_of_mark(std::string_view start);

// Of one code unit: 2 for UTF-16, 4 for UTF-32, else 1.
[[nodiscard]] std::size_t unit_bytes(const std::string& encoding);

struct CloseConverter {
    void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using ConverterPointer = std::unique_ptr<UConverter, CloseConverter>;

// Null when ICU knows no encoding of that name.
[[nodiscard]] ConverterPointer open_converter(const std::string& encoding);

struct Converted {
    std::size_t size = 0;  // how many units are valid; the vector is longer
    std::vector<char16_t> units;
    std::vector<std::int32_t> offsets;  // of each unit: the byte it comes from; -1: one of an earlier call
    std::size_t used = 0;               // bytes, of those given
    std::string invalid;                // bytes, after which the conversion stopped; none when it did not
    std::size_t read_ahead = 0;         // bytes used that follow the invalid ones, and are still to be converted
};

class Converter {
  public:
    // Of an encoding that is known.
    explicit Converter(const std::string& encoding);

    // Converts from the front of `bytes`, which are a piece of a text (`last`: its end). A character cut at the end of
    // a piece is kept for the next. Call it again until all is used and nothing was invalid.
    void convert(std::string_view bytes, bool last, Converted& converted);

  private:
    ConverterPointer converter_;
};

}  // namespace wordbreadth::corpus
