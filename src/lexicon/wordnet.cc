// Counts the senses of a word, whatever its inflection: from a form to its base forms, in the way of the `wn` program
// (WordNet's manual calls it morphy), and from these to their synsets.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "base/failure.h"
#include "base/file.h"
#include "base/utf8.h"
#include "corpus/source.h"
#include "lexicon/other_wordnets.h"
#include "wordbreadth/lexicon.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::lexicon {

enum class PartOfSpeech : std::uint8_t { noun, verb, adjective, adverb };

namespace {

struct Rule {
    std::string_view suffix;
    std::string_view ending;  // takes its place
};

constexpr Rule noun_rules[] = {{"s", ""},      {"ses", "s"},   {"xes", "x"},   {"zes", "z"},
                               {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"}};
constexpr Rule verb_rules[] = {{"s", ""},   {"ies", "y"}, {"es", "e"},  {"es", ""},
                               {"ed", "e"}, {"ed", ""},   {"ing", "e"}, {"ing", ""}};
constexpr Rule adjective_rules[] = {{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}};

struct Traits {
    const char* name;         // index.NAME, NAME.exc
    std::string_view letter;  // the second field of every line of the index
    std::span<const Rule> rules;
};

const Traits& traits_of(PartOfSpeech part) {
    static constexpr std::array<Traits, 4> all{{{"noun", "n", noun_rules},
                                                {"verb", "v", verb_rules},
                                                {"adj", "a", adjective_rules},
                                                {"adv", "r", {}}}};  // adverbs have nothing but exceptions
    return all[static_cast<std::size_t>(part)];
}

// The lines of a file of WordNet: fields with spaces between them. What is wrong with the file is an InputError with
// its path and line.
class FieldReader {
  public:
    explicit FieldReader(const std::string& path) : file_(path), lines_(file_, limits::wordnet_line_bytes) {
        if (file_.size() <= limits::wordnet_file_bytes) return;
        base::fail(path, "has " + std::to_string(file_.size()) + " bytes; a file of WordNet may have " +
                             std::to_string(limits::wordnet_file_bytes));
    }

    // Goes to the next line; false at the end. Lines that begin with a space, as WordNet's licence does, are skipped.
    [[nodiscard]] bool next() {
        do {
            if (!lines_.next()) return false;
            base::require_utf8(lines_.where(), lines_.number(), lines_.line());
        } while (lines_.line().starts_with(' '));
        corpus::split_fields(lines_.line(), fields_, ' ');
        std::erase(fields_, std::string_view());
        return true;
    }

    // Of the line. They stay until next().
    [[nodiscard]] const std::vector<std::string_view>& fields() const { return fields_; }

    // The field at `index` as a number; `what` names it in the message.
    [[nodiscard]] std::uint32_t number(std::size_t index, std::string_view what) const {
        if (const auto value = base::number_in<std::uint32_t>(fields_[index])) return *value;
        fail(std::string(what) + " is " + base::in_quotes(fields_[index]) + "; expected a number of 32 bits");
    }

    [[noreturn]] void fail(std::string_view what) const { base::fail_at(lines_.where(), lines_.number(), what); }

  private:
    base::File file_;
    corpus::LineReader lines_;
    std::vector<std::string_view> fields_;
};

// lemma, letter, synsets, kinds of pointers, [pointer]..., synsets again, tagged senses, [place of a synset]...
constexpr std::size_t fields_besides_lists = 6;

// What follows the pointers: the number of senses, and how many of them were tagged in texts.
void require_senses(const FieldReader& line, std::size_t index, std::size_t synsets) {
    const std::size_t senses = line.number(index, "the number of senses");
    const std::size_t tagged = line.number(index + 1, "the number of tagged senses");
    if (senses != synsets) {
        line.fail("the number of senses is " + std::to_string(senses) + "; expected that of the synsets, " +
                  std::to_string(synsets));
    }
    if (tagged > synsets) {
        line.fail("the number of tagged senses is " + std::to_string(tagged) + "; expected " + std::to_string(synsets) +
                  " or fewer");
    }
}

// The counts must agree with the fields. Returns where the offsets of the synsets begin.
std::size_t find_synsets(const FieldReader& line) {
    const std::size_t fields = line.fields().size();
    const std::size_t synsets = line.number(2, "the number of synsets");
    const std::size_t pointers = line.number(3, "the number of pointers");
    if (synsets == 0) line.fail("the number of synsets is 0; expected 1 or more");
    if (fields != fields_besides_lists + pointers + synsets) {
        line.fail("has " + base::count_of(fields, "field") + "; expected " +
                  std::to_string(fields_besides_lists + pointers + synsets) + ", with " +
                  base::count_of(synsets, "synset") + " and " + base::count_of(pointers, "pointer"));
    }
    require_senses(line, 4 + pointers, synsets);
    return fields - synsets;
}

std::vector<std::uint32_t> synsets_on(const FieldReader& line) {
    std::vector<std::uint32_t> synsets;
    for (std::size_t i = find_synsets(line); i < line.fields().size(); ++i)
        synsets.push_back(line.number(i, "the place of a synset"));
    std::ranges::sort(synsets);
    const auto twice = std::ranges::adjacent_find(synsets);
    if (twice != synsets.end()) line.fail("the synset at " + std::to_string(*twice) + " is listed twice");
    return synsets;
}

std::string file_in(const std::string& folder, const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) return path.string();
    if (std::filesystem::exists(path, error))
        base::fail(path.string(), "is not a regular file; expected a file of WordNet");
    base::fail_to_open(path.string(),
                       "no such file; the folder has to hold WordNet's index.noun, index.verb, "
                       "index.adj, index.adv, noun.exc, verb.exc, adj.exc and adv.exc",
                       ENOENT);
}

std::string without(std::string_view text, std::string_view characters) {
    std::string out(text);
    std::erase_if(out, [characters](char c) { return characters.find(c) != std::string_view::npos; });
    return out;
}

std::array<std::string, 5> spellings_of(std::string_view form) {
    std::string hyphens(form), underscores(form);
    std::ranges::replace(hyphens, '_', '-');
    std::ranges::replace(underscores, '-', '_');
    return {std::string(form), hyphens, underscores, without(form, "_-"), without(form, ".")};
}

}  // namespace

// One part of speech of WordNet: its lemmas (index.noun) and its irregular forms (noun.exc).
class Dictionary {
  public:
    // Throws InputError, with the line, when a file is missing or not what WordNet's manual (wndb) says.
    Dictionary(const std::string& folder, PartOfSpeech part) : part_(part) {
        const std::string name = traits_of(part).name;
        read_index(file_in(folder, "index." + name));
        read_exceptions(file_in(folder, name + ".exc"));
    }

    [[nodiscard]] PartOfSpeech part() const { return part_; }

    // The base forms of an irregular form, in the order of the file; empty when it is not in the list. A few forms have
    // two lines in WordNet 3.0, of which the first counts.
    [[nodiscard]] std::span<const std::string> irregular_bases(std::string_view form) const {
        const auto found = exceptions_.find(form);
        if (found == exceptions_.end()) return {};
        return found->second;
    }

    // How many synsets a form has, written as it is, with - for _, with _ for -, without both, or without full stops:
    // "hot-dog" finds hot_dog, hot-dog and hotdog. A synset that several spellings share counts once.
    [[nodiscard]] std::size_t count(std::string_view form) const {
        if (form.find_first_of("_-.") == std::string_view::npos) return synsets(form).size();
        std::set<std::uint32_t> distinct;
        for (const std::string& spelling : spellings_of(form)) {
            const auto found = synsets(spelling);
            distinct.insert(found.begin(), found.end());
        }
        return distinct.size();
    }

    [[nodiscard]] bool has(std::string_view form) const { return count(form) > 0; }

  private:
    void read_index(const std::string& path) {
        FieldReader line(path);
        while (line.next()) {
            if (line.fields().size() < fields_besides_lists) {
                line.fail("has " + base::count_of(line.fields().size(), "field") +
                          "; expected a lemma, its part of speech, its number of synsets and so on, 7 or more");
            }
            const std::string_view lemma = line.fields()[0], letter = line.fields()[1];
            if (base::ascii_lower(lemma) != lemma)
                line.fail("the lemma " + base::in_quotes(lemma) + " has capitals; expected lower case");
            if (letter != traits_of(part_).letter)
                line.fail("the part of speech is " + base::in_quotes(letter) + "; expected " +
                          base::in_quotes(traits_of(part_).letter) + " in every line of this file");
            if (!lemmas_.try_emplace(std::string(lemma), synsets_on(line)).second)
                line.fail("the lemma " + base::in_quotes(lemma) + " has a line already; expected one per lemma");
        }
        if (lemmas_.empty()) base::fail(path, "has no lemmas; expected an index file of WordNet");
    }

    void read_exceptions(const std::string& path) {
        FieldReader line(path);
        while (line.next()) {
            const auto& fields = line.fields();
            if (fields.size() < 2) {
                line.fail("has " + base::count_of(fields.size(), "field") + "; expected a form and its base forms");
            }
            exceptions_.try_emplace(std::string(fields[0]), fields.begin() + 1, fields.end());
        }
    }

    // Of the lemma written exactly so: in lower case, with _ for a space. Empty for others.
    [[nodiscard]] std::span<const std::uint32_t> synsets(std::string_view lemma) const {
        const auto found = lemmas_.find(lemma);
        return found == lemmas_.end() ? std::span<const std::uint32_t>() : found->second;
    }

    PartOfSpeech part_;
    base::TextMap<std::vector<std::uint32_t>> lemmas_;  // of each the places of its synsets in the data file
    base::TextMap<std::vector<std::string>> exceptions_;
};

// Of each part of speech, by lemma: how often each of its senses is tagged.
using TaggedSenses = std::array<base::TextMap<std::vector<std::uint64_t>>, 4>;

namespace {

// "bank%1:17:01:: 1 20": a lemma, its kind of synset (5: an adjective that depends on another), ..., the sense's
// number, how often it is tagged.
void add_tagged_sense(const FieldReader& line, TaggedSenses& tagged) {
    const std::string_view key = line.fields().front();
    const std::size_t mark = key.find('%');
    const char kind = mark != std::string_view::npos && mark + 1 < key.size() ? key[mark + 1] : '0';
    if (line.fields().size() != 3 || mark == 0 || kind < '1' || kind > '5')
        line.fail("expected a sense such as bank%1:17:01::, its number and how often it is tagged");
    const std::size_t part = kind == '5' ? 2 : static_cast<std::size_t>(kind - '1');
    tagged[part][std::string(key.substr(0, mark))].push_back(line.number(2, "the number of tags"));
}

// Nothing where the folder has no such file.
TaggedSenses read_tagged_senses(const std::string& folder) {
    TaggedSenses tagged;
    const std::filesystem::path path = std::filesystem::path(folder) / "cntlist.rev";
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return tagged;
    FieldReader line(path.string());
    while (line.next()) add_tagged_sense(line, tagged);
    return tagged;
}

using Found = std::optional<std::string>;

// A suffix leaves something before it.
bool has_suffix(std::string_view word, std::string_view suffix) {
    return word.size() > suffix.size() && word.ends_with(suffix);
}

// What the rules make of a word, in the order in which they are tried; most of the results are not words.
std::vector<std::string> stripped(PartOfSpeech part, std::string_view word) {
    std::vector<std::string> results;
    for (const auto& [suffix, ending] : traits_of(part).rules) {
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
    if (std::filesystem::exists(folder, error))
        base::fail_to_open(folder, "is not a folder; expected the one of WordNet's files, such as index.noun", ENOTDIR);
    base::fail_to_open(
        folder, "no such folder; install Debian's package wordnet-base, or name the folder of WordNet's files", ENOENT);
}

// As WordNet writes its lemmas.
std::string folded(std::string_view word) {
    std::string form = base::ascii_lower(word.substr(0, word.find('(')));
    std::ranges::replace(form, ' ', '_');
    return form;
}

}  // namespace

struct WordNet::Contents {
    struct Files {
        explicit Files(const std::string& folder)
            : tagged(lexicon::read_tagged_senses(folder)),
              parts{lexicon::Dictionary(existing(folder), lexicon::PartOfSpeech::noun),
                    lexicon::Dictionary(folder, lexicon::PartOfSpeech::verb),
                    lexicon::Dictionary(folder, lexicon::PartOfSpeech::adjective),
                    lexicon::Dictionary(folder, lexicon::PartOfSpeech::adverb)} {}

        lexicon::TaggedSenses tagged;
        std::array<lexicon::Dictionary, 4> parts;  // in the order of PartOfSpeech

        [[nodiscard]] std::size_t count(const lexicon::Dictionary& part, std::string_view form) const {
            std::size_t senses = part.count(form);
            for (const std::string& base : lexicon::base_forms(part, parts[0], form)) senses += part.count(base);
            return senses;
        }
    };

    std::optional<Files> files;                  // of the English one
    std::optional<lexicon::SynsetCounts> other;  // of a file
};

WordNet::WordNet(const std::string& path) : contents_(std::make_unique<Contents>()) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored))
        contents_->other = lexicon::read_other_wordnet(path);
    else
        contents_->files.emplace(path);
}
WordNet::WordNet(WordNet&&) noexcept = default;
WordNet& WordNet::operator=(WordNet&&) noexcept = default;
WordNet::~WordNet() = default;

Senses WordNet::senses(std::string_view word) const {
    if (contents_->other) return contents_->other->senses(word);
    const std::string form = folded(word);
    const Contents::Files& files = *contents_->files;
    const auto count = [&](std::size_t part) { return files.count(files.parts[part], form); };
    return {.noun = count(0), .verb = count(1), .adjective = count(2), .adverb = count(3)};
}

bool WordNet::has_lemma(std::string_view word) const {
    if (contents_->other) return senses(word).all() > 0;
    const std::string form = folded(word);
    return std::ranges::any_of(contents_->files->parts, [&](const auto& part) { return part.has(form); });
}

std::vector<std::uint64_t> WordNet::tagged(std::string_view word) const {
    std::vector<std::uint64_t> counts;
    if (contents_->other) return counts;
    const std::string form = folded(word);
    const Contents::Files& files = *contents_->files;
    for (const lexicon::Dictionary& part : files.parts) {
        std::vector<std::string> lemmas = lexicon::base_forms(part, files.parts[0], form);
        lemmas.push_back(form);
        for (const std::string& lemma : lemmas) {
            const auto found = files.tagged[static_cast<std::size_t>(part.part())].find(lemma);
            if (found == files.tagged[static_cast<std::size_t>(part.part())].end()) continue;
            counts.insert(counts.end(), found->second.begin(), found->second.end());
        }
    }
    return counts;
}

}  // namespace wordbreadth
