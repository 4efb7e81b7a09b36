// Pairs whose truth is known: two parts of one word, of whole documents where these are known, turned apart. They are
// equally broad, unless the first is mixed with another word, which makes it the broader one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "study/sampling.h"
#include "wordbreadth/cloud.h"
#include "wordbreadth/store.h"
#include "wordbreadth/test.h"

namespace wordbreadth::study {

// Assigns the documents of these rows in random order: to the first part until it has its share of the rows, then to
// the second. `documents`: of each row. Nothing where the parts would have too few documents to be tested: fewer than 2
// in one of them, or 2 in both.
[[nodiscard]] std::optional<RowSplit> deal_documents(const std::string& word, std::span<const std::size_t> rows,
                                                     std::span<const std::uint64_t> documents, double share,
                                                     std::uint64_t seed);

struct PartsOptions {
    std::size_t rows = 0;      // of a word, which are divided
    double share = 0.5;        // of them in the first part, as nearly as whole documents allow
    double mixed = 0;          // share of the first part's rows that are replaced by rows of a broader word
    bool documents = false;    // divide whole documents
    std::size_t count = 1000;  // pairs; words are used again, divided differently, where there are fewer
    std::uint64_t seed = 0;
};

// How one pair is made.
struct PartedWord {
    std::size_t word = 0;   // places in the store's words: the one that is divided,
    std::size_t other = 0;  // the one that is mixed in,
    std::size_t third = 0;  // and the one where the second part points
    std::uint64_t seed = 0;
    RowSplit rows;
};

struct PartedPairs {
    std::vector<Cloud> clouds;  // the first and the second part, pair after pair
    std::vector<Pair> tests;
    std::vector<double> ratios;  // of their breadths in truth, where the first is mixed
};

class PartedWords {
  public:
    // `fewest`: words with fewer rows are left out. `mixing`: words are going to be mixed. Throws InputError when fewer
    // than 2 words are left, Cancelled when stopped.
    PartedWords(const Store& store, std::size_t fewest, bool mixing, const Execution& execution);

    // Fewer than asked for, or none, where documents cannot be divided.
    [[nodiscard]] std::vector<PartedWord> plan(const PartsOptions& options) const;

    // Pairs that have no breadth are left out. Throws Cancelled when stopped.
    [[nodiscard]] PartedPairs make(const PartsOptions& options, std::span<const PartedWord> planned,
                                   const Execution& execution) const;

    // The median over the words of the mean cosine of their rows, those that are mixed.
    [[nodiscard]] double median_cosine() const;

  private:
    // What is known of a word from all its rows.
    struct Known {
        std::vector<std::uint64_t> documents;  // of its rows; empty where they are not known
        double cosine = 0;                     // mean of its pairs of rows (of different documents)
        std::vector<double> mean;              // of its unit rows
    };

    [[nodiscard]] std::optional<RowSplit> divided(std::size_t word, const PartsOptions& options,
                                                  std::uint64_t seed) const;
    [[nodiscard]] std::size_t replaced(const PartedWord& plan, const PartsOptions& options) const;
    [[nodiscard]] std::optional<Cloud> first(const PartedWord& plan, const PartsOptions& options) const;
    [[nodiscard]] std::optional<Cloud> second(const PartedWord& plan) const;
    [[nodiscard]] double ratio(const PartedWord& plan, const PartsOptions& options) const;

    const Store* store_;
    std::vector<std::size_t> words_;  // places in the store's words
    std::vector<Known> known_;        // by place; empty for the others
};

}  // namespace wordbreadth::study
