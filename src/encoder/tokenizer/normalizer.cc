#include "encoder/tokenizer/normalizer.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "encoder/tokenizer/unicode.h"

namespace wordbreadth::encoder::tokenizer {

namespace {

constexpr char32_t no_character = 0xFFFFFFFF;

const UNormalizer2* checked(const UNormalizer2* normalizer, UErrorCode error) {
    if (U_SUCCESS(error) != 0) return normalizer;
    throw std::runtime_error(std::string("ICU cannot load its data for normal forms: ") + u_errorName(error));
}

const UNormalizer2* icu_normalizer(Decomposition decomposition) {
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2* normalizer =
        decomposition == Decomposition::canonical ? unorm2_getNFCInstance(&error) : unorm2_getNFKCInstance(&error);
    return checked(normalizer, error);
}

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

NormalForm::NormalForm(Decomposition decomposition, bool composed, std::uint8_t newest)
    : decompositions_(icu_normalizer(decomposition)),
      compositions_(icu_normalizer(Decomposition::canonical)),
      composed_(composed),
      newest_(newest),
      first_decomposing_(decomposition == Decomposition::canonical ? 0xC0 : 0xA0),
      first_affected_(composed && decomposition == Decomposition::canonical ? 0x300 : first_decomposing_) {}

bool NormalForm::is_known(char32_t c) const {
    return assigned_by(c, newest_);
}

std::uint8_t NormalForm::combining_class(char32_t c) const {
    if (c < 0x300) return 0;
    const std::uint8_t found = u_getCombiningClass(static_cast<UChar32>(c));
    return found != 0 && is_known(c) ? found : 0;
}

bool NormalForm::changes_nothing(const Characters& text) const {
    return std::ranges::all_of(text, [this](Character c) { return c.value < first_affected_; });
}

std::int32_t NormalForm::decompose(char32_t c, Utf16& into) const {
    if (c < first_decomposing_) return -1;
    UErrorCode error = U_ZERO_ERROR;
    const std::int32_t length = unorm2_getDecomposition(decompositions_, static_cast<UChar32>(c), into.data(),
                                                        static_cast<std::int32_t>(into.size()), &error);
    return U_SUCCESS(error) != 0 && length >= 0 && is_known(c) ? length : -1;
}

void NormalForm::append_decomposition(Parts& parts, char32_t c) const {
    Utf16 utf16;
    const std::int32_t length = decompose(c, utf16);
    if (length < 0) parts.push_back({c, 0, combining_class(c)});
    for (std::int32_t at = 0; at < length;) {
        const std::int32_t added = at > 0 ? 1 : 0;
        UChar32 part = 0;
        U16_NEXT_UNSAFE(utf16.data(), at, part);
        const auto value = static_cast<char32_t>(part);
        parts.push_back({value, added, combining_class(value)});
    }
}

// Canonical order: marks between two starters are sorted by their class, and equals keep their order.
NormalForm::Parts NormalForm::decomposed(const Characters& text) const {
    Parts parts;
    parts.reserve(text.size() + text.size() / 2);
    for (const Character c : text) append_decomposition(parts, c.value);
    for (auto run = parts.begin(); run != parts.end();) {
        const auto is_starter = [](const Part& part) { return part.combining_class == 0; };
        run = std::find_if_not(run, parts.end(), is_starter);
        const auto end = std::find_if(run, parts.end(), is_starter);
        std::stable_sort(run, end, [](const Part& a, const Part& b) { return a.combining_class < b.combining_class; });
        run = end;
    }
    return parts;
}

char32_t NormalForm::composite(char32_t first, char32_t second) const {
    if (second < 0x300) return no_character;
    const UChar32 found = unorm2_composePair(compositions_, static_cast<UChar32>(first), static_cast<UChar32>(second));
    if (found < 0) return no_character;
    const auto value = static_cast<char32_t>(found);
    return is_known(value) ? value : no_character;
}

// A part joins the last starter unless a mark of its class or a higher one (or another starter) stands between them.
NormalForm::Parts NormalForm::recomposed(const Parts& parts) const {
    Parts result;
    result.reserve(parts.size());
    std::size_t starter = 0;
    bool has_starter = false;
    for (const Part& part : parts) {
        const bool adjacent = has_starter && starter + 1 == result.size();
        const bool reachable = adjacent || (has_starter && result.back().combining_class < part.combining_class);
        const char32_t value = reachable ? composite(result[starter].value, part.value) : no_character;
        if (value != no_character) {
            result[starter].value = value;
            result[starter].added += part.added - 1;
            continue;
        }
        if (part.combining_class == 0) {
            starter = result.size();
            has_starter = true;
        }
        result.push_back(part);
    }
    return result;
}

void NormalForm::apply(Characters& text) const {
    if (changes_nothing(text)) return;
    Parts parts = decomposed(text);
    if (composed_) parts = recomposed(parts);
    Characters result;
    result.reserve(parts.size());
    std::size_t replaced = 0;
    for (const Part& part : parts) {
        const bool is_new = part.added > 0 && replaced > 0;
        result.push_back({part.value, text[is_new ? replaced - 1 : replaced].origin});
        replaced += static_cast<std::size_t>(1 - part.added);
    }
    text = std::move(result);
}

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
