// Studies whose outcome is a rate over many tests: the methods that they compare, and how well a rate is known.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wordbreadth/cloud.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

// A way to test a pair.
struct Method {
    Alignment align = Alignment::none;
    Statistic statistic = Statistic::plain;

    bool operator==(const Method&) const = default;
};

// The paper's baseline, the paper's proposal, and both with the robust statistic.
inline constexpr std::array<Method, 4> methods = {
    Method{Alignment::none, Statistic::plain}, Method{Alignment::householder, Statistic::plain},
    Method{Alignment::none, Statistic::robust}, Method{Alignment::householder, Statistic::robust}};

// One value per method, in that order.
template <class Value>
using PerMethod = std::array<Value, methods.size()>;

// How many of the methods, from the first, a device has: all, or those of the paper on the one that runs its algorithm.
[[nodiscard]] std::size_t methods_on(const Execution& execution);

// A share of tests.
struct Rate {
    std::size_t hits = 0;
    std::size_t trials = 0;
    double value = NAN;  // hits / trials; NaN without trials, as are the ends of the interval
    double low = NAN;    // of the interval
    double high = NAN;
};

// With Wilson's interval (1927), which stays within 0 and 1 and is honest about rates near them. 0 < confidence < 1.
[[nodiscard]] Rate rate_of(std::size_t hits, std::size_t trials, double confidence = 0.95);

// The share of p <= alpha among those that are defined (not NaN).
[[nodiscard]] Rate rejection_rate(std::span<const double> p, double alpha);

// Are p-values uniform, as those of a true null hypothesis have to be? The one-sample test of Kolmogorov and Smirnov.
struct Uniformity {
    std::size_t n = 0;
    double distance = NAN;  // the largest between the values' distribution and the uniform one
    double p = NAN;         // small: they are not uniform. NaN without values
};

// p is Kolmogorov's limit with Stephens' correction (1970), good to two digits from a handful of values on. NaN values
// are left out.
[[nodiscard]] Uniformity uniformity(std::vector<double> values);

// Tests that share their splits share their Monte Carlo errors, and with few splits their rate is off by more than its
// interval says. From this number of permutations on it does not matter.
inline constexpr std::uint64_t permutations_to_share = 20000;

// As test_pairs, but with fewer permutations than that each test has a seed of its own, which its result carries;
// unless p is adjusted by maxT, where all of them are one family.
// `first` is the number of the first of them, where tests come in batches.
[[nodiscard]] std::vector<TestResult> test_for_rates(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                                     const TestOptions& options, std::size_t first = 0);

}  // namespace wordbreadth
