#include "corpus/plain_text.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/utf8.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {

namespace {

// Text is not wrapped to narrower or wider columns than these: lists and verse are narrower, whole paragraphs wider.
constexpr std::size_t narrowest = 40;
constexpr std::size_t widest = 120;

std::string_view first_word(std::string_view line) {
    return line.substr(0, line.find_first_of(" \t"));
}

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

bool Paragraphs::next(std::string& text, bool& ends) {
    const std::size_t before = text.size();
    for (;;) {
        const bool has_next = next_ + 1 < in_block_.size();
        if (!has_next && !(closed_ && next_ < in_block_.size())) {
            if (!fill()) return false;
            continue;
        }
        const Line& line = in_block_[next_];
        text += text_of(line);
        ends = !has_next || !is_wrapped(next_);
        if (!ends && line.whole && lines_want_space(text, first_word(text_of(in_block_[next_ + 1])))) text += ' ';
        ++next_;
        if (ends || text.size() - before >= limits::sentence_bytes) return true;
    }
}

// Reads lines until the block is full or closed; at least one, so that there is progress.
bool Paragraphs::fill() {
    start_block();
    do {
        if (!lines_.next()) {
            closed_ = true;
        } else if (lines_.ends() && base::trimmed(lines_.line()).empty()) {
            closed_ = !in_block_.empty();
        } else {
            add_line();
        }
    } while (!closed_ && block_.size() < limits::sentence_bytes);
    return !in_block_.empty();
}

// The last line of a block that was full is the first of the next: whether it was wrapped depends on what follows.
void Paragraphs::start_block() {
    if (closed_ || in_block_.empty()) {
        block_.clear();
        in_block_.clear();
        width_ = 0;
    } else {
        const Line last = in_block_.back();
        block_.erase(0, last.begin);
        in_block_.assign(1, {0, last.end - last.begin, last.columns, last.whole});
    }
    next_ = 0;
    closed_ = false;
}

void Paragraphs::add_line() {
    const std::string_view line = lines_.line();
    const std::string_view text = lines_.ends() ? base::trimmed(line) : line;
    const auto indentation = static_cast<std::size_t>(text.data() - line.data());
    const std::size_t columns = indentation + columns_of(text);
    const std::size_t begin = block_.size();
    block_ += text;
    in_block_.push_back({begin, block_.size(), columns, lines_.ends()});
    width_ = std::max(width_, columns);
}

bool Paragraphs::is_wrapped(std::size_t line) const {
    if (!in_block_[line].whole) return true;
    if (width_ < narrowest || width_ > widest) return false;
    return in_block_[line].columns + 1 + columns_of(first_word(text_of(in_block_[line + 1]))) > width_;
}

RawSentences::RawSentences(base::Bytes& source, Splitter& splitter)
    : lines_(source, limits::sentence_bytes, LineReader::Long::in_pieces), paragraphs_(lines_), splitter_(splitter) {}

bool RawSentences::next(std::string_view& sentence) {
    do {
        while (next_end_ < ends_.size()) {
            sentence = base::trimmed(take());
            if (!sentence.empty()) return true;
        }
    } while (refill());
    return false;
}

// Reads the next paragraph, or a piece of it after the unfinished sentence left by the piece before it.
bool RawSentences::refill() {
    text_.erase(0, begin_);
    begin_ = next_end_ = 0;
    ends_.clear();
    bool ends = false;
    if (!paragraphs_.next(text_, ends)) return false;
    ends_ = splitter_.split(text_);
    const bool last_is_unfinished =
        !ends && text_.size() - (ends_.size() > 1 ? ends_.end()[-2] : 0) < limits::sentence_bytes;
    if (last_is_unfinished) ends_.pop_back();
    return true;
}

std::string_view RawSentences::take() {
    std::string_view rest = std::string_view(text_).substr(begin_, ends_[next_end_] - begin_);
    if (rest.size() > limits::sentence_bytes) {
        rest = rest.substr(0, base::place_to_cut(rest, limits::sentence_bytes));
    } else {
        ++next_end_;
    }
    begin_ += rest.size();
    return rest;
}

}  // namespace wordbreadth::corpus
