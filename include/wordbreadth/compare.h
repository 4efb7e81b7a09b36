// The breadth of each word that two stores share, in one against the other: two domains, two periods, learners and
// natives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "wordbreadth/concordance.h"
#include "wordbreadth/modes.h"
#include "wordbreadth/store.h"
#include "wordbreadth/word_study.h"

namespace wordbreadth {

struct ComparedWord {
    std::string word;
    std::uint64_t frequency_a = 0, frequency_b = 0;
    std::uint64_t rows_a = 0, rows_b = 0;  // in the stores; test.n of each were used
    TestResult test;                       // x: the word in A, y: in B; T > 0 where it is broader in A
    double q = 0;                          // p adjusted over all words
    std::vector<ConcordanceLine> concordance_a, concordance_b;
};

struct Comparison {
    std::string folder_a, folder_b;
    std::string forced;                  // what differs between the stores, where that was accepted; else empty
    std::size_t only_a = 0, only_b = 0;  // words that the other store does not have
    std::vector<ComparedWord> words;     // by q, then by |T| from large to small, then in byte order
    std::vector<LeftOut> left_out;       // shared words without a test, in byte order
    // The modes of the words, in their order, in as many rows as were tested; empty unless they were asked for.
    std::vector<WordModes> modes_a, modes_b;
    double median_T = 0;  // of the words: what all have in common, before any word stands out
    WordStudyOptions options;
    std::string device;
    double seconds = 0;

    [[nodiscard]] bool is_finding(const ComparedWord& word) const { return word.q <= options.alpha; }
};

// Both clouds of a word are cut to the size of the smaller one, or all to options.common_size, where words with fewer
// rows are left out. The result does not depend on the number of threads.
// Throws InputError when the stores are not comparable (see comparable.h) and it was not forced, share no word that can
// be tested or are damaged, or for bad options; Cancelled when stopped.
[[nodiscard]] Comparison compare(const Store& a, const Store& b, const WordStudyOptions& options);

}  // namespace wordbreadth
