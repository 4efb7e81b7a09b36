// What the Python library `tokenizers` takes a character for.
//
// Its parts know different versions of Unicode, and so do we: general categories are those of Unicode 8 (as in its
// crate unicode_categories), normal forms those of Unicode 9 (unicode-normalization-alignments), letters and numbers of
// the byte-level split those of Unicode 16 (Oniguruma), lower case that of Unicode 17 (Rust). ICU knows one version,
// but also which version brought a character; where that is not enough, short lists make up the difference.
// tests/data/tokenizers/unicode.json holds what the library says of every character, and a test compares.
#pragma once

#include <cstdint>

namespace wordbreadth::encoder::tokenizer {

// True when Unicode knew the character by version `major`.0.
[[nodiscard]] bool assigned_by(char32_t c, std::uint8_t major);

[[nodiscard]] bool is_whitespace(char32_t c);

// Controls, formats and private use: what BERT's cleaning removes, but for tab, line feed and carriage return.
[[nodiscard]] bool is_control(char32_t c);

// Punctuation, and the symbols of ASCII: each is a word of its own to BERT.
[[nodiscard]] bool is_punctuation(char32_t c);

// The ideographs that BERT sets apart by spaces.
[[nodiscard]] bool is_chinese(char32_t c);

// Accents.
[[nodiscard]] bool is_nonspacing_mark(char32_t c);

// \w of the regular expressions that guard added tokens.
[[nodiscard]] bool is_word_character(char32_t c);

enum class Kind : std::uint8_t { letter, number, space, other };

// What the byte-level split takes it for.
[[nodiscard]] Kind kind_of(char32_t c);

// One character, or two (only U+0130 has two); never by context, so that a final sigma is like any other.
struct Lowercase {
    char32_t first = 0;
    char32_t second = 0;  // 0: there is none
};

[[nodiscard]] Lowercase lowercase_of(char32_t c);

}  // namespace wordbreadth::encoder::tokenizer
