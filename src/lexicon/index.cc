#include "lexicon/index.h"

#include <algorithm>

#include "corpus/failure.h"
#include "lexicon/fields.h"

namespace wordbreadth::lexicon {

namespace {

// lemma, letter, synsets, kinds of pointers, [pointer]..., synsets again, tagged senses, [place of a synset]...
constexpr std::size_t fields_besides_lists = 6;

using corpus::count_of;
using corpus::in_quotes;

void require_lower_case(const FieldReader& line, std::string_view lemma) {
    const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (std::ranges::any_of(lemma, is_capital)) {
        line.fail("the lemma " + in_quotes(lemma) + " has capitals; expected lower case");
    }
}

void require_part(const FieldReader& line, PartOfSpeech part) {
    const std::string_view found = line.fields()[1];
    if (found == letter_in_files(part)) return;
    line.fail("the part of speech is " + in_quotes(found) + "; expected " + in_quotes(letter_in_files(part)) +
              " in every line of this file");
}

// What stands behind the pointers: the number of senses, and how many of them were tagged in texts.
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

// The counts and the fields themselves have to tell the same. Returns where the places of the synsets begin.
std::size_t find_synsets(const FieldReader& line) {
    const std::size_t fields = line.fields().size();
    const std::size_t synsets = line.number(2, "the number of synsets");
    const std::size_t pointers = line.number(3, "the number of pointers");
    if (synsets == 0) line.fail("the number of synsets is 0; expected 1 or more");
    if (fields != fields_besides_lists + pointers + synsets) {
        line.fail("has " + count_of(fields, "field") + "; expected " +
                  std::to_string(fields_besides_lists + pointers + synsets) + ", with " + count_of(synsets, "synset") +
                  " and " + count_of(pointers, "pointer"));
    }
    require_senses(line, 4 + pointers, synsets);
    return fields - synsets;
}

void require_distinct(const FieldReader& line, std::span<const std::uint32_t> synsets) {
    std::vector<std::uint32_t> sorted(synsets.begin(), synsets.end());
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end()) line.fail("the synset at " + std::to_string(*twice) + " is listed twice");
}

void append_synsets(const FieldReader& line, std::vector<std::uint32_t>& synsets) {
    const std::size_t before = synsets.size();
    for (std::size_t i = find_synsets(line); i < line.fields().size(); ++i) {
        synsets.push_back(line.number(i, "the place of a synset"));
    }
    require_distinct(line, std::span(synsets).subspan(before));
}

}  // namespace

Index::Index(const std::string& path, PartOfSpeech part) {
    FieldReader line(path);
    while (line.next()) {
        if (line.fields().size() < fields_besides_lists) {
            line.fail("has " + count_of(line.fields().size(), "field") +
                      "; expected a lemma, its part of speech, its number of synsets and so on, 7 or more");
        }
        const std::string_view lemma = line.fields()[0];
        require_lower_case(line, lemma);
        require_part(line, part);
        const std::size_t begin = synsets_.size();
        append_synsets(line, synsets_);
        const bool is_new = lemmas_.try_emplace(std::string(lemma), Range{begin, synsets_.size() - begin}).second;
        if (!is_new) line.fail("the lemma " + in_quotes(lemma) + " has a line already; expected one a lemma");
    }
    if (lemmas_.empty()) corpus::fail(path, "has no lemmas; expected an index file of WordNet");
}

std::span<const std::uint32_t> Index::synsets(std::string_view lemma) const {
    const auto found = lemmas_.find(lemma);
    if (found == lemmas_.end()) return {};
    return std::span(synsets_).subspan(found->second.begin, found->second.count);
}

}  // namespace wordbreadth::lexicon
