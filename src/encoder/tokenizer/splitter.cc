#include "encoder/tokenizer/splitter.h"

#include <array>
#include <span>
#include <string_view>

#include "encoder/tokenizer/unicode.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

using Text = std::span<const Character>;

bool begins_with(Text text, std::u32string_view beginning) {
    if (text.size() < beginning.size()) return false;
    for (std::size_t i = 0; i < beginning.size(); ++i) {
        if (text[i].value != beginning[i]) return false;
    }
    return true;
}

// 0 when none is there.
std::size_t contraction_length(Text text) {
    constexpr auto contractions =
        std::to_array<std::u32string_view>({U"'s", U"'t", U"'re", U"'ve", U"'m", U"'ll", U"'d"});
    if (text.front().value != U'\'') return 0;
    for (const std::u32string_view contraction : contractions) {
        if (begins_with(text, contraction)) return contraction.size();
    }
    return 0;
}

std::size_t run_length(Text text, Kind kind) {
    std::size_t length = 0;
    while (length < text.size() && kind_of(text[length].value) == kind) ++length;
    return length;
}

// A run leaves its last character to the word after it.
std::size_t space_length(Text text) {
    const std::size_t run = run_length(text, Kind::space);
    return run > 1 && run < text.size() ? run - 1 : run;
}

std::size_t word_length(Text text) {
    if (const std::size_t length = contraction_length(text)) return length;
    const std::size_t space = text.front().value == U' ' && text.size() > 1 ? 1 : 0;
    const Kind kind = kind_of(text[space].value);
    if (kind == Kind::space) return space_length(text);
    return space + run_length(text.subspan(space), kind);
}

void add_prefix_space(Characters& text) {
    if (!text.empty() && text.front().value != U' ') text.insert(text.begin(), {U' ', text.front().origin});
}

}  // namespace

void BertSplitter::split(Characters& text, std::vector<Range>& words) const {
    words.clear();
    std::size_t begin = 0;
    const auto end_word = [&](std::size_t end) {
        if (begin < end) words.push_back({begin, end});
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool space = is_whitespace(text[i].value);
        if (!space && !is_punctuation(text[i].value)) continue;
        end_word(i);
        begin = i + 1;
        if (!space) words.push_back({i, i + 1});
    }
    end_word(text.size());
}

// The words that this expression finds, one after the other, without a machine for expressions (\p{L}: letters, \p{N}:
// numbers, \s: white space):
//     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
void ByteLevelSplitter::split(Characters& text, std::vector<Range>& words) const {
    words.clear();
    if (options_.add_prefix_space) add_prefix_space(text);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = options_.use_regex ? word_length(Text(text).subspan(at)) : text.size();
        words.push_back({at, at + length});
        at += length;
    }
}

}  // namespace wordbreadth::encoder::tokenizer
