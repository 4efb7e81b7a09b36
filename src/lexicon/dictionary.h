// One part of speech of WordNet: its lemmas (index.noun) and its irregular forms (noun.exc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"

namespace wordbreadth::lexicon {

enum class PartOfSpeech : std::uint8_t { noun, verb, adjective, adverb };

class Dictionary {
  public:
    // Throws InputError, with the line, when a file is missing or not what WordNet's manual (wndb) says.
    Dictionary(const std::string& folder, PartOfSpeech part);

    [[nodiscard]] PartOfSpeech part() const { return part_; }

    // The base forms of an irregular form, in the order of the file; empty when it is not in the list. A few forms have
    // two lines in WordNet 3.0, of which the first counts.
    [[nodiscard]] std::span<const std::string> irregular_bases(std::string_view form) const;

    // How many synsets a form has, written as it is, with - for _, with _ for -, without both, or without full stops:
    // "hot-dog" finds hot_dog, hot-dog and hotdog. A synset that several spellings share counts once.
    [[nodiscard]] std::size_t count(std::string_view form) const;

    [[nodiscard]] bool has(std::string_view form) const { return count(form) > 0; }

  private:
    struct Range {
        std::size_t begin;
        std::size_t count;
    };

    void read_index(const std::string& path);
    void read_exceptions(const std::string& path);

    // Of the lemma written exactly so: in lower case, with _ for a space. Empty for others.
    [[nodiscard]] std::span<const std::uint32_t> synsets(std::string_view lemma) const;

    PartOfSpeech part_;
    base::TextMap<Range> lemmas_;
    std::vector<std::uint32_t> synsets_;  // their offsets in the data file, lemma after lemma
    base::TextMap<std::vector<std::string>> exceptions_;
};

}  // namespace wordbreadth::lexicon
