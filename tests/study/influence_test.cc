#include "wordbreadth/concordance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "study/random_clouds.h"
#include "wordbreadth/breadth.h"

namespace wordbreadth {
namespace {

// By taking the row out and measuring what is left.
double naive_influence(const Cloud& cloud, std::size_t row) {
    std::vector<double> others;
    for (std::size_t i = 0; i < cloud.size(); ++i)
        if (i != row) others.insert(others.end(), cloud.row(i).begin(), cloud.row(i).end());
    return std::log(breadth(cloud).v) - std::log(breadth(Cloud("others", others, cloud.dimension())).v);
}

TEST(Influence, IsTheFallOfLogVWithoutTheRow) {
    const Cloud cloud = testing::random_cloud("x", {.n = 17, .d = 9}, 3);
    const std::vector<double> found = influences(cloud);
    ASSERT_EQ(found.size(), 17U);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], naive_influence(cloud, i), 1e-11) << i;
}

TEST(Influence, OfAStrayRowIsTheLargest) {
    std::vector<double> values = testing::random_values({.n = 10, .d = 5, .noise = 0.2}, 1);
    for (std::size_t k = 0; k < 5; ++k) values[15 + k] *= -1;
    const std::vector<double> found = influences(Cloud("x", values, 5));
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (i != 3) {
            EXPECT_LT(found[i], found[3]);
        }
    }
    EXPECT_GT(found[3], 0);
}

TEST(Influence, IsInfiniteWhereTheOthersAreAlike) {
    const std::vector<double> found = influences(Cloud("x", {1, 0, 1, 0, 0, 1}, 2));
    EXPECT_EQ(found[2], HUGE_VAL);
    EXPECT_TRUE(std::isfinite(found[0]));
}

}  // namespace
}  // namespace wordbreadth
