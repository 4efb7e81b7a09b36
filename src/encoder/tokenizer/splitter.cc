// Where text is cut into words.
#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string_view>

#include "encoder/tokenizer/parts.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

using Text = std::span<const Character>;

// 0 when none is there.
std::size_t contraction_length(Text text) {
    constexpr auto contractions =
        std::to_array<std::u32string_view>({U"'s", U"'t", U"'re", U"'ve", U"'m", U"'ll", U"'d"});
    if (text.front().value != U'\'') return 0;
    for (const std::u32string_view contraction : contractions) {
        const Text beginning = text.first(std::min(text.size(), contraction.size()));
        if (std::ranges::equal(beginning, contraction, {}, &Character::value)) return contraction.size();
    }
    return 0;
}

// What the byte-level split takes a character for.
enum class Kind { letter, number, space, other };

Kind kind_of(char32_t c) {
    if (is(Property::letter, c)) return Kind::letter;
    if (is(Property::number, c)) return Kind::number;
    return is(Property::white_space, c) ? Kind::space : Kind::other;
}

std::size_t run_length(Text text, Kind kind) {
    std::size_t length = 0;
    while (length < text.size() && kind_of(text[length].value) == kind) ++length;
    return length;
}

std::size_t word_length(Text text) {
    if (const std::size_t length = contraction_length(text)) return length;
    const std::size_t space = text.front().value == U' ' && text.size() > 1 ? 1 : 0;
    const Kind kind = kind_of(text[space].value);
    if (kind != Kind::space) return space + run_length(text.subspan(space), kind);
    const std::size_t run = run_length(text, kind);
    return run > 1 && run < text.size() ? run - 1 : run;  // its last character is left to the word after it
}

// Cuts each word: `cut(part, begin, words)` appends the words of a part of the text that begins there.
template <class Cut>
void cut_each(const Characters& text, std::vector<Range>& words, Cut cut) {
    std::vector<Range> whole;
    whole.swap(words);
    words.reserve(text.size() / 4 + 1);  // as it often is
    for (const Range word : whole) cut(Text(text).subspan(word.begin, word.end - word.begin), word.begin, words);
}

template <class Is>
void cut_at(Text text, std::size_t begin, std::vector<Range>& words, Is is_space, Is is_sign) {
    std::size_t first = 0;
    const auto end_word = [&](std::size_t end) {
        if (first < end) words.push_back({begin + first, begin + end});
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool space = is_space(text[i].value);
        if (!space && !is_sign(text[i].value)) continue;
        end_word(i);
        first = i + 1;
        if (!space) words.push_back({begin + i, begin + i + 1});
    }
    end_word(text.size());
}

// A part of a text: a delimiter, or what is between two.
struct Part {
    Range range;
    bool is_delimiter = false;
};

// All of the text, in parts. Empty ones are delimiters that match nothing.
std::vector<Part> parts_of(std::size_t size, const std::vector<Range>& matches, bool inverted) {
    std::vector<Part> parts;
    parts.reserve(2 * matches.size() + 1);
    std::size_t at = 0;
    for (const Range match : matches) {
        if (at < match.begin) parts.push_back({{at, match.begin}, inverted});
        parts.push_back({match, !inverted});
        at = match.end;
    }
    if (at < size) parts.push_back({{at, size}, inverted});
    return parts;
}

// Joins the parts that belong together, from left to right: `joins(part, before)` says whether a part does with the one
// before it. The first delimiter has something before it that is none.
template <class Joins>
std::vector<Part> joined(const std::vector<Part>& parts, Joins joins) {
    std::vector<Part> result;
    bool before = false;
    for (const Part& part : parts) {
        if (joins(part.is_delimiter, before) && !result.empty()) {
            result.back().range.begin = std::min(result.back().range.begin, part.range.begin);
            result.back().range.end = std::max(result.back().range.end, part.range.end);
        } else {
            result.push_back({part.range, false});
        }
        before = part.is_delimiter;
    }
    return result;
}

std::vector<Part> arranged(std::vector<Part> parts, Delimiter delimiter) {
    const auto touches_none = [](bool is_delimiter, bool before) { return is_delimiter && !before; };
    switch (delimiter) {
        case Delimiter::removed:
            std::erase_if(parts, &Part::is_delimiter);
            return parts;
        case Delimiter::isolated:
            return parts;
        case Delimiter::contiguous:
            return joined(parts, std::equal_to<>());
        case Delimiter::merged_with_previous:
            return joined(parts, touches_none);
        case Delimiter::merged_with_next:
            std::ranges::reverse(parts);
            parts = joined(parts, touches_none);
            std::ranges::reverse(parts);
            return parts;
    }
    return parts;
}

// `find(text, matches)` finds the delimiters.
template <class Find>
Splitter splitting(Find find, Delimiter delimiter, bool inverted) {
    return [find = std::move(find), delimiter, inverted](Characters& text, std::vector<Range>& words) {
        std::vector<Range> matches;
        cut_each(text, words, [&](Text part, std::size_t begin, std::vector<Range>& to) {
            matches.clear();
            find(part, matches);
            for (const auto& [range, is_delimiter] : arranged(parts_of(part.size(), matches, inverted), delimiter))
                if (range.begin < range.end) to.push_back({begin + range.begin, begin + range.end});
        });
    };
}

// Every character that `is_delimiter` is one.
template <class Is>
Splitter splitting_at_each(Is is_delimiter, Delimiter delimiter) {
    const auto find = [is_delimiter](Text text, std::vector<Range>& matches) {
        for (std::size_t i = 0; i < text.size(); ++i)
            if (is_delimiter(text[i].value)) matches.push_back({i, i + 1});
    };
    return splitting(find, delimiter, false);
}

// Puts a text together again from its words, after `change` of each.
template <class Change>
void rebuild(Characters& text, std::vector<Range>& words, Change change) {
    Characters result;
    result.reserve(text.size() + words.size());
    for (Range& word : words) {
        const std::size_t begin = result.size();
        change(Text(text).subspan(word.begin, word.end - word.begin), result);
        word = {begin, result.size()};
    }
    text = std::move(result);
}

// The words stay where they are in a text of ASCII.
void spell_words_in_bytes(Characters& text, std::vector<Range>& words) {
    if (std::ranges::all_of(text, [](Character c) { return c.value < 0x80; })) return spell_in_bytes(text);
    Characters spelled;
    rebuild(text, words, [&](Text word, Characters& to) {
        spelled.assign(word.begin(), word.end());
        spell_in_bytes(spelled);
        to.insert(to.end(), spelled.begin(), spelled.end());
    });
}

bool is_space(char32_t c) {
    return is(Property::white_space, c);
}

bool is_punctuation(char32_t c) {
    return is(Property::punctuation, c);
}

}  // namespace

void split_as_bert(Characters& text, std::vector<Range>& words) {
    cut_each(text, words, [](Text part, std::size_t begin, std::vector<Range>& to) {
        cut_at(part, begin, to, is_space, is_punctuation);
    });
}

void split_at_white_space(Characters& text, std::vector<Range>& words) {
    cut_each(text, words, [](Text part, std::size_t begin, std::vector<Range>& to) {
        cut_at(
            part, begin, to, is_space, +[](char32_t) { return false; });
    });
}

void split_words_and_signs(Characters& text, std::vector<Range>& words) {
    const auto kind = [](Character c) { return is_space(c.value) ? 0 : is(Property::word, c.value) ? 1 : 2; };
    cut_each(text, words, [&](Text part, std::size_t begin, std::vector<Range>& to) {
        for (std::size_t at = 0; at < part.size();) {
            const std::size_t first = at;
            while (at < part.size() && kind(part[at]) == kind(part[first])) ++at;
            if (kind(part[first]) != 0) to.push_back({begin + first, begin + at});
        }
    });
}

void split_between_scripts(Characters& text, std::vector<Range>& words) {
    cut_each(text, words, [](Text part, std::size_t begin, std::vector<Range>& to) {
        Script last = any_script;
        for (std::size_t i = 0; i < part.size(); ++i) {
            const Script script = script_of(part[i].value);
            if (script != any_script && script != last) {
                to.push_back({begin + i, begin + i});
                last = script;
            }
            if (last != any_script) to.back().end = begin + i + 1;
        }
    });
}

Splitter splitting_at(Expression pattern, Delimiter delimiter, bool inverted) {
    const auto find = [pattern = std::move(pattern)](Text text, std::vector<Range>& matches) {
        pattern.find_all(text, matches);
    };
    return splitting(find, delimiter, inverted);
}

Splitter splitting_at_character(char32_t character) {
    return splitting_at_each([character](char32_t c) { return c == character; }, Delimiter::removed);
}

Splitter splitting_at_punctuation(Delimiter delimiter) {
    return splitting_at_each(is_punctuation, delimiter);
}

Splitter splitting_at_digits(bool individual) {
    return splitting_at_each([](char32_t c) { return is(Property::digit, c); },
                             individual ? Delimiter::isolated : Delimiter::contiguous);
}

Splitter splitting_by_length(std::size_t characters) {
    return [characters](Characters& text, std::vector<Range>& words) {
        cut_each(text, words, [&](Text part, std::size_t begin, std::vector<Range>& to) {
            for (std::size_t at = 0; at < part.size(); at += characters)
                to.push_back({begin + at, begin + std::min(at + characters, part.size())});
        });
    };
}

Splitter metaspace_splitter(MetaspaceOptions options) {
    using Prepend = MetaspaceOptions::Prepend;
    return [options](Characters& text, std::vector<Range>& words) {
        for (Character& c : text)
            if (c.value == U' ') c.value = options.replacement;
        const auto lacks = [&](Text word) {
            return word.front().value != options.replacement &&
                   (options.prepend == Prepend::always ||
                    (options.prepend == Prepend::first && word.front().origin == 0));
        };
        rebuild(text, words, [&](Text word, Characters& to) {
            if (lacks(word)) to.push_back({options.replacement, word.front().origin});
            to.insert(to.end(), word.begin(), word.end());
        });
        if (!options.split) return;
        cut_each(text, words, [&](Text part, std::size_t begin, std::vector<Range>& to) {
            std::size_t first = 0;
            for (std::size_t i = 1; i <= part.size(); ++i) {
                if (i < part.size() && part[i].value != options.replacement) continue;
                to.push_back({begin + first, begin + i});
                first = i;
            }
        });
    };
}

Splitter in_order(std::vector<Splitter> steps) {
    return [steps = std::move(steps)](Characters& text, std::vector<Range>& words) {
        for (const Splitter& step : steps) step(text, words);
    };
}

// The words that this expression finds, one after the other, without a machine for expressions (\p{L}: letters, \p{N}:
// numbers, \s: white space):
//     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
Splitter byte_level_splitter(ByteLevelOptions options) {
    return [options](Characters& text, std::vector<Range>& words) {
        if (options.add_prefix_space) {
            rebuild(text, words, [](Text word, Characters& to) {
                if (word.front().value != U' ') to.push_back({U' ', word.front().origin});
                to.insert(to.end(), word.begin(), word.end());
            });
        }
        if (options.use_regex) {
            cut_each(text, words, [](Text part, std::size_t begin, std::vector<Range>& to) {
                for (std::size_t at = 0; at < part.size();) {
                    const std::size_t length = word_length(part.subspan(at));
                    to.push_back({begin + at, begin + at + length});
                    at += length;
                }
            });
        }
        spell_words_in_bytes(text, words);
    };
}

}  // namespace wordbreadth::encoder::tokenizer
