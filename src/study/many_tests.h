// What studies of many tests share: seeds, stopping, rates, progress; and those parts of the paper's study
// (experiment.h) that are tested by themselves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wordbreadth/compare.h"
#include "wordbreadth/concordance.h"
#include "wordbreadth/experiment.h"
#include "wordbreadth/rates.h"
#include "wordbreadth/test.h"
#include "wordbreadth/timing.h"
#include "wordbreadth/word_study.h"

namespace wordbreadth::study {

[[nodiscard]] std::uint64_t test_seed(std::uint64_t seed, std::size_t index);

// Where a test may stop (TestOptions::adaptive) so that no verdict at `alpha`, or below, is another than without
// stopping: the number of exceedances at which p is above alpha whatever is still to come.
[[nodiscard]] std::uint64_t harmless_limit(double alpha, std::uint64_t permutations);

// As test_for_rates, but each test has a seed and a thread of its own whatever the number of permutations: for pairs of
// unequal sizes, which have no splits to share.
[[nodiscard]] std::vector<TestResult> test_side_by_side(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                                        const TestOptions& options, std::size_t first);

// One p-value a pair for each of the methods; NaN where a test is undefined, or the device has no such method. `first`
// as above.
using MethodP = PerMethod<std::vector<double>>;
[[nodiscard]] MethodP p_of_methods(std::span<const Cloud> clouds, std::span<const Pair> pairs, TestOptions options,
                                   std::size_t first = 0);

// The mean of the two in the middle where their number is even. Wants at least one.
[[nodiscard]] inline double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// The execution of a part that goes from `from` to `to`, shares of the whole.
[[nodiscard]] inline Execution stage(const Execution& whole, double from, double to) {
    Execution part = whole;
    if (whole.progress)
        part.progress = [progress = whole.progress, from, to](double done) { progress(from + (to - from) * done); };
    return part;
}

// Returns run(execution), which is one stage of the time that is recorded: those within it are not.
template <class Run>
auto as_a_stage(std::string_view name, Execution execution, const Run& run) {
    Timing* const timing = std::exchange(execution.timing, nullptr);
    return timed(timing, name, [&] { return run(std::as_const(execution)); });
}

// Calls run(begin, end, execution) for 0 .. count - 1, `step` of them at a time, each with its part of the execution.
template <class Run>
void in_batches(std::size_t count, std::size_t step, const Execution& whole, Run run) {
    const auto share = [&](std::size_t at) { return static_cast<double>(at) / static_cast<double>(count); };
    for (std::size_t begin = 0; begin < count; begin += step) {
        const std::size_t end = std::min(begin + step, count);
        run(begin, end, stage(whole, share(begin), share(end)));
    }
}

// Throws InputError, naming the option, the value and what was expected.
void check_options(const WordStudyOptions& options);

// Of the time that triage and compare take, that of their tests; the rest goes to the concordances.
inline constexpr double tests_share = 0.95;

// The lines of a word that a study shows.
[[nodiscard]] std::vector<ConcordanceLine> spread_lines(const Store& store, const std::string& word,
                                                        const WordStudyOptions& options);

// Fills what the words of a comparison, already tested, are beyond their median.
void center(Comparison& comparison);

// Of the median of these values, in ascending order; at least one (Price and Bonett 2001).
[[nodiscard]] double standard_error_of_median(std::span<const double> sorted);

// Calls add(0), add(1), ... for the first of `words` words, as many as the options want concordances of.
void add_concordances(std::size_t words, const WordStudyOptions& options, const std::function<void(std::size_t)>& add);

// The pairs at one gap among `words` words, sampled without replacement: a pure function of all four.
[[nodiscard]] std::vector<GapPair> pairs_at_gap(std::size_t words, std::size_t gap, std::size_t count,
                                                std::uint64_t seed);

// `rows` of each word are halved, at least 4; with `own`, all rows of each word that has as many. Throws InputError
// when fewer than 2 words have enough rows, Cancelled when stopped.
[[nodiscard]] SplitHalf split_half(const Store& store, std::size_t rows, bool own, std::uint64_t permutations,
                                   std::uint64_t seed, const Execution& execution);

// How many senses a word has; 0: it is not known.
using SensesOf = std::function<std::size_t(const std::string& word)>;

// A last bin that is less than half full joins the one before it. Without `senses_of`, no word is known.
[[nodiscard]] FrequencyLaw frequency_law(std::vector<RankedWord> words, std::size_t bin_size,
                                         const SensesOf& senses_of = {});

// All NaN with fewer than 2 points, or with equal x.
[[nodiscard]] LawFit fit_line(std::span<const double> x, std::span<const double> y);

// From 0 on; equal values share their mean rank.
[[nodiscard]] std::vector<double> ranks_of(const std::vector<double>& values);

// Of two lists of equal length; equal values share their mean rank. NaN with fewer than 2 or when one list is constant.
[[nodiscard]] double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

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
