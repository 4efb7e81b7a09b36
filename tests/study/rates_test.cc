#include "wordbreadth/rates.h"

#include <gtest/gtest.h>

namespace wordbreadth {
namespace {

TEST(Rates, HaveWilsonsInterval) {
    const Rate rate = rate_of(8, 300);
    EXPECT_DOUBLE_EQ(rate.value, 8.0 / 300);
    EXPECT_NEAR(rate.low, 0.0135731, 5e-7);
    EXPECT_NEAR(rate.high, 0.0517289, 5e-7);
}

TEST(Rates, AtTheEndsStayWithinZeroAndOne) {
    EXPECT_EQ(rate_of(0, 50).low, 0);
    EXPECT_GT(rate_of(0, 50).high, 0.05);
    EXPECT_EQ(rate_of(50, 50).high, 1);
    EXPECT_LT(rate_of(50, 50).low, 0.95);
}

TEST(Rates, OfNothingAreNoNumbers) {
    EXPECT_TRUE(std::isnan(rate_of(0, 0).value));
    EXPECT_TRUE(std::isnan(rate_of(0, 0).high));
}

TEST(Rates, WidenWithTheConfidence) {
    EXPECT_LT(rate_of(8, 300, 0.999).low, rate_of(8, 300).low);
    EXPECT_GT(rate_of(8, 300, 0.999).high, rate_of(8, 300).high);
}

}  // namespace
}  // namespace wordbreadth
