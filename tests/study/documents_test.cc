// Documents as blocks, the interval of the effect and the occurrences that are needed, on simulated clouds whose truth
// is known: short versions of tests/calibration/documents.cc, at fixed seeds.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "calibration/document_clouds.h"
#include "study/needed.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth {
namespace {

constexpr std::size_t d = 48;
constexpr double alike = 0.5;

TestResult tested(const Cloud& x, const Cloud& y, Statistic statistic, std::uint64_t permutations,
                  std::uint64_t seed = 0) {
    TestOptions options;
    options.statistic = statistic;
    options.permutations = permutations;
    options.seed = seed;
    options.execution.threads = 1;
    return test(x, y, options);
}

int count(int trials, const std::function<bool(std::mt19937_64&)>& holds) {
    std::mt19937_64 random(11);
    int hits = 0;
    for (int trial = 0; trial < trials; ++trial) hits += holds(random) ? 1 : 0;
    return hits;
}

// At 5% a sound test rejects 10 of 200, and 20 or more once in 400 times.
TEST(Documents, AsBlocksKeepTheLevelWhereverTheyLie) {
    const calibration::DocumentClouds clouds(calibration::word_like(d), 0.6, alike);
    int by_rows = 0;
    for (const calibration::Structure& structure : calibration::structures()) {
        const int by_blocks = count(200, [&](std::mt19937_64& random) {
            const Cloud x = clouds.draw(structure.x, false, random), y = clouds.draw(structure.y, true, random);
            by_rows += tested(x, y, Statistic::robust, 99, random()).p <= 0.05 ? 1 : 0;
            return tested(x, y, Statistic::blocks, 99, random()).p <= 0.05;
        });
        EXPECT_LE(by_blocks, 20) << structure.name;
    }
    EXPECT_GE(by_rows, 200);  // of 800: a quarter
}

// Of 300 intervals 285 are to cover the truth: within 4 standard errors.
TEST(Documents, IntervalsCoverTheRatioForEverySizeWithAndWithoutBlocks) {
    for (const bool blocks : {false, true})
        for (const std::size_t n : {5, 10, 20, 50}) {
            const double part = blocks ? alike : 0;
            const calibration::DocumentClouds broad(calibration::word_like(d), calibration::broader_r(0.6, 1.5, d),
                                                    part);
            const calibration::DocumentClouds narrow(calibration::word_like(d), 0.6, part);
            const auto sizes = [&](std::size_t of) {
                return blocks ? calibration::unlike_documents(of) : calibration::documents(of, 1);
            };
            const int covered = count(300, [&](std::mt19937_64& random) {
                const TestResult found =
                    tested(broad.draw(sizes(n), false, random), narrow.draw(sizes(100 - n), true, random),
                           blocks ? Statistic::blocks : Statistic::robust, 1);
                return found.ci_low <= std::log(1.5) && std::log(1.5) <= found.ci_high;
            });
            EXPECT_NEAR(covered, 285, 15) << n << (blocks ? " documents" : " rows");
        }
}

TEST(NeededRows, GiveThePowerThatIsWanted) {
    std::mt19937_64 random(5);
    const calibration::DocumentClouds narrow(calibration::word_like(d), 0.6, alike);
    std::vector<Breadth> whole, parts;
    for (int i = 0; i < 60; ++i) {
        whole.push_back(breadth(narrow.draw(calibration::unlike_documents(40), false, random)));
        parts.push_back(breadth(narrow.draw(calibration::unlike_documents(10), false, random)));
    }
    const NeededSizes sizes = study::needed_sizes(whole, parts, 0.05, 0.8);
    ASSERT_EQ(sizes.ratios.size(), 3U);
    EXPECT_GT(sizes.design_effect, 1);
    const NeededRows& needed = sizes.ratios[1];
    EXPECT_EQ(needed.ratio, 1.2);
    EXPECT_NEAR(needed.documents / needed.rows, 0.4, 0.02);
    const calibration::DocumentClouds broad(calibration::word_like(d), calibration::broader_r(0.6, 1.2, d), alike);
    const auto each = calibration::unlike_documents(static_cast<std::size_t>(needed.documents));
    const int found = count(200, [&](std::mt19937_64& generator) {
        return tested(broad.draw(each, false, generator), narrow.draw(each, true, generator), Statistic::blocks, 199,
                      generator())
                   .p <= 0.05;
    });
    EXPECT_NEAR(found, 160, 20);
}

TEST(NeededRows, GrowWithTheVarianceAndFallWithTheRatio) {
    const double few = study::needed_rows({1, 0}, 1, 1.5, 0.05, 0.8),
                 many = study::needed_rows({2, 0}, 1, 1.5, 0.05, 0.8);
    EXPECT_NEAR(many / few, 2, 0.05);
    EXPECT_GT(study::needed_rows({1, 30}, 1, 1.5, 0.05, 0.8), few);
    // Against the normal quantiles, which a large number of rows comes to: 2 (1.960 + 0.842)^2 / log(1.1)^2.
    EXPECT_NEAR(study::needed_rows({1, 0}, 1, 1.1, 0.05, 0.8), 1728, 8);
    EXPECT_TRUE(study::needed_sizes({}, {}, 0.05, 0.8).ratios.empty());
}

}  // namespace
}  // namespace wordbreadth
