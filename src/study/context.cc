#include "study/context.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/utf8.h"

namespace wordbreadth {
namespace {

using Words = std::vector<std::u32string>;

bool is_word_character(UChar32 c) {
    const auto kinds = U_GC_L_MASK | U_GC_N_MASK | U_GC_M_MASK;
    return (U_MASK(u_charType(c)) & kinds) != 0 || c == '\'' || c == 0x2019;
}

// Of a script that is written without spaces between words.
bool is_a_word_itself(UChar32 c) {
    switch (u_getIntPropertyValue(c, UCHAR_LINE_BREAK)) {
        case U_LB_IDEOGRAPHIC:
        case U_LB_CONDITIONAL_JAPANESE_STARTER:
        case U_LB_COMPLEX_CONTEXT:
            return true;
        default:
            return false;
    }
}

Words words_of(std::string_view text) {
    Words words;
    bool within = false;
    for (std::size_t at = 0; at < text.size();) {
        const UChar32 c = base::next_character(text, at);
        const bool alone = is_a_word_itself(c);
        if (is_word_character(c)) {
            if (!within || alone) words.emplace_back();
            words.back() += static_cast<char32_t>(u_foldCase(c, U_FOLD_CASE_DEFAULT));
        }
        within = is_word_character(c) && !alone;
    }
    return words;
}

Words key_of(const Usage& usage, ContextOrder order) {
    const Context context = context_of(usage.occurrence);
    if (order == ContextOrder::right) return words_of(context.right);
    Words words = words_of(context.left);
    std::ranges::reverse(words);
    return words;
}

void sort_by_words(std::vector<Usage>& usages, ContextOrder order) {
    std::vector<std::pair<Words, Usage>> keyed;
    for (Usage& usage : usages) {
        Words key = key_of(usage, order);
        keyed.emplace_back(std::move(key), std::move(usage));
    }
    std::ranges::stable_sort(keyed, {}, &std::pair<Words, Usage>::first);
    for (std::size_t i = 0; i < usages.size(); ++i) usages[i] = std::move(keyed[i].second);
}

}  // namespace

Context context_of(const store::Occurrence& occurrence) {
    const std::string_view text = occurrence.text;
    const auto byte_at = [&](std::uint64_t character) {
        return base::byte_of_character(text, character).value_or(text.size());
    };
    const std::size_t start = byte_at(occurrence.start);
    const std::size_t end = std::max(start, byte_at(occurrence.end));
    return {std::string(text.substr(0, start)), std::string(text.substr(start, end - start)),
            std::string(text.substr(end))};
}

void sort_usages(std::vector<Usage>& usages, ContextOrder order) {
    const auto falling = [](const Usage& usage) { return std::isnan(usage.influence) ? HUGE_VAL : -usage.influence; };
    switch (order) {
        case ContextOrder::corpus:
            return;
        case ContextOrder::influence:
            std::ranges::stable_sort(usages, {}, falling);
            return;
        case ContextOrder::left:
        case ContextOrder::right:
            sort_by_words(usages, order);
    }
}

}  // namespace wordbreadth
