// What the GPU must get right beyond single tests: many pairs in one call, stopping early, enumeration, long runs of
// splits, clouds too large for a Gram matrix. The CPU engine, which is held to the definition, is the yardstick.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/cuda_testing.h"
#include "support/gpu.h"

namespace wordbreadth::engine {
namespace {

class CudaPairs : public testing::TestWithParam<std::tuple<Statistic, Alternative>> {
  protected:
    void SetUp() override { WORDBREADTH_NEEDS_GPU(); }
    [[nodiscard]] static TestOptions options() {
        TestOptions options;
        options.statistic = std::get<0>(GetParam());
        options.alternative = std::get<1>(GetParam());
        return options;
    }
};

TEST_P(CudaPairs, ManyPairsThatShareCloudsGiveTheCountsOfTheCpu) {
    const std::vector<Cloud> clouds = random_clouds(9, 60, 96);
    expect_same(clouds, all_pairs(clouds.size()), options());
}

TEST_P(CudaPairs, PairsOfSeveralShapesGiveTheCountsOfTheCpu) {
    std::vector<Cloud> clouds = random_clouds(4, 70, 50);
    for (Cloud& cloud : random_clouds(3, 31, 50)) clouds.push_back(std::move(cloud));
    expect_same(clouds, all_pairs(clouds.size()), options());
}

TEST_P(CudaPairs, StoppingEarlyHappensAtTheSameSplit) {
    const std::vector<Cloud> clouds = random_clouds(8, 50, 64);
    TestOptions adaptive = options();
    for (const std::uint64_t limit : {1U, 10U, 500U, 3000U}) {
        adaptive.adaptive = limit;
        expect_same(clouds, all_pairs(clouds.size()), adaptive);
    }
}

TEST_P(CudaPairs, AllSplitsAreEnumeratedInTheSameWay) {
    const std::vector<Cloud> clouds = random_clouds(4, 8, 12);
    expect_same(clouds, all_pairs(clouds.size()), options());
}

INSTANTIATE_TEST_SUITE_P(Options, CudaPairs,
                         testing::Combine(testing::Values(Statistic::plain, Statistic::robust),
                                          testing::Values(Alternative::greater, Alternative::less,
                                                          Alternative::two_sided)));

// Enough pairs for the screen by leading columns, at sizes about its tiles and beyond: 32 and 64 rows, what shared
// memory holds, more rows than dimensions; equal sizes and nearly so, and those that it leaves out.
TEST_P(CudaPairs, ScreensOfManyPairsHoldAtAwkwardSizes) {
    struct Sizes {
        std::size_t n, m, d;
    };
    for (const Sizes& sizes :
         {Sizes{4, 4, 3}, Sizes{5, 6, 40}, Sizes{16, 16, 9}, Sizes{17, 16, 100}, Sizes{31, 33, 384}, Sizes{33, 32, 20},
          Sizes{64, 65, 130}, Sizes{96, 96, 64}, Sizes{100, 100, 384}, Sizes{113, 110, 50}, Sizes{127, 129, 65},
          Sizes{129, 128, 300}, Sizes{150, 130, 384}, Sizes{330, 320, 96}, Sizes{40, 160, 384}, Sizes{20, 230, 64},
          Sizes{70, 3, 30}}) {
        std::vector<Cloud> clouds = random_clouds(6, sizes.n, sizes.d);
        for (std::size_t k = 0; k < 6; ++k)
            clouds.push_back(
                random_cloud("y" + std::to_string(k), sizes.m, sizes.d, 1, static_cast<unsigned>(100 + k)));
        std::vector<Pair> pairs;
        for (std::size_t x = 0; x < 6; ++x)
            for (std::size_t y = 6; y < 12; ++y) pairs.push_back({x, y});
        TestOptions some = options();
        some.permutations = 3000;
        SCOPED_TRACE(std::to_string(sizes.n) + " + " + std::to_string(sizes.m) + " x " + std::to_string(sizes.d));
        expect_same(clouds, pairs, some);
    }
}

// Rows that repeat, rows of hardly any spread, one far from the others: leading columns that are no directions, and
// limits of half precision.
TEST_P(CudaPairs, ScreensOfManyPairsHoldForDegenerateClouds) {
    for (const double noise : {1e-3, 1e-1, 30.0}) {
        std::vector<Cloud> clouds;
        for (unsigned k = 0; k < 9; ++k) {
            std::mt19937 random(k);
            std::normal_distribution<double> normal;
            constexpr std::size_t n = 40, d = 24;
            std::vector<double> values(n * d);
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < d; ++j)
                    values[i * d + j] =
                        i % 4 == 3 ? values[(i - 1) * d + j] : (j == 0 ? 3 : 0) + noise * normal(random);
            for (std::size_t j = 0; j < d && k % 3 == 0; ++j) values[j] = normal(random);
            clouds.emplace_back("w" + std::to_string(k), std::move(values), d);
        }
        SCOPED_TRACE(noise);
        expect_same(clouds, all_pairs(clouds.size()), options());
    }
}

TEST(Cuda, SplitsBeyondOneChunkAndBeyond32BitsOfCountersAreTheSame) {
    WORDBREADTH_NEEDS_GPU();
    const std::vector<Cloud> clouds = random_clouds(2, 40, 32);
    TestOptions options;
    options.permutations = 5'000'000;
    options.seed = std::uint64_t{1} << 40;
    expect_same(clouds, {{0, 1}}, options);
}

// Sizes, dimensions, noise, repeated rows and options at random.
TEST(Cuda, RandomShapesAndOptionsGiveTheCountsOfTheCpu) {
    WORDBREADTH_NEEDS_GPU();
    std::mt19937 random(11);
    const auto below = [&](unsigned limit) { return static_cast<std::size_t>(random() % limit); };
    for (unsigned trial = 0; trial < 60; ++trial) {
        const std::size_t n = 3 + below(trial % 4 == 0 ? 400 : 90);
        const std::size_t m = below(2) == 0 ? n : 3 + below(200);
        const std::size_t d = 2 + below(trial % 5 == 0 ? 1500 : 150);
        const double noise = std::pow(10.0, -1.5 + 2.5 * static_cast<double>(below(100)) / 100);
        const std::vector<Cloud> clouds{
            random_cloud("x", n, d, noise, 3 * trial),
            random_cloud("y", m, d, noise * (1 + 0.02 * static_cast<double>(below(5))), 3 * trial + 1)};
        TestOptions options;
        options.permutations = 500 + below(3000);
        options.seed = random();
        options.statistic = below(3) == 0 ? Statistic::robust : Statistic::plain;
        options.alternative = static_cast<Alternative>(below(3));
        options.align = below(3) == 0 ? Alignment::none : Alignment::householder;
        options.adaptive = below(4) == 0 ? 1 + below(300) : 0;
        SCOPED_TRACE(std::to_string(n) + " + " + std::to_string(m) + " x " + std::to_string(d) + ", noise " +
                     std::to_string(noise) + ", trial " + std::to_string(trial));
        expect_same(clouds, {{0, 1}}, options);
    }
}

TEST(Cuda, RowsBeyondTheLargestGramMatrixWork) {
    WORDBREADTH_NEEDS_GPU();
    const std::vector<Cloud> clouds = random_clouds(2, 2600, 24);
    TestOptions options;
    options.permutations = 500;
    for (const Statistic statistic : {Statistic::plain, Statistic::robust}) {
        options.statistic = statistic;
        expect_same(clouds, {{0, 1}}, options);
    }
}

TEST(Cuda, TheNullDistributionIsThatOfTheDefinition) {
    WORDBREADTH_NEEDS_GPU();
    const std::vector<Cloud> clouds = random_clouds(2, 40, 32);
    TestOptions options;
    options.permutations = 2000;
    options.null_distribution = true;
    options.execution.device = "cuda";
    const TestResult cuda = test(clouds[0], clouds[1], options);
    options.execution.device = "reference";
    const TestResult reference = test(clouds[0], clouds[1], options);
    EXPECT_EQ(cuda.null_distribution, reference.null_distribution);
    EXPECT_EQ(cuda.exceedances, reference.exceedances);
}

TEST(Cuda, ResultsNameTheGpu) {
    WORDBREADTH_NEEDS_GPU();
    const std::vector<Cloud> clouds = random_clouds(2, 20, 16);
    TestOptions options;
    options.execution.device = "cuda";
    EXPECT_EQ(test(clouds[0], clouds[1], options).device.rfind("cuda (", 0), 0U);
}

}  // namespace
}  // namespace wordbreadth::engine
