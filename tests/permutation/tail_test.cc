#include "permutation/tail.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace wordbreadth::permutation {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr std::uint64_t B = 20000;

using Quantile = std::function<double(double p)>;  // the value that is exceeded with probability p

double uniform(std::mt19937_64& generator) {
    return (static_cast<double>(generator() >> 11) + 0.5) * 0x1p-53;
}

std::vector<double> tail_of(const Quantile& quantile, std::uint64_t seed, std::uint64_t draws = B) {
    std::mt19937_64 generator(seed);
    TopValues top(tail_values_needed);
    for (std::uint64_t b = 0; b < draws; ++b) top.add(quantile(uniform(generator)));
    return top.descending();
}

double exponential(double p) {
    return -std::log(p);
}
double straight(double p) {
    return 1 - p;
}
double pareto(double p) {
    return std::pow(p, -0.25);
}
// log v ratios under the null look like this one.
double normal(double p) {
    double low = -10, high = 40;
    while (high - low > 1e-9) {
        const double middle = (low + high) / 2;
        (std::erfc(middle / std::sqrt(2.0)) / 2 > p ? low : high) = middle;
    }
    return low;
}

struct Recovery {
    double bias;            // mean of log10(estimate / truth)
    double standard_error;  // of that mean
    double spread;          // standard deviation of one estimate
    int refused;
};

Recovery recover(const Quantile& quantile, double p, int repeats) {
    double sum = 0, squares = 0;
    int refused = 0;
    for (int repeat = 1; repeat <= repeats; ++repeat) {
        const auto estimate = estimate_tail(tail_of(quantile, 1000 + repeat), quantile(p), B);
        if (!estimate) {
            ++refused;
            continue;
        }
        const double error = std::log10(estimate->p / p);
        sum += error;
        squares += error * error;
    }
    const double count = repeats - refused;
    const double variance = (squares - sum * sum / count) / (count - 1);
    return {sum / count, std::sqrt(variance / count), std::sqrt(variance), refused};
}

// At p = 1e-4, where a count of 20,000 splits expects 2 exceedances. One estimate is off by a factor of 1.7 (0.25 on
// the log scale), the mean of 60 logarithms by 0.03. The estimator itself leans low by a fifth: 0.09.
TEST(Tail, RecoversTheProbabilityOfAnExponentialNull) {
    const Recovery found = recover(exponential, 1e-4, 60);
    EXPECT_NEAR(found.bias, 0, 0.09 + 3 * 0.03);
    EXPECT_LT(found.spread, 0.35);
    EXPECT_EQ(found.refused, 0);
}

TEST(Tail, RecoversTheProbabilityOfAParetoNull) {
    const Recovery found = recover(pareto, 1e-4, 60);
    EXPECT_NEAR(found.bias, 0, 0.09 + 3 * 0.03);
    EXPECT_LT(found.spread, 0.35);
    EXPECT_EQ(found.refused, 0);
}

TEST(Tail, RecoversTheProbabilityOfANormalNull) {
    const Recovery found = recover(normal, 1e-4, 60);
    EXPECT_NEAR(found.bias, 0, 0.12 + 3 * 0.035);
    EXPECT_LT(found.spread, 0.4);
    EXPECT_LE(found.refused, 3);
}

// An abrupt end is the hardest tail. The estimate leans high there, to the safe side, by a factor of 2.
TEST(Tail, DoesNotUnderstateTheProbabilityOfAUniformNull) {
    const Recovery found = recover(straight, 1e-4, 60);
    EXPECT_GT(found.bias, -0.1);
    EXPECT_LT(found.bias, 0.5);
}

// Ten times beyond what a count can see one estimate is good to about a power of ten, and no better.
TEST(Tail, GivesTheOrderOfMagnitudeFarBeyondTheCount) {
    for (const Quantile& quantile : {Quantile(exponential), Quantile(pareto), Quantile(normal)}) {
        const Recovery found = recover(quantile, 1e-5, 60);
        EXPECT_NEAR(found.bias, 0, 0.6 + 3 * 0.13);
        EXPECT_LT(found.spread, 1.5);
    }
}

TEST(Tail, ReportsTheFit) {
    const auto estimate = estimate_tail(tail_of(pareto, 1), pareto(1e-4), B);
    ASSERT_TRUE(estimate);
    EXPECT_EQ(estimate->exceedances, 250u);
    EXPECT_NEAR(estimate->shape, 0.25, 4 * 1.25 / std::sqrt(250.0));
    EXPECT_GE(estimate->goodness_of_fit, 0.05);
    EXPECT_LE(estimate->goodness_of_fit, 1);
}

TEST(Tail, IsDeterministic) {
    const auto values = tail_of(normal, 5);
    const auto first = estimate_tail(values, 4.0, B);
    const auto second = estimate_tail(values, 4.0, B);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->p, second->p);
    EXPECT_EQ(first->goodness_of_fit, second->goodness_of_fit);
}

TEST(Tail, FallsAsTheObservedValueGrows) {
    const auto values = tail_of(exponential, 2);
    double before = 1;
    for (const double observed : {5.0, 7.0, 9.0, 11.0}) {
        const auto estimate = estimate_tail(values, observed, B);
        ASSERT_TRUE(estimate);
        EXPECT_LT(estimate->p, before);
        before = estimate->p;
    }
}

TEST(Tail, DoesNotDependOnTheUnit) {
    auto values = tail_of(normal, 7);
    const auto before = estimate_tail(values, 4.0, B);
    for (double& value : values) value *= 4096;
    const auto after = estimate_tail(values, 4.0 * 4096, B);
    ASSERT_TRUE(before && after);
    EXPECT_NEAR(after->p / before->p, 1, 1e-9);
}

TEST(Tail, TakesAHigherThresholdWhenTheLowerPartDoesNotFit) {
    auto values = tail_of(exponential, 3);
    for (std::size_t i = 200; i < values.size(); ++i) values[i] -= 5;  // a gap after the 200 largest
    const auto estimate = estimate_tail(values, exponential(1e-5), B);
    ASSERT_TRUE(estimate);
    EXPECT_LT(estimate->exceedances, 200u);
}

// One heap far above the rest, whatever the threshold: narrow heaps and wide ones.
TEST(Tail, RefusesTwoHeaps) {
    for (const double heap : {25.0, 60.0, 100.0}) {
        const Quantile narrow = [heap](double p) { return p < heap / B ? 50 + p : p; };
        const Quantile wide = [heap](double p) { return p < heap / B ? 50 + 100 * p : exponential(p); };
        EXPECT_FALSE(estimate_tail(tail_of(narrow, 4), 60, B)) << heap << " values";
        EXPECT_FALSE(estimate_tail(tail_of(wide, 4), 60, B)) << heap << " values";
    }
}

TEST(Tail, RefusesADiscreteNull) {
    const Quantile few_values = [](double p) { return std::floor(-2 * std::log(p)); };
    EXPECT_FALSE(estimate_tail(tail_of(few_values, 5), 25, B));
    EXPECT_FALSE(estimate_tail(std::vector<double>(tail_values_needed, 1.0), 2, B));
}

TEST(Tail, RefusesWhenTheObservedValueIsNotInTheTail) {
    const auto values = tail_of(exponential, 6);
    EXPECT_FALSE(estimate_tail(values, values.back() - 1, B));
}

TEST(Tail, RefusesBeyondTheEndOfABoundedTail) {
    EXPECT_FALSE(estimate_tail(tail_of(straight, 7), 5, B));
}

TEST(Tail, RefusesWhatIsNotFinite) {
    const auto values = tail_of(exponential, 8);
    for (const double bad : {inf, -inf, std::nan("")}) EXPECT_FALSE(estimate_tail(values, bad, B)) << bad;
    auto with_undefined = values;
    with_undefined.front() = inf;
    EXPECT_FALSE(estimate_tail(with_undefined, 12, B));
    auto unbounded_below = values;
    unbounded_below.back() = -inf;
    EXPECT_FALSE(estimate_tail(unbounded_below, 12, B));
}

TEST(Tail, RefusesTooFewValues) {
    EXPECT_FALSE(estimate_tail({}, 12, B));
    EXPECT_FALSE(estimate_tail(tail_of(exponential, 9, 250), 12, B));
    EXPECT_FALSE(estimate_tail(tail_of(exponential, 9, 199), 12, 199));
    EXPECT_FALSE(estimate_tail({}, 12, 0));
}

TEST(Tail, UsesAtMostAQuarterOfTheNull) {
    const auto estimate = estimate_tail(tail_of(exponential, 10, 400), 9, 400);
    ASSERT_TRUE(estimate);
    EXPECT_LE(estimate->exceedances, 100u);
}

}  // namespace
}  // namespace wordbreadth::permutation
