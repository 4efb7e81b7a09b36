#include "corpus/spacing.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/utf8.h"

namespace wordbreadth::corpus {

namespace {

// Kana, Han and their punctuation; not Hangul, which has spaces between words.
bool is_written_without_spaces(std::int32_t c) {
    return (c >= 0x2E80 && c <= 0x312F) || (c >= 0x3190 && c <= 0xA4CF) || (c >= 0xF900 && c <= 0xFAFF) ||
           (c >= 0xFE30 && c <= 0xFE4F) || (c >= 0xFF01 && c <= 0xFFEF) || (c >= 0x20000 && c <= 0x3FFFF);
}

bool are_written_without_spaces(std::string_view before, std::string_view after) {
    return is_written_without_spaces(base::last_character(before)) &&
           is_written_without_spaces(base::first_character(after));
}

bool divides_a_word(std::string_view before, std::string_view after) {
    if (!before.ends_with('-') || u_islower(base::first_character(after)) == 0) return false;
    return u_isalpha(base::last_character(before.substr(0, before.size() - 1))) != 0;
}

// "'s", "'ll", "n't": written together with the word before.
bool is_clitic(std::string_view word) {
    if (word == "n't" || word == "n’t") return true;
    const std::size_t mark = word.starts_with('\'') ? 1 : word.starts_with("’") ? std::string_view("’").size() : 0;
    return mark > 0 && word.size() > mark && u_isalpha(base::first_character(word.substr(mark))) != 0;
}

bool is_closing(std::string_view word) {
    constexpr std::array<std::string_view, 15> marks{",", ".", ";",  ":", "!", "?",   ")", "]",
                                                     "}", "%", "''", "”", "’", "...", "…"};
    return std::ranges::find(marks, word) != marks.end();
}

bool is_opening(std::string_view word) {
    constexpr std::array<std::string_view, 9> marks{"(", "[", "{", "``", "“", "‘", "$", "£", "€"};
    return std::ranges::find(marks, word) != marks.end();
}

}  // namespace

bool lines_want_space(std::string_view before, std::string_view after) {
    return !are_written_without_spaces(before, after) && !divides_a_word(before, after);
}

bool words_want_space(std::string_view before, std::string_view after) {
    return !is_opening(before) && !is_closing(after) && !is_clitic(after) && !are_written_without_spaces(before, after);
}

std::size_t columns_of(std::string_view text) {
    std::size_t columns = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool wide = byte >= 0xE3 && byte <= 0xED;  // U+3000 to U+DFFF
        columns += (base::continues_a_character(c) ? 0 : 1) + (wide ? 1 : 0);
    }
    return columns;
}

}  // namespace wordbreadth::corpus
