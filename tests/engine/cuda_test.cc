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
