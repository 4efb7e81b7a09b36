#include "permutation/tail.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace wordbreadth::permutation {
namespace {

// ---- the Pareto distribution

const std::vector<double> few{0.11, 0.13, 0.29, 0.42, 0.55, 0.58, 0.81, 0.97,
                              1.20, 1.31, 1.66, 1.90, 2.40, 3.30, 4.10, 7.90};

std::vector<double> sample(double shape, double scale, std::size_t count, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::vector<double> values(count);
    for (double& value : values) {
        const double exponential = -std::log((static_cast<double>(generator() >> 11) + 0.5) * 0x1p-53);
        value = scale * (shape == 0 ? exponential : std::expm1(shape * exponential) / shape);
    }
    std::sort(values.begin(), values.end());
    return values;
}

TEST(Pareto, SurvivalAgreesWithTheDefinition) {
    EXPECT_NEAR((Pareto{0.5, 2}.log_survival(3)), -2 * std::log(1.75), 1e-15);
    EXPECT_NEAR((Pareto{-0.5, 2}.log_survival(3)), 2 * std::log(0.25), 1e-15);
    EXPECT_NEAR((Pareto{0, 2}.log_survival(3)), -1.5, 1e-15);
    EXPECT_NEAR((Pareto{1e-12, 2}.log_survival(3)), -1.5, 1e-11);
}

TEST(Pareto, SurvivalIsOneAtZeroAndNoneFromTheEndOn) {
    EXPECT_EQ((Pareto{-0.5, 2}.log_survival(0)), 0);
    EXPECT_EQ((Pareto{-0.5, 2}.log_survival(4)), -std::numeric_limits<double>::infinity());
    EXPECT_EQ((Pareto{-0.5, 2}.log_survival(5)), -std::numeric_limits<double>::infinity());
}

// Reference: scipy.stats.genpareto.logpdf maximised by Nelder-Mead to 1e-10.
TEST(Pareto, FitIsTheMaximumOfTheLikelihood) {
    const auto fit = fit_pareto(few);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->shape, 0.13905303, 1e-5);
    EXPECT_NEAR(fit->scale, 1.49038930, 1e-5);
}

TEST(Pareto, FitFollowsTheScale) {
    std::vector<double> scaled = few;
    for (double& value : scaled) value *= 1024;
    EXPECT_EQ(fit_pareto(scaled)->shape, fit_pareto(few)->shape);
    EXPECT_EQ(fit_pareto(scaled)->scale, fit_pareto(few)->scale * 1024);
}

// The estimator's standard error is (1 + shape) / sqrt(n) for the shape: 0.01 to 0.02 here. Four of them allowed.
TEST(Pareto, FitRecoversTheShape) {
    for (const double shape : {-0.4, -0.2, 0.0, 0.3, 1.0}) {
        const auto fit = fit_pareto(sample(shape, 3, 10000, 5));
        ASSERT_TRUE(fit);
        EXPECT_NEAR(fit->shape, shape, 4 * (1 + shape) / 100) << "shape " << shape;
        EXPECT_NEAR(fit->scale, 3, 0.25) << "shape " << shape;
    }
}

// Uniform values: shape -1, where the likelihood has no maximum.
TEST(Pareto, FitFallsBackOnMomentsWhereTheLikelihoodHasNoMaximum) {
    const auto fit = fit_pareto(sample(-1, 2, 10000, 6));
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->shape, -1, 0.05);
    EXPECT_NEAR(fit->scale, 2, 0.1);
}

TEST(Pareto, FitOfEqualValuesIsNoneOrUseless) {
    const std::vector<double> equal(50, 1.0);
    const auto fit = fit_pareto(equal);
    EXPECT_TRUE(!fit || goodness_of_fit(equal, *fit) < 0.05);
}

TEST(ParetoGoodness, AndersonDarlingAgreesWithItsDefinition) {
    EXPECT_NEAR(anderson_darling(few, *fit_pareto(few)), 0.1124490868, 1e-6);
    std::vector<double> quantiles;  // of the exponential distribution, at (i - 1/2) / 10
    for (int i = 0; i < 10; ++i) quantiles.push_back(-std::log1p(-(i + 0.5) / 10));
    EXPECT_NEAR(anderson_darling(quantiles, {0, 1}), 0.07657971407557085, 1e-12);
}

TEST(ParetoGoodness, AValueBeyondTheEndIsAnImpossibleFit) {
    EXPECT_EQ(anderson_darling(few, {-1, 2}), std::numeric_limits<double>::infinity());
    EXPECT_EQ(goodness_of_fit(few, {-1, 2}), 0);
}

// 200 samples at level 0.05: 10 expected, and outside 2 to 22 with a chance under 0.002 a shape.
TEST(ParetoGoodness, RejectsTheTruthAtItsLevel) {
    for (const double shape : {-0.3, 0.0, 0.3}) {
        int rejected = 0;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const auto values = sample(shape, 1, 100, seed);
            rejected += goodness_of_fit(values, *fit_pareto(values)) < 0.05;
        }
        EXPECT_GE(rejected, 2) << "shape " << shape;
        EXPECT_LE(rejected, 22) << "shape " << shape;
    }
}

TEST(ParetoGoodness, RejectsTwoHeaps) {
    auto values = sample(0, 0.1, 125, 3);
    for (const double value : sample(0, 0.1, 125, 4)) values.push_back(5 + value);
    std::sort(values.begin(), values.end());
    EXPECT_LT(goodness_of_fit(values, *fit_pareto(values)), 0.05);
}

// ---- the estimate

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

// ---- the largest values

std::vector<double> random_values(std::size_t count) {
    std::mt19937_64 generator(11);
    std::vector<double> values(count);
    for (double& value : values) value = static_cast<double>(generator() % 500) / 7;  // with ties
    return values;
}

std::vector<double> largest(std::vector<double> values, std::size_t count) {
    std::sort(values.begin(), values.end(), std::greater<>());
    values.resize(std::min(values.size(), count));
    return values;
}

TopValues collected(std::span<const double> values, std::size_t capacity) {
    TopValues top(capacity);
    for (const double value : values) top.add(value);
    return top;
}

TEST(TopValues, AreThoseOfASort) {
    for (const std::size_t count : {0, 1, 6, 7, 8, 1000}) {
        const auto values = random_values(count);
        EXPECT_EQ(collected(values, 7).descending(), largest(values, 7)) << count << " values";
    }
}

TEST(TopValues, DoNotDependOnTheOrderInWhichTheyCame) {
    auto values = random_values(400);
    const auto expected = collected(values, 33).descending();
    for (unsigned seed = 1; seed <= 5; ++seed) {
        std::shuffle(values.begin(), values.end(), std::mt19937_64(seed));
        EXPECT_EQ(collected(values, 33).descending(), expected);
    }
}

TEST(TopValues, MergedInAnyOrderAreThoseOfOneStream) {
    const auto values = random_values(300);
    const std::span<const double> all(values);
    const auto expected = largest(values, 20);
    for (const std::size_t cut : {0, 1, 10, 150, 299, 300}) {
        const TopValues first = collected(all.first(cut), 20);
        const TopValues second = collected(all.subspan(cut), 20);
        TopValues forward = first;
        forward.merge(second);
        TopValues backward = second;
        backward.merge(first);
        EXPECT_EQ(forward.descending(), expected);
        EXPECT_EQ(backward.descending(), expected);
    }
}

TEST(TopValues, KeepNanAsInfinity) {
    const std::vector values{1.0, std::nan(""), -inf, inf, 2.0};
    EXPECT_EQ(collected(values, 3).descending(), (std::vector{inf, inf, 2.0}));
}

TEST(TopValues, OfCapacityNoneKeepNothing) {
    EXPECT_TRUE(collected(random_values(9), 0).descending().empty());
}

}  // namespace
}  // namespace wordbreadth::permutation
