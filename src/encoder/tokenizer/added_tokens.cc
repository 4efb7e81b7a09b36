#include "encoder/tokenizer/added_tokens.h"

#include <algorithm>

#include "base/failure.h"
#include "encoder/tokenizer/unicode.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

using Text = std::span<const Character>;

std::u32string normalized_spelling(const std::string& content, const Normalizer* normalizer) {
    DecodedText text;
    decode(content, text);
    if (normalizer != nullptr) normalizer->apply(text.characters);
    std::u32string spelling;
    for (const Character c : text.characters) spelling += c.value;
    return spelling;
}

bool stands_alone(Text text, Range match) {
    return (match.begin == 0 || !is_word_character(text[match.begin - 1].value)) &&
           (match.end == text.size() || !is_word_character(text[match.end].value));
}

// The part of the text that the token takes, or nothing where its rules forbid it. Before `free_from` all is taken.
std::optional<Range> accepted(Text text, Range match, const AddedToken& token, std::size_t free_from) {
    if (token.single_word && !stands_alone(text, match)) return std::nullopt;
    if (token.lstrip) {
        while (match.begin > free_from && is_whitespace(text[match.begin - 1].value)) --match.begin;
    }
    if (token.rstrip) {
        while (match.end < text.size() && is_whitespace(text[match.end].value)) ++match.end;
    }
    return match;
}

}  // namespace

AddedTokens::AddedTokens(const std::string& where, const std::vector<AddedToken>& tokens, bool normalized,
                         const Normalizer* normalizer) {
    for (const AddedToken& token : tokens) {
        if (token.normalized != normalized) continue;
        add(where, token, normalized ? normalized_spelling(token.content, normalizer) : to_utf32(token.content));
    }
}

void AddedTokens::add(const std::string& where, const AddedToken& token, const std::u32string& spelling) {
    const std::string name = "the added token " + base::in_quotes(token.content);
    if (spelling.empty()) base::fail(where, name + " has nothing left in it once normalized; remove it");
    if (const auto same = spellings_.find(spelling)) {
        base::fail(where, name + " is spelled like " + base::in_quotes(tokens_[*same].content) +
                              "; expected each added token once");
    }
    spellings_.add(spelling, static_cast<std::int32_t>(tokens_.size()));
    tokens_.push_back(token);
    if (spelling.front() < begins_.size()) {
        begins_[spelling.front()] = true;
    } else {
        some_begin_beyond_ascii_ = true;
    }
}

bool AddedTokens::may_begin(char32_t c) const {
    return c < begins_.size() ? begins_[c] : some_begin_beyond_ascii_;
}

void AddedTokens::split(Text text, std::vector<Segment>& segments) const {
    segments.clear();
    std::size_t free_from = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!may_begin(text[at].value)) continue;
        const auto found = spellings_.longest(text.subspan(at));
        if (!found) continue;
        const AddedToken& token = tokens_[found->value];
        const auto range = accepted(text, {at, at + found->length}, token, free_from);
        at += found->length - 1;  // a match that is not accepted is passed over as well
        if (!range) continue;
        if (free_from < range->begin) segments.push_back({{free_from, range->begin}, std::nullopt});
        segments.push_back({*range, token.id});
        free_from = range->end;
    }
    if (free_from < text.size()) segments.push_back({{free_from, text.size()}, std::nullopt});
}

}  // namespace wordbreadth::encoder::tokenizer
