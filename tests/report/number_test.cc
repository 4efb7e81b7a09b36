#include "report/table/text.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace wordbreadth::report {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Number, ShortestReadsBackAsTheSameDouble) {
    for (const double value : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, 4.999750012499375e-05}) {
        const std::string text = shortest(value);
        double back = 0;
        std::from_chars(text.data(), text.data() + text.size(), back);
        EXPECT_EQ(back, value) << text;
    }
    EXPECT_EQ(shortest(0.1), "0.1");
    EXPECT_EQ(shortest(-std::nan("")), "nan");
    EXPECT_EQ(shortest(-infinity), "-inf");
}

TEST(Number, SignificantKeepsTrailingZeros) {
    EXPECT_EQ(significant(1.1, 3), "1.10");
    EXPECT_EQ(significant(0.003123, 3), "0.00312");
    EXPECT_EQ(significant(-0.25, 3), "-0.250");
    EXPECT_EQ(significant(12345, 3), "12345");
    EXPECT_EQ(significant(0, 3), "0.00");
}

TEST(Number, SignificantTurnsToPowersOfTenWherePlainDigitsAreLong) {
    EXPECT_EQ(significant(3.14e-7, 2), "3.1e-07");
    EXPECT_EQ(significant(3.14e9, 2), "3.1e+09");
}

TEST(Number, IsADashWhereThereIsNone) {
    EXPECT_EQ(significant(std::nan(""), 3), "-");
    EXPECT_EQ(fixed(infinity, 3), "-");
    EXPECT_EQ(p_column(std::nan("")), "-");
    EXPECT_EQ(p_value(std::nan("")), "-");
}

TEST(Number, FixedHoldsTheLargestDouble) {
    EXPECT_EQ(fixed(1.7976931348623157e308, 5).size(), 309U + 6U);
}

TEST(Number, PValuesAreNeverRoundedToZero) {
    EXPECT_EQ(p_value(8.0 / 20001), "0.0004");
    EXPECT_EQ(p_value(1.0 / 20001), "5e-05");
    EXPECT_EQ(p_value(1), "1");
    EXPECT_EQ(p_column(8.0 / 20001), "0.00040");
    EXPECT_EQ(p_column(1.0 / 20001), "5.0e-05");
    EXPECT_EQ(p_column(1e-300), "1.0e-300");
}

TEST(Number, CountHasThousandsSeparators) {
    EXPECT_EQ(count(0), "0");
    EXPECT_EQ(count(999), "999");
    EXPECT_EQ(count(1000), "1,000");
    EXPECT_EQ(count(20000), "20,000");
    EXPECT_EQ(count(18446744073709551615U), "18,446,744,073,709,551,615");
}

TEST(Number, PercentDropsWhatIsOnlyRounding) {
    EXPECT_EQ(percent(0.95), "95%");
    EXPECT_EQ(percent(1 - 0.95), "5%");
    EXPECT_EQ(percent(0.999), "99.9%");
}

TEST(Number, DurationTakesTheUnitThatFits) {
    EXPECT_EQ(duration(0.0026), "2.6 ms");
    EXPECT_EQ(duration(0.123), "0.12 s");
    EXPECT_EQ(duration(42.4), "42 s");
    EXPECT_EQ(duration(59.7), "1 min 0 s");
    EXPECT_EQ(duration(200), "3 min 20 s");
    EXPECT_EQ(duration(7500), "2 h 5 min");
}

TEST(TimeLeft, IsNeverGivenInMilliseconds) {
    EXPECT_EQ(time_left(0), "less than a second left");
    EXPECT_EQ(time_left(0.9), "less than a second left");
    EXPECT_EQ(time_left(75), "1 min 15 s left");
}

}  // namespace
}  // namespace wordbreadth::report
