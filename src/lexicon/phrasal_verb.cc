#include "lexicon/phrasal_verb.h"

#include <algorithm>
#include <vector>

#include "lexicon/inflection.h"

namespace wordbreadth::lexicon {

namespace {

bool is_preposition(std::string_view word) {
    constexpr std::string_view prepositions[] = {"to",   "at",   "of",   "on",   "off", "in",    "out",    "up",
                                                 "down", "from", "with", "into", "for", "about", "between"};
    return std::ranges::find(prepositions, word) != std::end(prepositions);
}

bool is_plain(std::string_view word) {
    const auto is_letter_or_digit = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    return std::ranges::all_of(word, is_letter_or_digit);
}

// The verb itself comes last, for what may be inflected behind it.
std::vector<std::string> possible_bases(const Dictionary& verbs, std::string_view verb) {
    auto bases = stripped(PartOfSpeech::verb, verb);
    const auto irregular = verbs.exceptions().bases(verb);
    if (!irregular.empty()) bases.insert(bases.begin(), irregular.front());
    bases.emplace_back(verb);
    return bases;
}

// What follows the verb, as it is and with the base form of the last word where that is a third or later one.
std::vector<std::string> possible_rests(const Dictionary& nouns, std::string_view rest) {
    std::vector<std::string> rests{std::string(rest)};
    const std::size_t last = rest.rfind('_');
    const auto noun = last == 0 ? std::nullopt : base_of_word(nouns, rest.substr(last + 1));
    if (noun) rests.push_back(std::string(rest.substr(0, last + 1)).append(*noun));
    return rests;
}

}  // namespace

bool has_preposition(std::string_view form) {
    for (std::size_t at = form.find('_'); at != std::string_view::npos;) {
        const std::size_t end = std::min(form.find('_', at + 1), form.size());
        if (is_preposition(form.substr(at + 1, end - at - 1))) return true;
        at = form.find('_', end);
    }
    return false;
}

std::optional<std::string> base_of_phrasal_verb(const Dictionary& verbs, const Dictionary& nouns,
                                                std::string_view form) {
    const std::size_t space = form.find('_');
    const std::string_view verb = form.substr(0, space);
    if (!is_plain(verb)) return std::nullopt;
    const auto rests = possible_rests(nouns, form.substr(space));
    for (const std::string& base : possible_bases(verbs, verb)) {
        for (const std::string& rest : rests) {
            const std::string phrase = base + rest;
            if (phrase != form && verbs.has(phrase)) return phrase;
        }
    }
    return std::nullopt;
}

}  // namespace wordbreadth::lexicon
