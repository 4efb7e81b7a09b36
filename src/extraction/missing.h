// What was asked for and is not in the corpus: words of a list that get no cloud, parts of speech that no word has.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "corpus/corpus.h"
#include "extraction/analyst.h"
#include "wordbreadth/store.h"

namespace wordbreadth::extraction {

// What a pass over the corpus finds of the words that were asked for.
class WantedWords {
  public:
    // `cases_differ`: whether Bank and bank are two words; then other spellings of the wanted ones are counted too.
    WantedWords(std::span<const std::string> words, bool cases_differ);

    void add(std::string_view type, Use use);

    using Uses = std::array<std::uint64_t, uses>;
    [[nodiscard]] const Uses& uses_of(std::string_view word) const;

    // The most frequent spelling of `word` that was not asked for and differs from it in case only; or nothing.
    [[nodiscard]] std::string other_case_of(std::string_view word) const;

  private:
    bool cases_differ_;
    base::TextMap<Uses> words_;
    base::TextMap<base::TextMap<std::uint64_t>> spellings_;  // of each wanted word in lower case: other spellings met
};

struct Requirement {
    std::uint64_t usable = 0;        // occurrences that a word needs
    std::uint64_t per_document = 0;  // at most that many of them from one document; 0: any number
};

// Why `word` has fewer usable occurrences than needed.
[[nodiscard]] std::string reason_for(const WantedWords& wanted, std::string_view word, std::uint64_t usable,
                                     const Requirement& needed);

// How many of the missing words have enough occurrences once those of several tokens count (Subwords::mean).
[[nodiscard]] std::uint64_t kept_by_mean(const WantedWords& wanted, std::span<const MissingWord> missing,
                                         const Requirement& needed);

// Throws InputError: no word (or label) of the list is left.
[[noreturn]] void fail_all_missing(std::span<const MissingWord> missing, std::uint64_t kept_by_mean, ExtractUnit unit);

// The parts of speech that a corpus has.
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

    base::TextMap<std::uint64_t> counts_;
};

}  // namespace wordbreadth::extraction
