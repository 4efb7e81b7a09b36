// Text as the tokenizers work on it: characters that remember which character of the original text they came from; and
// what the Python library `tokenizers` takes a character for.
//
// The library's parts know different versions of Unicode, and so do we: general categories are those of Unicode 8 (as
// in its crate unicode_categories), normal forms those of Unicode 9 (unicode-normalization-alignments), letters and
// numbers of the byte-level split those of Unicode 16 (Oniguruma), lower case that of Unicode 17 (Rust), scripts those
// of Unicode 9 (a table of its own). ICU knows one version, but also which version brought a character; where that is
// not enough, short lists make up the difference. tests/data/tokenizers/unicode.json holds what the library says of
// every character, and a test compares.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth::encoder::tokenizer {

struct Character {
    char32_t value = 0;
    std::uint32_t origin = 0;  // the index of a character of the original text
};

using Characters = std::vector<Character>;

// Part of a list of characters, half-open.
struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
};

// A character of a new text, and what it replaces of the old one: 1 - `added` characters. One that is added has the
// origin of what was replaced last. `parts` have these two members.
template <class Parts>
[[nodiscard]] Characters replaced_by(const Parts& parts, const Characters& text) {
    Characters result;
    result.reserve(parts.size());
    std::size_t replaced = 0;
    for (const auto& part : parts) {
        const bool is_new = part.added > 0 && replaced > 0;
        result.push_back({part.value, text[is_new ? replaced - 1 : replaced].origin});
        replaced += static_cast<std::size_t>(1 - part.added);
    }
    return result;
}

struct DecodedText {
    Characters characters;              // origin counts from 0
    std::vector<std::uint32_t> starts;  // the byte where each character starts, and last the number of bytes
};

// Decodes UTF-8 into `to`, whose memory is used again. Throws InputError, naming the byte, when the text is not UTF-8
// (surrogates and overlong forms are not) or longer than limits::text_bytes.
void decode(std::string_view utf8, DecodedText& to);

// The offset of the first byte that is not UTF-8, if there is one.
[[nodiscard]] std::optional<std::size_t> find_broken_utf8(std::string_view text);

// Text that is known to be UTF-8, such as the tokens of a vocabulary that was checked.
[[nodiscard]] std::u32string to_utf32(std::string_view utf8);

void append_utf8(std::string& to, char32_t character);

// True when Unicode knew the character by version `major`.0.
[[nodiscard]] bool assigned_by(char32_t c, std::uint8_t major);

// What a character can be, a bit each.
enum class Property : std::uint16_t {
    white_space = 1,
    control = 2,      // and formats and private use: what BERT's cleaning removes; not tab, line feed, carriage return
    punctuation = 4,  // and the symbols of ASCII: each is a word of its own to BERT
    ideograph = 8,    // that BERT sets apart by spaces
    accent = 16,      // a nonspacing mark
    word = 32,        // \w of the regular expressions that guard added tokens
    letter = 64,      // to the byte-level split
    number = 128,     // to the byte-level split
    mark = 256,       // combining, to the normal forms
    digit = 512,      // or another number, to Rust
};

// Of ASCII, which is most of most texts.
inline constexpr std::array<std::uint16_t, 128> ascii_properties = [] {
    std::array<std::uint16_t, 128> table{};
    for (std::size_t c = 0; c < table.size(); ++c) {
        const auto set = [&](Property property, bool has) {
            if (has) table[c] |= static_cast<std::uint16_t>(property);
        };
        const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'), number = c >= '0' && c <= '9';
        set(Property::white_space, c == ' ' || (c >= '\t' && c <= '\r'));
        set(Property::control, (c < ' ' || c == 0x7F) && c != '\t' && c != '\n' && c != '\r');
        set(Property::punctuation, c > ' ' && c < 0x7F && !letter && !number);
        set(Property::word, letter || number || c == '_');
        set(Property::letter, letter);
        set(Property::number, number);
        set(Property::digit, number);
    }
    return table;
}();

// Of any character, a bit each.
[[nodiscard]] std::uint16_t properties_of(char32_t c);

[[nodiscard]] inline bool is(Property property, char32_t c) {
    const std::uint16_t found = c < ascii_properties.size() ? ascii_properties[c] : properties_of(c);
    return (found & static_cast<std::uint16_t>(property)) != 0;
}

// Never by context, so that a final sigma is like any other. Only `dotted_capital_i` becomes two characters: this one
// and, behind it, `dot_above`.
[[nodiscard]] char32_t lowercase_of(char32_t c);
inline constexpr char32_t dotted_capital_i = 0x130;
inline constexpr char32_t dot_above = 0x307;

// Which script the library cuts a character apart from others by: a number, the same for the characters of one script.
// Han, Hiragana and Katakana count as one, Common and Inherited as scripts like any other. A space, and what Unicode 9
// does not have, is of any script.
using Script = std::uint8_t;
[[nodiscard]] Script script_of(char32_t c);
inline constexpr Script any_script = 255;

}  // namespace wordbreadth::encoder::tokenizer
