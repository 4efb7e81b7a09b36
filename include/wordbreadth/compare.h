// The breadth of each word that two stores share, in one against the other: two domains, two periods, learners and
// natives.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "wordbreadth/concordance.h"
#include "wordbreadth/modes.h"
#include "wordbreadth/names.h"
#include "wordbreadth/store.h"
#include "wordbreadth/word_study.h"

namespace wordbreadth {

// What a word's difference is measured against: equal breadth, or what the median word has, since a corpus of many
// kinds of text makes nearly all words broader.
enum class Center { none, median };
[[nodiscard]] constexpr auto names_of(Center) {
    return std::to_array<Named<Center>>({{Center::none, "none"}, {Center::median, "median"}});
}

// A word's effect beyond that of the median word. NaN where the word has no effect, p also without a standard error.
struct CenteredEffect {
    double effect = NAN;          // less the median effect
    double standard_error = NAN;  // with that of the median
    double p = NAN;               // two-sided, of Student's t: labels cannot be exchanged under a shift
    double q = NAN;               // adjusted over all words
};

struct ComparedWord {
    std::string word;
    std::uint64_t frequency_a = 0, frequency_b = 0;
    std::uint64_t rows_a = 0, rows_b = 0;  // in the stores; test.n of each were used
    TestResult test;                       // x: the word in A, y: in B; T > 0 where it is broader in A
    double q = 0;                          // p adjusted over all words
    std::vector<ConcordanceLine> concordance_a, concordance_b;
    CenteredEffect centered{};
};

struct Comparison {
    std::string folder_a, folder_b;
    std::string forced;                  // what differs between the stores, where that was accepted; else empty
    std::size_t only_a = 0, only_b = 0;  // words that the other store does not have
    std::vector<ComparedWord> words;     // as order_of(..., Center::none) has them
    std::vector<LeftOut> left_out;       // shared words without a test, in byte order
    // The modes of the words, in their order, in as many rows as were tested; empty unless they were asked for.
    std::vector<WordModes> modes_a, modes_b;
    double median_T = 0;                 // of the words: what all have in common, before any word stands out
    double median_effect = NAN;          // the same of the effects; NaN where no word has one
    double median_standard_error = NAN;  // of median_effect (Price and Bonett 2001)
    WordStudyOptions options;            // its statistic is what was used, never automatic
    std::string device;
    double seconds = 0;

    [[nodiscard]] bool is_finding(const ComparedWord& word, Center center = Center::none) const {
        return (center == Center::none ? word.q : word.centered.q) <= options.alpha;
    }
};

// Above 0 where the word is broader in A (than the median word): the effect where p is about it, T where that was
// permuted.
[[nodiscard]] inline double log_ratio(const ComparedWord& word, Center center = Center::none) {
    if (center == Center::median) return word.centered.effect;
    return word.test.t ? word.test.effect : word.test.T;
}

// The words, by their places: by q, then by the size of the log ratio from large to small, then in byte order. Those
// without a q come last.
[[nodiscard]] std::vector<std::size_t> order_of(const Comparison& comparison, Center center);

// Both clouds of a word are cut to the size of the smaller one, or all to options.common_size, where words with fewer
// rows are left out, as are words of one document where documents are permuted. Concordances are those of the first
// words in either order. The result does not depend on the number of threads.
// Throws InputError when the stores are not comparable (see comparable.h) and it was not forced, share no word that can
// be tested or are damaged, or for bad options; Cancelled when stopped.
[[nodiscard]] Comparison compare(const Store& a, const Store& b, const WordStudyOptions& options);

}  // namespace wordbreadth
