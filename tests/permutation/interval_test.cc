#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth {
namespace {

TestResult result(double standard_error, double freedom) {
    TestResult found;
    found.effect = 0.5;
    found.standard_error = standard_error;
    found.degrees_of_freedom = freedom;
    return found;
}

TEST(ConfidenceInterval, IsThatOfStudentsDistribution) {
    const Interval found = confidence_interval(result(0.1, 10), 0.95);  // R: qt(0.975, 10) is 2.228138852
    EXPECT_NEAR(found.low, 0.5 - 0.2228138852, 1e-10);
    EXPECT_NEAR(found.high, 0.5 + 0.2228138852, 1e-10);
}

TEST(ConfidenceInterval, IsMissingWithoutAStandardError) {
    EXPECT_TRUE(std::isnan(confidence_interval(result(NAN, NAN), 0.95).low));
    EXPECT_TRUE(std::isnan(confidence_interval(result(0, 10), 0.95).high));
}

TEST(ConfidenceInterval, RefusesWhatIsNoConfidence) {
    for (const double wrong : {0.0, 1.0, -0.5, 95.0, std::nan("")})
        EXPECT_EQ(error_of([&] { (void)confidence_interval(result(0.1, 10), wrong); }).substr(0, 13), "confidence = ");
}

}  // namespace
}  // namespace wordbreadth
