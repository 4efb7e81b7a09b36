#include "lexicon/morphology.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lexicon/inflection.h"
#include "lexicon/phrasal_verb.h"

namespace wordbreadth::lexicon {

namespace {

using Found = std::optional<std::string>;

constexpr std::string_view separators = "_-";

// "mothers-in-law", part by part.
Found base_of_parts(const Dictionary& dictionary, std::string_view form) {
    std::string base;
    for (std::size_t at = 0; at <= form.size();) {
        const std::size_t end = std::min(form.find_first_of(separators, at), form.size());
        const std::string_view part = form.substr(at, end - at);
        base += base_of_word(dictionary, part).value_or(std::string(part));
        base += form.substr(end, 1);
        at = end + 1;
    }
    return base != form && dictionary.has(base) ? Found(base) : std::nullopt;
}

Found base_by_rules(const Dictionary& dictionary, const Dictionary& nouns, std::string_view form) {
    if (dictionary.part() == PartOfSpeech::verb && has_preposition(form)) {
        return base_of_phrasal_verb(dictionary, nouns, form);
    }
    if (dictionary.part() != PartOfSpeech::verb) {
        auto whole = base_of_word(dictionary, form);
        if (whole && *whole != form) return whole;
        if (form.find_first_of(separators) == std::string_view::npos) return std::nullopt;  // it is its only part
    }
    return base_of_parts(dictionary, form);
}

}  // namespace

std::vector<std::string> base_forms(const Dictionary& dictionary, const Dictionary& nouns, std::string_view form) {
    const auto irregular = dictionary.exceptions().bases(form);
    if (!irregular.empty() && irregular.front() != form) return {irregular.begin(), irregular.end()};
    auto base = base_by_rules(dictionary, nouns, form);
    return base ? std::vector{std::move(*base)} : std::vector<std::string>{};
}

}  // namespace wordbreadth::lexicon
