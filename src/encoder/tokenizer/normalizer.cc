#include "encoder/tokenizer/normalizer.h"

#include <algorithm>

#include "encoder/tokenizer/unicode.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

constexpr char32_t replacement_character = 0xFFFD;

bool is_ascii(const Characters& text) {
    return std::ranges::all_of(text, [](Character c) { return c.value < 128; });
}

void clean(Characters& text) {
    std::erase_if(text, [](Character c) { return c.value == replacement_character || is_control(c.value); });
    for (Character& c : text) {
        if (is_whitespace(c.value)) c.value = ' ';
    }
}

void set_chinese_apart(Characters& text) {
    if (std::ranges::none_of(text, [](Character c) { return is_chinese(c.value); })) return;
    Characters spaced;
    spaced.reserve(3 * text.size());
    for (const Character c : text) {
        const bool apart = is_chinese(c.value);
        if (apart) spaced.push_back({' ', c.origin});
        spaced.push_back(c);
        if (apart) spaced.push_back({' ', c.origin});
    }
    text = std::move(spaced);
}

// For the rare text with a character that becomes two.
Characters lowercased(const Characters& text) {
    Characters lower;
    lower.reserve(text.size() + 1);
    for (const Character c : text) {
        const Lowercase small = lowercase_of(c.value);
        lower.push_back({small.first, c.origin});
        if (small.second != 0) lower.push_back({small.second, c.origin});
    }
    return lower;
}

void make_lowercase(Characters& text) {
    for (Character& c : text) {
        const Lowercase small = lowercase_of(c.value);
        if (small.second != 0) {
            text = lowercased(text);
            return;
        }
        c.value = small.first;
    }
}

}  // namespace

BertNormalizer::BertNormalizer(const BertCleaning& cleaning)
    : cleaning_(cleaning), decomposed_(Decomposition::canonical, false, library_normal_forms) {}

void BertNormalizer::apply(Characters& text) const {
    if (cleaning_.clean_text) clean(text);
    if (!is_ascii(text)) {
        if (cleaning_.handle_chinese_chars) set_chinese_apart(text);
        if (cleaning_.strip_accents) {
            decomposed_.apply(text);
            std::erase_if(text, [](Character c) { return is_nonspacing_mark(c.value); });
        }
    }
    if (cleaning_.lowercase) make_lowercase(text);
}

void LowercaseNormalizer::apply(Characters& text) const {
    make_lowercase(text);
}

void NormalizerSequence::apply(Characters& text) const {
    for (const auto& step : steps_) step->apply(text);
}

}  // namespace wordbreadth::encoder::tokenizer
