// ICU's converters: bytes of any encoding to UTF-16, up to the first that are invalid.
#pragma once

#include <unicode/ucnv.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth::corpus {

struct CloseConverter {
    void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using ConverterPointer = std::unique_ptr<UConverter, CloseConverter>;

// Null when ICU knows no encoding of that name.
[[nodiscard]] ConverterPointer open_converter(const std::string& encoding);

struct Converted {
    std::size_t size = 0;  // how many units there are; more lie behind them that mean nothing
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
