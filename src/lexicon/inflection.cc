#include "lexicon/inflection.h"

#include <span>
#include <utility>

namespace wordbreadth::lexicon {

namespace {

using Found = std::optional<std::string>;

struct Rule {
    std::string_view suffix;
    std::string_view ending;  // takes its place
};

constexpr Rule noun_rules[] = {{"s", ""},      {"ses", "s"},   {"xes", "x"},   {"zes", "z"},
                               {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"}};
constexpr Rule verb_rules[] = {{"s", ""},   {"ies", "y"}, {"es", "e"},  {"es", ""},
                               {"ed", "e"}, {"ed", ""},   {"ing", "e"}, {"ing", ""}};
constexpr Rule adjective_rules[] = {{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}};

std::span<const Rule> rules_of(PartOfSpeech part) {
    switch (part) {
        case PartOfSpeech::noun:
            return noun_rules;
        case PartOfSpeech::verb:
            return verb_rules;
        case PartOfSpeech::adjective:
            return adjective_rules;
        case PartOfSpeech::adverb:
            break;
    }
    return {};  // adverbs have nothing but exceptions
}

// A suffix leaves something before it.
bool has_suffix(std::string_view word, std::string_view suffix) {
    return word.size() > suffix.size() && word.ends_with(suffix);
}

Found by_rules(const Dictionary& dictionary, std::string_view word) {
    for (std::string& base : stripped(dictionary.part(), word)) {
        if (dictionary.has(base)) return std::move(base);
    }
    return std::nullopt;
}

// "boxesful" is inflected before its ending. Words like "glass" and "us" only look like plurals.
Found noun_by_rules(const Dictionary& dictionary, std::string_view word) {
    constexpr std::string_view ful = "ful";
    if (has_suffix(word, ful)) {
        const auto base = by_rules(dictionary, word.substr(0, word.size() - ful.size()));
        return base ? Found(*base + std::string(ful)) : std::nullopt;
    }
    if (has_suffix(word, "ss") || word.size() <= 2) return std::nullopt;
    return by_rules(dictionary, word);
}

}  // namespace

std::vector<std::string> stripped(PartOfSpeech part, std::string_view word) {
    std::vector<std::string> results;
    for (const auto& [suffix, ending] : rules_of(part)) {
        if (!has_suffix(word, suffix)) continue;
        results.push_back(std::string(word.substr(0, word.size() - suffix.size())).append(ending));
    }
    return results;
}

std::optional<std::string> base_of_word(const Dictionary& dictionary, std::string_view word) {
    const auto irregular = dictionary.exceptions().bases(word);
    if (!irregular.empty()) return irregular.front();
    return dictionary.part() == PartOfSpeech::noun ? noun_by_rules(dictionary, word) : by_rules(dictionary, word);
}

}  // namespace wordbreadth::lexicon
