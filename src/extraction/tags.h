// The parts of speech that a corpus has: what to say when others were asked for.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"
#include "extraction/text_map.h"

namespace wordbreadth::extraction {

class TagCounts {
  public:
    // Of all words that the corpus has marked in the sentence.
    void add(const corpus::Sentence& sentence);

    // Those of the wanted ones that no word has: see corpus::is_part_of_speech.
    [[nodiscard]] std::vector<std::string> unknown(std::span<const std::string> wanted) const;

    // That no word has these, and which the corpus has, the most frequent first.
    [[nodiscard]] std::string message(const std::vector<std::string>& unknown) const;

  private:
    void add(std::string_view tag);
    [[nodiscard]] std::vector<std::string> most_frequent_first() const;

    TextMap<std::uint64_t> counts_;
};

}  // namespace wordbreadth::extraction
