#include "wordbreadth/rates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace wordbreadth {
namespace {

TEST(Uniformity, MeasuresTheLargestDistance) {
    const Uniformity found = uniformity({0.95, 0.05, 0.1, 0.12, 0.3, 0.33, 0.41, 0.48, 0.55, 0.9});
    EXPECT_EQ(found.n, 10U);
    EXPECT_NEAR(found.distance, 0.25, 1e-12);  // below 0.55 lie 8 of 10
}

// The distance that 5% of uniform samples of 20 exceed is 0.29408 in every book's table.
TEST(Uniformity, AgreesWithTheTables) {
    std::vector<double> values;
    for (int i = 0; i < 20; ++i) values.push_back(std::max(0.0, (i + 1) / 20.0 - 0.29408));
    EXPECT_NEAR(uniformity(values).distance, 0.29408, 1e-12);
    EXPECT_NEAR(uniformity(values).p, 0.05, 0.002);
}

TEST(Uniformity, OfAnEvenGridIsCertain) {
    std::vector<double> grid;
    for (int i = 0; i < 500; ++i) grid.push_back((i + 0.5) / 500);
    EXPECT_NEAR(uniformity(grid).distance, 0.001, 1e-12);
    EXPECT_GT(uniformity(grid).p, 0.999);
}

TEST(Uniformity, OfCrowdedValuesIsRefuted) {
    std::vector<double> crowded;
    for (int i = 0; i < 500; ++i) crowded.push_back(std::pow((i + 0.5) / 500, 1.3));
    EXPECT_LT(uniformity(crowded).p, 0.01);
}

TEST(Uniformity, LeavesOutWhatIsNoNumber) {
    EXPECT_EQ(uniformity({0.5, NAN}).n, 1U);
    EXPECT_TRUE(std::isnan(uniformity({NAN}).p));
}

}  // namespace
}  // namespace wordbreadth
