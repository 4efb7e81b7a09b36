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

// mpmath: betainc(f / 2, 1 / 2, 0, f / (f + t^2), regularized=True) / 2, 40 digits.
TEST(Student, DistributionFunctionIsAccurateInTheTails) {
    struct Value {
        double t, freedom, p;
    };
    const Value values[] = {
        {-0.125, 0.75, 0.46279101498075294},     {-1, 0.75, 0.27009658466002448},
        {-2.5, 0.75, 0.15193910297604915},       {-8, 0.75, 0.065079686152061654},
        {-0.125, 1, 0.46041657583943446},        {-1, 1, 0.25},
        {-2.5, 1, 0.1211189415908434},           {-8, 1, 0.039583424160565542},
        {-0.125, 3.5, 0.45368337950078234},      {-1, 3.5, 0.19066862678172277},
        {-2.5, 3.5, 0.03784732190474504},        {-8, 3.5, 0.0011386632223602398},
        {-0.125, 12, 0.45129659791240003},       {-1, 12, 0.16852452897679224},
        {-2.5, 12, 0.013957699785662627},        {-8, 12, 1.8799491123751286e-6},
        {-0.125, 185.25, 0.45032954619586506},   {-1, 185.25, 0.15930746414719411},
        {-2.5, 185.25, 0.0066439956026740865},   {-8, 185.25, 6.5761306860187726e-14},
        {-0.125, 6695.875, 0.45026365139528343}, {-1, 6695.875, 0.15867332189792698},
        {-2.5, 6695.875, 0.0062215314458945669}, {-8, 6695.875, 7.2762086964743119e-16},
        {-0.125, 100000, 0.45026190080180674},   {-1, 100000, 0.15865646378205501},
        {-2.5, 100000, 0.0062104595962795227},   {-8, 100000, 6.2869599381281868e-16},
    };
    for (const auto& [t, freedom, p] : values) {
        // The logarithms of the gamma function, as large as the degrees of freedom, cancel.
        const double tolerance = 2e-14 + 4e-15 * freedom;
        EXPECT_NEAR(student_cdf(t, freedom) / p, 1, tolerance) << t << ", " << freedom;
        EXPECT_NEAR(student_cdf(-t, freedom), 1 - p, tolerance) << -t << ", " << freedom;
    }
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
