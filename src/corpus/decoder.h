// Text of any encoding, read as UTF-8. Whoever reads through a decoder need not check again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "corpus/encoding.h"

namespace wordbreadth::corpus {

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
    void take_units(std::uint64_t position);
    void drop_half_pair();
    void reject(std::uint64_t position, char first_byte);
    [[noreturn]] void fail_invalid(std::uint64_t byte, char first) const;

    base::Bytes& source_;
    Decoding decoding_;
    std::optional<Converter> converter_;  // none: UTF-8, which is only checked
    std::size_t unit_bytes_ = 1;
    bool ended_ = false;           // the source has
    std::string raw_;              // what was read and not decoded
    std::uint64_t raw_begin_ = 0;  // its place in the source
    std::string text_;             // what was decoded
    std::size_t begin_ = 0;        // of what was not given out
    std::uint64_t line_ = 1;
    std::uint64_t line_begin_ = 0;  // its place in the source
    Converted converted_;
    char16_t half_pair_ = 0;  // a leading surrogate that waits for its other half
    std::uint64_t half_pair_position_ = 0;
    char half_pair_byte_ = 0;
    InvalidText invalid_;
};

}  // namespace wordbreadth::corpus
