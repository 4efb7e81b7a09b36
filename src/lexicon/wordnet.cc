// Counts the senses of a word, whatever its inflection: from a form to its base forms, in the way of the `wn` program
// (WordNet's manual calls it morphy), and from these to their synsets.
#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "base/failure.h"
#include "lexicon/dictionary.h"
#include "wordbreadth/lexicon.h"

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
    if (part == PartOfSpeech::noun) return noun_rules;
    if (part == PartOfSpeech::verb) return verb_rules;
    if (part == PartOfSpeech::adjective) return adjective_rules;
    return {};  // adverbs have nothing but exceptions
}

// A suffix leaves something before it.
bool has_suffix(std::string_view word, std::string_view suffix) {
    return word.size() > suffix.size() && word.ends_with(suffix);
}

// What the rules make of a word, in the order in which they are tried; most of the results are not words.
std::vector<std::string> stripped(PartOfSpeech part, std::string_view word) {
    std::vector<std::string> results;
    for (const auto& [suffix, ending] : rules_of(part)) {
        if (!has_suffix(word, suffix)) continue;
        results.push_back(std::string(word.substr(0, word.size() - suffix.size())).append(ending));
    }
    return results;
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

// The first exception, or else the first result of the rules that the dictionary has.
Found base_of_word(const Dictionary& dictionary, std::string_view word) {
    const auto irregular = dictionary.irregular_bases(word);
    if (!irregular.empty()) return irregular.front();
    return dictionary.part() == PartOfSpeech::noun ? noun_by_rules(dictionary, word) : by_rules(dictionary, word);
}

bool is_preposition(std::string_view word) {
    constexpr std::string_view prepositions[] = {"to",   "at",   "of",   "on",   "off", "in",    "out",    "up",
                                                 "down", "from", "with", "into", "for", "about", "between"};
    return std::ranges::find(prepositions, word) != std::end(prepositions);
}

bool is_plain(std::string_view word) {
    const auto is_letter_or_digit = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    return std::ranges::all_of(word, is_letter_or_digit);
}

// The verb itself comes last: what follows it may be inflected.
std::vector<std::string> possible_bases(const Dictionary& verbs, std::string_view verb) {
    auto bases = stripped(PartOfSpeech::verb, verb);
    const auto irregular = verbs.irregular_bases(verb);
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

// Whether a word after the first is a preposition.
bool has_preposition(std::string_view form) {
    for (std::size_t at = form.find('_'); at != std::string_view::npos;) {
        const std::size_t end = std::min(form.find('_', at + 1), form.size());
        if (is_preposition(form.substr(at + 1, end - at - 1))) return true;
        at = form.find('_', end);
    }
    return false;
}

// The base form of a verb of several words, the first of which is inflected and perhaps, as a noun, the last:
// "looked_up", "asks_for_troubles".
Found base_of_phrasal_verb(const Dictionary& verbs, const Dictionary& nouns, std::string_view form) {
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

// The base forms of `form`, which is in lower case with _ for spaces, where they differ from it: all that the list of
// exceptions gives, or else the first that the rules lead to and the dictionary has. Of a collocation the rules are
// tried on the whole, then on each part; of a verb with a preposition on the verb. `nouns` may be `dictionary` itself.
// A base form from the list of exceptions need not be in the dictionary.
std::vector<std::string> base_forms(const Dictionary& dictionary, const Dictionary& nouns, std::string_view form) {
    const auto irregular = dictionary.irregular_bases(form);
    if (!irregular.empty() && irregular.front() != form) return {irregular.begin(), irregular.end()};
    auto base = base_by_rules(dictionary, nouns, form);
    return base ? std::vector{std::move(*base)} : std::vector<std::string>{};
}

}  // namespace

}  // namespace wordbreadth::lexicon

namespace wordbreadth {

namespace {

const std::string& existing(const std::string& folder) {
    std::error_code error;
    if (std::filesystem::is_directory(folder, error)) return folder;
    base::fail(folder,
               std::filesystem::exists(folder, error)
                   ? "is not a folder; expected the one of WordNet's files, such as index.noun"
                   : "no such folder; install Debian's package wordnet-base, or name the folder of WordNet's files");
}

// As WordNet writes its lemmas.
std::string folded(std::string_view word) {
    std::string form = base::ascii_lower(word.substr(0, word.find('(')));
    std::ranges::replace(form, ' ', '_');
    return form;
}

}  // namespace

struct WordNet::Files {
    explicit Files(const std::string& folder)
        : parts{lexicon::Dictionary(existing(folder), lexicon::PartOfSpeech::noun),
                lexicon::Dictionary(folder, lexicon::PartOfSpeech::verb),
                lexicon::Dictionary(folder, lexicon::PartOfSpeech::adjective),
                lexicon::Dictionary(folder, lexicon::PartOfSpeech::adverb)} {}

    std::array<lexicon::Dictionary, 4> parts;  // in the order of PartOfSpeech

    [[nodiscard]] std::size_t count(const lexicon::Dictionary& part, std::string_view form) const {
        std::size_t senses = part.count(form);
        for (const std::string& base : lexicon::base_forms(part, parts[0], form)) senses += part.count(base);
        return senses;
    }
};

WordNet::WordNet(const std::string& folder) : files_(std::make_unique<Files>(folder)) {}
WordNet::WordNet(WordNet&&) noexcept = default;
WordNet& WordNet::operator=(WordNet&&) noexcept = default;
WordNet::~WordNet() = default;

Senses WordNet::senses(std::string_view word) const {
    const std::string form = folded(word);
    const auto count = [&](std::size_t part) { return files_->count(files_->parts[part], form); };
    return {.noun = count(0), .verb = count(1), .adjective = count(2), .adverb = count(3)};
}

}  // namespace wordbreadth
