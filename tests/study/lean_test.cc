// What a run takes of the machine's memory.
#include <gtest/gtest.h>

#include <random>

#include "study/random_clouds.h"
#include "support/memory.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth {
namespace {

TEST(Lean, MemoryDoesNotGrowWithThePermutations) {
    const Cloud x = testing::random_cloud("x", {.n = 30, .d = 50}, 1);
    const Cloud y = testing::random_cloud("y", {.n = 30, .d = 50, .axis = 1}, 2);
    TestOptions options;
    options.permutations = 10'000;
    static_cast<void>(test(x, y, options));
    const double before = peak_memory();
    options.permutations = 2'000'000;
    const TestResult result = test(x, y, options);
    EXPECT_EQ(result.permutations, 2'000'000U);
    EXPECT_LT(peak_memory() - before, 4e6);
}

TEST(Lean, AThousandMillionPermutationsAreAccepted) {
    const Cloud x = testing::random_cloud("x", {.n = 30, .d = 50}, 1);
    const Cloud y = testing::random_cloud("y", {.n = 30, .d = 50, .axis = 1}, 2);
    TestOptions options;
    options.permutations = 1'000'000'000;
    options.adaptive = 50;
    const TestResult result = test(x, y, options);
    EXPECT_TRUE(result.stopped_early);
    EXPECT_EQ(result.exceedances, 50U);
}

TEST(Large, FiftyThousandRowsEachStayUnderTwoGiB) {
    const std::size_t d = 768;
    std::mt19937_64 random(5);
    std::vector<float> noise(1 << 20);
    std::normal_distribution<float> normal;
    for (float& value : noise) value = normal(random);
    const auto cloud = [&](const char* name) {
        std::vector<double> values(50'000 * d);
        std::size_t place = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i % d == 0) place = random() % (noise.size() - d);
            values[i] = noise[place++] + (i % d < 40 ? 3 : 0);
        }
        return Cloud(name, std::move(values), d);
    };
    const Cloud x = cloud("x");
    const Cloud y = cloud("y");
    TestOptions options;
    options.permutations = 256;
    const TestResult result = test(x, y, options);
    EXPECT_EQ(result.permutations, 256U);
    EXPECT_LT(peak_memory(), 2.0 * 1024 * 1024 * 1024);
}

}  // namespace
}  // namespace wordbreadth
