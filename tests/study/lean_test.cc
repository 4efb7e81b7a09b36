// What a run takes of the machine's memory.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "arrays/safetensors.h"
#include "study/random_clouds.h"
#include "support/memory.h"
#include "support/temporary.h"
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

// Float32 values that differ from row to row.
class Noise {
  public:
    Noise() : values_(1 << 20) {
        std::mt19937_64 random(5);
        std::normal_distribution<float> normal;
        for (float& value : values_) value = normal(random);
    }

    [[nodiscard]] std::vector<float> cloud(std::size_t n, std::size_t d, std::size_t seed) const {
        std::mt19937_64 random(seed);
        std::vector<float> cloud;
        for (std::size_t i = 0; i < n; ++i) {
            const auto from = values_.begin() + static_cast<std::ptrdiff_t>(random() % (values_.size() - d));
            cloud.insert(cloud.end(), from, from + static_cast<std::ptrdiff_t>(d));
            cloud[i * d] += 20;
        }
        return cloud;
    }

  private:
    std::vector<float> values_;
};

TEST(Large, PairsOfAFileNeedHalfAsMuchMemoryAgainAsTheirClouds) {
    constexpr std::size_t count = 250, n = 200, d = 1024;
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/clouds.safetensors";
    {
        const Noise noise;
        std::vector<arrays::MatrixShape> shapes;
        for (std::size_t i = 0; i < count; ++i) shapes.push_back({"c" + std::to_string(i), n, d});
        base::OutputFile file(path);
        std::vector<float> cloud;
        arrays::write_safetensors(file, shapes, {},
                                  [&](std::size_t i) { return std::span<const float>(cloud = noise.cloud(n, d, i)); });
        file.keep();
    }
    const CloudSource source(path);
    std::vector<NamedCloud> clouds = source.read(source.names(), {}, {});
    std::vector<std::uint64_t> labels(n);
    std::iota(labels.begin(), labels.end(), std::uint64_t{0});
    for (NamedCloud& named : clouds) named.cloud->set_blocks(labels);
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < count; ++i) pairs.push_back({i, (i + 1) % count});
    for (const Statistic statistic : {Statistic::plain, Statistic::robust, Statistic::blocks}) {
        TestOptions options;
        options.execution.device = "cpu";
        options.permutations = 64;
        options.statistic = statistic;
        EXPECT_EQ(test_named_pairs(clouds, pairs, options).back().permutations, 64U);
    }
    const double stored = count * n * d * sizeof(float);
    EXPECT_LT(peak_memory(), 1.5 * stored + 200.0 * 1024 * 1024);
}

}  // namespace
}  // namespace wordbreadth
