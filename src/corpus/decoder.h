// Text of any encoding that ICU knows, read as valid UTF-8.
#pragma once

#include <unicode/ucnv.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
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

// Byte sequences that were left out or replaced.
struct InvalidText {
    static constexpr std::size_t places_kept = 5;

    std::uint64_t count = 0;
    std::vector<std::string> places;  // of the first: "FILE:LINE, byte N", of the line as it is in the file, from 1

    void add(const InvalidText& other);
};

class Decoder : public base::Bytes {
  public:
    // `source` outlives the decoder.
    Decoder(base::Bytes& source, const Decoding& decoding);

    // Gives UTF-8 without NUL, which counts as invalid: text has none. A byte order mark becomes U+FEFF. Throws
    // InputError, with line and byte, for what is invalid, unless it is to be left out or replaced by U+FFFD.
    std::size_t read(std::span<std::byte> into) override;

    [[nodiscard]] const std::string& where() const override { return source_.where(); }

    // So far.
    [[nodiscard]] const InvalidText& invalid() const { return invalid_; }

  private:
    void fill();
    void decode_utf8();
    void take(std::string_view good, std::uint64_t position);
    void convert();
    bool convert_some(std::string_view bytes, std::size_t& at);
    void take_units(std::uint64_t position);
    void drop_half_pair();
    void reject(std::uint64_t position, char first_byte);
    [[noreturn]] void fail_invalid(std::uint64_t byte, char first) const;

    base::Bytes& source_;
    Decoding decoding_;
    ConverterPointer converter_;  // none: UTF-8, which is only checked
    std::size_t unit_bytes_ = 1;
    bool ended_ = false;           // the source has
    std::string raw_;              // what was read and not decoded
    std::uint64_t raw_begin_ = 0;  // its place in the source
    std::string text_;             // what was decoded
    std::size_t begin_ = 0;        // of what was not returned
    std::uint64_t line_ = 1;
    std::uint64_t line_begin_ = 0;       // its place in the source
    std::vector<char16_t> units_;        // what was converted, of which `size_` count
    std::vector<std::int32_t> offsets_;  // of each unit: the byte it comes from; -1: one of an earlier call
    std::size_t size_ = 0;
    char16_t half_pair_ = 0;  // a leading surrogate that waits for its other half
    std::uint64_t half_pair_position_ = 0;
    char half_pair_byte_ = 0;
    InvalidText invalid_;
};

}  // namespace wordbreadth::corpus
