// Tests whose outcome is a rate over all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "study/methods.h"
#include "study/rates.h"
#include "wordbreadth/cloud.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

// Tests that share their splits share their Monte Carlo errors, and with few splits their rate is off by more than its
// interval tells. From so many on it does not matter.
inline constexpr std::uint64_t permutations_to_share = 20000;

// As test_pairs, but with fewer permutations than that test i has a seed of its own, test_seed(options.seed, i), which
// its result carries. `first` is the number of the first of them, where tests come in batches.
[[nodiscard]] std::vector<TestResult> test_for_rates(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                                     const TestOptions& options, std::size_t first = 0);

[[nodiscard]] std::uint64_t test_seed(std::uint64_t seed, std::size_t index);

// Where a test may stop (TestOptions::adaptive) so that no verdict at `alpha`, or below, is another than without
// stopping: the number of exceedances at which p is above alpha whatever is still to come.
[[nodiscard]] std::uint64_t harmless_limit(double alpha, std::uint64_t permutations);

// One p-value a pair for each of the methods; NaN where a test is undefined. `first` as above.
using MethodP = PerMethod<std::vector<double>>;
[[nodiscard]] MethodP p_of_methods(std::span<const Cloud> clouds, std::span<const Pair> pairs, TestOptions options,
                                   std::size_t first = 0);

// The share of p <= alpha among those that are defined.
[[nodiscard]] Rate rejection_rate(std::span<const double> p, double alpha);

}  // namespace wordbreadth
