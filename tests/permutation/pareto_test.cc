#include "permutation/tail.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace wordbreadth::permutation {
namespace {

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

}  // namespace
}  // namespace wordbreadth::permutation
