// Sets of characters as the regular expressions of tokenizers name them: those of Unicode 16, whatever version ICU has,
// since that is what Oniguruma knows in the library `tokenizers`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth::encoder::tokenizer {

// One bit per character: a question costs one load.
class CharacterSet {
  public:
    CharacterSet() : bits_(characters / word_bits) {}

    [[nodiscard]] bool has(char32_t c) const { return (bits_[c / word_bits] >> (c % word_bits) & 1) != 0; }

    // Both ends are in it.
    void add(char32_t first, char32_t last);
    void add(const CharacterSet& other);
    void keep(const CharacterSet& other);  // only what the other has as well
    void invert();

    // The capital of every small letter in it, and the other way round.
    void ignore_case();

  private:
    static constexpr std::size_t characters = 0x110000;
    static constexpr std::size_t word_bits = 64;

    std::vector<std::uint64_t> bits_;
};

// Of a pattern in ICU's notation, with ICU's version of Unicode. Throws std::runtime_error when ICU refuses it.
[[nodiscard]] CharacterSet set_of_pattern(const std::string& pattern);

// A general category ("L", "Nd") or a script ("Han"), in Unicode 16. Nothing when there is none of that name.
[[nodiscard]] std::optional<CharacterSet> set_of_property(std::string_view name);

// \w to Oniguruma. By itself it has the superscripts and fractions of Latin-1 as well, in brackets not: \w
// matches U+00B2, and so does [^\w].
[[nodiscard]] CharacterSet set_of_word_characters();
[[nodiscard]] CharacterSet set_of_word_characters_in_brackets();

// The characters of a category that came with Unicode 15.1 and 16, which an older ICU takes for unassigned: "L" or
// "Lu". A set in ICU's notation.
[[nodiscard]] std::string newer_characters(std::string_view category);

}  // namespace wordbreadth::encoder::tokenizer
