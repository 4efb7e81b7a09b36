// Wordnets of languages other than English, which come as one file. Words are looked up as they are written there: no
// base forms are known.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wordbreadth/lexicon.h"

namespace wordbreadth::lexicon {

class SynsetCounts {
  public:
    // `part`: 0 to 3, as in Senses. A synset that a word has twice counts once.
    void add(std::string_view word, std::string_view synset, std::size_t part);

    [[nodiscard]] Senses senses(std::string_view word) const;
    [[nodiscard]] bool empty() const { return words_.empty(); }

  private:
    std::unordered_map<std::string, std::array<std::vector<std::uint64_t>, 4>> words_;  // hashes of synsets, by part
};

// Throws InputError, naming file and line, when it is neither form.
[[nodiscard]] SynsetCounts read_other_wordnet(const std::string& path);

}  // namespace wordbreadth::lexicon
