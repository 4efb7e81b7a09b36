#include "permutation/tail.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <span>

namespace wordbreadth::permutation {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

std::vector<double> random_values(std::size_t count) {
    std::mt19937_64 generator(11);
    std::vector<double> values(count);
    for (double& value : values) value = static_cast<double>(generator() % 500) / 7;  // with ties
    return values;
}

std::vector<double> largest(std::vector<double> values, std::size_t count) {
    std::sort(values.begin(), values.end(), std::greater<>());
    values.resize(std::min(values.size(), count));
    return values;
}

TopValues collected(std::span<const double> values, std::size_t capacity) {
    TopValues top(capacity);
    for (const double value : values) top.add(value);
    return top;
}

TEST(TopValues, AreThoseOfASort) {
    for (const std::size_t count : {0, 1, 6, 7, 8, 1000}) {
        const auto values = random_values(count);
        EXPECT_EQ(collected(values, 7).descending(), largest(values, 7)) << count << " values";
    }
}

TEST(TopValues, DoNotDependOnTheOrderInWhichTheyCame) {
    auto values = random_values(400);
    const auto expected = collected(values, 33).descending();
    for (unsigned seed = 1; seed <= 5; ++seed) {
        std::shuffle(values.begin(), values.end(), std::mt19937_64(seed));
        EXPECT_EQ(collected(values, 33).descending(), expected);
    }
}

TEST(TopValues, MergedInAnyOrderAreThoseOfOneStream) {
    const auto values = random_values(300);
    const std::span<const double> all(values);
    const auto expected = largest(values, 20);
    for (const std::size_t cut : {0, 1, 10, 150, 299, 300}) {
        const TopValues first = collected(all.first(cut), 20);
        const TopValues second = collected(all.subspan(cut), 20);
        TopValues forward = first;
        forward.merge(second);
        TopValues backward = second;
        backward.merge(first);
        EXPECT_EQ(forward.descending(), expected);
        EXPECT_EQ(backward.descending(), expected);
    }
}

TEST(TopValues, KeepNanAsInfinity) {
    const std::vector values{1.0, std::nan(""), -inf, inf, 2.0};
    EXPECT_EQ(collected(values, 3).descending(), (std::vector{inf, inf, 2.0}));
}

TEST(TopValues, OfCapacityNoneKeepNothing) {
    EXPECT_TRUE(collected(random_values(9), 0).descending().empty());
}

}  // namespace
}  // namespace wordbreadth::permutation
