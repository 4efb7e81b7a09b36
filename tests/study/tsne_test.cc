#include "study/many_tests.h"

#include <gtest/gtest.h>

#include <cmath>

#include "study/random_clouds.h"

namespace wordbreadth {
namespace {

// Two groups of 15 points far from each other.
std::vector<double> two_groups() {
    std::vector<double> values = testing::random_values({.n = 15, .d = 8, .noise = 0.2, .axis = 0}, 1);
    const std::vector<double> more = testing::random_values({.n = 15, .d = 8, .noise = 0.2, .axis = 5}, 2);
    values.insert(values.end(), more.begin(), more.end());
    return values;
}

double distance(const PlanePoint& a, const PlanePoint& b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

TEST(Tsne, KeepsNeighboursTogether) {
    const std::vector<PlanePoint> points = study::tsne(two_groups(), 8, {.perplexity = 8, .steps = 500});
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::size_t nearest = i == 0 ? 1 : 0;
        for (std::size_t j = 0; j < points.size(); ++j)
            if (j != i && distance(points[i], points[j]) < distance(points[i], points[nearest])) nearest = j;
        EXPECT_EQ(i < 15, nearest < 15) << i;
    }
}

TEST(Tsne, IsRepeatable) {
    const auto first = study::tsne(two_groups(), 8, {.steps = 50, .seed = 4}),
               again = study::tsne(two_groups(), 8, {.steps = 50, .seed = 4});
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].x, again[i].x);
    EXPECT_NE(first[0].x, study::tsne(two_groups(), 8, {.steps = 50, .seed = 5})[0].x);
}

TEST(Tsne, TakesPointsThatAreEqual) {
    const std::vector<double> values(6 * 3, 0.5);
    for (const PlanePoint& point : study::tsne(values, 3, {.steps = 60})) EXPECT_TRUE(std::isfinite(point.x));
}

}  // namespace
}  // namespace wordbreadth
