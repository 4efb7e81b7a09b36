// Clouds at random, and the GPU's results beside those of the CPU engine, which is held to the definition.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "wordbreadth/wordbreadth.h"

namespace wordbreadth {

inline Cloud random_cloud(const std::string& name, std::size_t n, std::size_t d, double noise, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> mean(d);
    for (double& value : mean) value = normal(random);
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < d; ++k) values.push_back(mean[k] + noise * normal(random));
    return {name, std::move(values), d};
}

inline std::vector<Cloud> random_clouds(std::size_t count, std::size_t n, std::size_t d) {
    std::vector<Cloud> clouds;
    for (std::size_t k = 0; k < count; ++k)
        clouds.push_back(random_cloud("w" + std::to_string(k), n, d, 1 + 0.01 * static_cast<double>(k % 5),
                                      static_cast<unsigned>(k)));
    return clouds;
}

inline std::vector<Pair> all_pairs(std::size_t clouds) {
    std::vector<Pair> pairs;
    for (std::size_t x = 0; x < clouds; ++x)
        for (std::size_t y = x + 1; y < clouds; ++y) pairs.push_back({x, y});
    return pairs;
}

inline std::vector<TestResult> results_on(const std::string& device, const std::vector<Cloud>& clouds,
                                          const std::vector<Pair>& pairs, TestOptions options) {
    options.execution.device = device;
    return test_pairs(clouds, pairs, options);
}

inline void expect_equal(const std::vector<TestResult>& cuda, const std::vector<TestResult>& cpu) {
    ASSERT_EQ(cuda.size(), cpu.size());
    for (std::size_t k = 0; k < cpu.size(); ++k) {
        EXPECT_EQ(cuda[k].undefined, cpu[k].undefined) << "pair " << k;
        if (!cpu[k].undefined.empty()) continue;
        EXPECT_EQ(cuda[k].exceedances, cpu[k].exceedances) << "pair " << k;
        EXPECT_EQ(cuda[k].permutations, cpu[k].permutations) << "pair " << k;
        EXPECT_EQ(cuda[k].stopped_early, cpu[k].stopped_early) << "pair " << k;
        EXPECT_EQ(cuda[k].exact, cpu[k].exact) << "pair " << k;
        EXPECT_EQ(cuda[k].p, cpu[k].p) << "pair " << k;
    }
}

inline void expect_same(const std::vector<Cloud>& clouds, const std::vector<Pair>& pairs, const TestOptions& options) {
    expect_equal(results_on("cuda", clouds, pairs, options), results_on("cpu", clouds, pairs, options));
}

}  // namespace wordbreadth
