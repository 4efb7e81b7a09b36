// How often the number of modes is right, on clouds whose modes are known.
#include <gtest/gtest.h>

#include "calibration/mixed_clouds.h"

namespace wordbreadth {
namespace {

using calibration::MixedCloud;
using calibration::right;
using calibration::Shape;

std::size_t right_without_documents(const MixedCloud& mixed, std::size_t count) {
    std::vector<Cloud> clouds;
    for (const Cloud& cloud : calibration::clouds_of(mixed, count))
        clouds.emplace_back(cloud.name(), std::vector(cloud.unit_rows().begin(), cloud.unit_rows().end()),
                            cloud.dimension());
    return static_cast<std::size_t>(
        std::ranges::count_if(modes(clouds), [&](const Modes& found) { return found.modes.size() == mixed.modes(); }));
}

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

// Documents whose rows share a part of their variance. Row by row, one that has half of the rows looks like a mode.
TEST(ModeCounts, AreNotRaisedByRepetitionInDocuments) {
    const Shape shape{{{8, 0.4}, {55, 0.6}}, 0};
    std::vector<std::size_t> one_large(51, 1);
    one_large.front() = 50;
    const MixedCloud equal{"equal", 100, shape, 0.8, {1}, 0, {std::vector<std::size_t>(20, 5), 0.4}};
    const MixedCloud large{"large", 100, shape, 0.8, {1}, 0, {one_large, 0.7}};
    EXPECT_GE(right(equal, 20), 17U);
    EXPECT_GE(right(large, 20), 17U);
    EXPECT_LE(right_without_documents(large, 20), 10U);
    const MixedCloud two{"two", 60, shape, 0.8, {0.5, 0.5}, 60, {std::vector<std::size_t>(12, 5), 0.2, true}};
    EXPECT_GE(right(two, 20), 17U);
}

}  // namespace
}  // namespace wordbreadth
