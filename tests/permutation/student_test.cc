#include "permutation/distributions.h"

#include <gtest/gtest.h>

namespace wordbreadth::permutation {
namespace {

// R: qt(p, df), 12 digits.
TEST(Student, QuantilesAreThoseOfTheTables) {
    EXPECT_NEAR(student_quantile(0.975, 1), 12.7062047362, 1e-8);
    EXPECT_NEAR(student_quantile(0.975, 2), 4.30265272975, 1e-9);
    EXPECT_NEAR(student_quantile(0.975, 10), 2.22813885196, 1e-10);
    EXPECT_NEAR(student_quantile(0.95, 30), 1.69726088659, 1e-10);
    EXPECT_NEAR(student_quantile(0.5, 7), 0, 1e-7);
}

TEST(Student, ManyDegreesOfFreedomAreNormal) {
    EXPECT_NEAR(student_quantile(0.975, 1e7), normal_quantile(0.975), 1e-6);
}

TEST(Student, QuantileInvertsTheDistributionFunction) {
    for (const double freedom : {0.7, 1.0, 3.3, 12.0, 250.0})
        for (const double p : {0.001, 0.2, 0.6, 0.999})
            EXPECT_NEAR(student_cdf(student_quantile(p, freedom), freedom), p, 1e-12) << freedom << " " << p;
}

}  // namespace
}  // namespace wordbreadth::permutation
