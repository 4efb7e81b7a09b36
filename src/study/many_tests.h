// What studies of many tests share: seeds, stopping, rates, progress.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "wordbreadth/concordance.h"
#include "wordbreadth/rates.h"
#include "wordbreadth/test.h"
#include "wordbreadth/word_study.h"

namespace wordbreadth::study {

[[nodiscard]] std::uint64_t test_seed(std::uint64_t seed, std::size_t index);

// Where a test may stop (TestOptions::adaptive) so that no verdict at `alpha`, or below, is another than without
// stopping: the number of exceedances at which p is above alpha whatever is still to come.
[[nodiscard]] std::uint64_t harmless_limit(double alpha, std::uint64_t permutations);

// One p-value a pair for each of the methods; NaN where a test is undefined. `first` as above.
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

// Throws InputError, naming the option, the value and what was expected.
void check_options(const WordStudyOptions& options);

// The lines of a word that a study shows.
[[nodiscard]] std::vector<ConcordanceLine> spread_lines(const Store& store, const std::string& word,
                                                        const WordStudyOptions& options);

}  // namespace wordbreadth::study
