// The parts of the paper's study (experiment.h), one file each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "study/many_tests.h"
#include "wordbreadth/experiment.h"

namespace wordbreadth::study {

// The pairs at one gap among `words` words, sampled without replacement: a pure function of all four.
[[nodiscard]] std::vector<GapPair> pairs_at_gap(std::size_t words, std::size_t gap, std::size_t count,
                                                std::uint64_t seed);

struct SplitHalfOptions {
    std::size_t rows = 0;  // of each word, halved; at least 4
    std::uint64_t permutations = 20000;
    std::uint64_t seed = 0;
    Execution execution = {};
};

// Throws InputError when fewer than 2 words have enough rows, Cancelled when stopped.
[[nodiscard]] SplitHalf split_half(const Store& store, const SplitHalfOptions& options);

// A last bin that is less than half full joins the one before it.
[[nodiscard]] FrequencyLaw frequency_law(std::vector<RankedWord> words, std::size_t bin_size);

// All NaN with fewer than 2 points, or with equal x.
[[nodiscard]] LawFit fit_line(std::span<const double> x, std::span<const double> y);

// The aligned plain test of the first pair, the best of three runs, and of all pairs in one call (only where a test is
// fast). No test stops early. `pairs` are not empty.
[[nodiscard]] DeviceTimes device_times(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                       std::uint64_t permutations, const Execution& execution);

// The words that the paper shows.
[[nodiscard]] const std::vector<std::string>& papers_words();

// `ranking` by breadth.
[[nodiscard]] WordExamples word_examples(const Ranking& ranking, const WordNet& wordnet, std::size_t ends);

// Of two lists of equal length; equal values share their mean rank. NaN with fewer than 2 or when one list is constant.
[[nodiscard]] double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

// The paper's articulate and triple where the store has both with enough rows; otherwise the pair of `tests` that
// alignment changes most. Throws InputError when there is no pair at all, Cancelled when stopped.
[[nodiscard]] TellingPair telling_pair(const Store& store, const GapTests& tests, std::uint64_t permutations,
                                       std::uint64_t seed, const Execution& execution);

// t-SNE (van der Maaten and Hinton 2008): points of many dimensions on a plane, neighbours near each other. The exact
// method, for a few hundred points; every pair of them is looked at in every step.
struct TsneOptions {
    double perplexity = 30;  // about how many neighbours count; held to a third of the points
    std::size_t steps = 1000;
    std::uint64_t seed = 0;  // where the points start
};

// `values`: (n, dimension), row after row, n at least 4. The same values and options give the same points.
[[nodiscard]] std::vector<PlanePoint> tsne(std::span<const double> values, std::size_t dimension,
                                           const TsneOptions& options = {});

}  // namespace wordbreadth::study
