// The two halves of one cloud are equally broad: their p-values must be uniform.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "study/random_clouds.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth {
namespace {

using testing::random_values;
using testing::Shape;

constexpr std::size_t halvings = 2000;
constexpr std::size_t d = 16;
// Kolmogorov's 0.001 point of sqrt(K) D, rounded up: a distance of 0.044 in any p-value's frequency fails.
constexpr double allowed_distance = 1.95;

struct Halving {
    std::vector<double> x, y;
};

Halving halve(const std::vector<double>& values, std::uint64_t seed) {
    std::vector<std::size_t> order(values.size() / d);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
    Halving halving;
    for (std::size_t i = 0; i < order.size(); ++i) {
        auto& half = i < order.size() / 2 ? halving.x : halving.y;
        const double* row = values.data() + order[i] * d;
        half.insert(half.end(), row, row + d);
    }
    return halving;
}

// sqrt(K) times the largest distance between the frequencies of the p-values and the uniform distribution. They take
// steps of 1 / (B + 1), so P(p <= s) = s holds at the steps, which is where they are compared.
double kolmogorov_distance(std::vector<double> p) {
    std::sort(p.begin(), p.end());
    double distance = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (i + 1 < p.size() && p[i + 1] == p[i]) continue;
        distance = std::max(distance, std::abs(static_cast<double>(i + 1) / static_cast<double>(p.size()) - p[i]));
    }
    return std::sqrt(static_cast<double>(p.size())) * distance;
}

// `widening` moves every row of the first half away from the mean's axis: 0 leaves the halves as they are.
std::vector<double> split_half_p(Alignment align, Statistic statistic, double widening) {
    const auto values = random_values({.n = 80, .d = d, .noise = 0.9, .tail = 0.6}, 77);
    TestOptions options;
    options.align = align;
    options.statistic = statistic;
    options.alternative = Alternative::greater;
    options.permutations = 499;
    options.execution.threads = 1;
    std::vector<double> p;
    for (std::uint64_t k = 0; k < halvings; ++k) {
        Halving halving = halve(values, k);
        for (std::size_t i = 0; i < halving.x.size(); ++i)
            if (i % d != 0) halving.x[i] *= 1 + widening;
        options.seed = 1'000'000 + k;  // a seed each: shared splits would tie the errors together
        p.push_back(test({"first", halving.x, d}, {"second", halving.y, d}, options).p);
    }
    return p;
}

// Exact by construction: a random half is one of the splits.
TEST(SplitHalf, IsUniformWithoutAlignment) {
    EXPECT_LT(kolmogorov_distance(split_half_p(Alignment::none, Statistic::plain, 0)), allowed_distance);
    EXPECT_LT(kolmogorov_distance(split_half_p(Alignment::none, Statistic::robust, 0)), allowed_distance);
}

TEST(SplitHalf, IsUniformWithAlignment) {
    EXPECT_LT(kolmogorov_distance(split_half_p(Alignment::householder, Statistic::plain, 0)), allowed_distance);
}

TEST(SplitHalf, IsUniformWithAlignmentAndTheRobustStatistic) {
    EXPECT_LT(kolmogorov_distance(split_half_p(Alignment::householder, Statistic::robust, 0)), allowed_distance);
}

TEST(SplitHalf, IsNotUniformWhenOneHalfIsALittleBroader) {
    EXPECT_GT(kolmogorov_distance(split_half_p(Alignment::householder, Statistic::robust, 0.04)), allowed_distance);
}

TEST(SplitHalf, DistanceFindsAShiftOfAFewPercent) {
    std::vector<double> even, shifted;
    for (std::size_t k = 1; k <= halvings; ++k) {
        even.push_back(static_cast<double>(k) / halvings);
        shifted.push_back(std::min(1.0, even.back() + 0.05));
    }
    EXPECT_LT(kolmogorov_distance(even), 1e-9);
    EXPECT_GT(kolmogorov_distance(shifted), allowed_distance);
}

}  // namespace
}  // namespace wordbreadth
