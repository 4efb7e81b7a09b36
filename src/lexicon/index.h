// The lemmas of one part of speech, from WordNet's index.noun, index.verb, index.adj or index.adv.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lexicon/lookup.h"
#include "lexicon/part_of_speech.h"

namespace wordbreadth::lexicon {

class Index {
  public:
    // Throws InputError, with the line, when the file is not what WordNet's manual (wndb) says.
    Index(const std::string& path, PartOfSpeech part);

    // Of the lemma written exactly so, which is in lower case, with _ for a space. Empty for others.
    [[nodiscard]] std::span<const std::uint32_t> synsets(std::string_view lemma) const;

    [[nodiscard]] std::size_t lemmas() const { return lemmas_.size(); }

  private:
    struct Range {
        std::size_t begin;
        std::size_t count;
    };

    Lookup<Range> lemmas_;
    std::vector<std::uint32_t> synsets_;  // their places in the data file, lemma after lemma
};

}  // namespace wordbreadth::lexicon
