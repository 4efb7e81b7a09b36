// How often the number of modes is right, on clouds whose modes are known.
#include <gtest/gtest.h>

#include "calibration/mixed_clouds.h"

namespace wordbreadth {
namespace {

using calibration::right;
using calibration::Shape;

const Shape stretched{{{4, 0.6}, {59, 0.4}}, 0};

// 20 clouds each. Of 20 that are right in 95% of cases, 16 or fewer are right once in 60 times; the seed is fixed, and
// tests/calibration/mode_counts.cc has many more.
TEST(ModeCounts, AreOneInStretchedAndHeavyTailedClouds) {
    Shape heavy = stretched;
    heavy.tail = 0.6;
    for (const std::size_t n : {40, 100}) {
        EXPECT_GE(right({"stretched", n, stretched, 0.6, {1}}, 20), 17U) << n;
        EXPECT_GE(right({"stretched, heavy tails", n, heavy, 0.6, {1}}, 20), 17U) << n;
    }
}

TEST(ModeCounts, AreRightWhereTheyAreWellSeparated) {
    const Shape mild{{{4, 0.3}, {59, 0.7}}, 0};
    for (const std::vector<double>& shares : {std::vector{0.5, 0.5}, {0.8, 0.2}, {0.34, 0.33, 0.33}})
        EXPECT_GE(right({"separated", 60, mild, 0.7, shares, 75}, 20), 17U) << shares.front();
}

}  // namespace
}  // namespace wordbreadth
