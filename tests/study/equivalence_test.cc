// Equivalence: two one-sided tests on the effect, and how often clouds at the margin are wrongly called equivalent.
#include "wordbreadth/equivalence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "calibration/boundary.h"
#include "support/errors.h"

namespace wordbreadth {
namespace {

TestResult result_with(double effect, double error, double freedom, double p) {
    TestResult result;
    result.effect = result.T = effect;
    result.standard_error = error;
    result.degrees_of_freedom = freedom;
    result.p = p;
    return result;
}

TEST(Equivalence, IsTwoOneSidedTests) {
    // P(t < (0.02 - log 1.1) / 0.03) with 20 degrees of freedom, by numerical integration; 1.724718 is the 95%
    // quantile.
    const Equivalence found = equivalence(result_with(0.02, 0.03, 20, 0.5), 1.1);
    EXPECT_NEAR(found.p, 0.01038479444, 1e-9);
    EXPECT_NEAR(found.low, 0.02 - 1.724718 * 0.03, 1e-7);
    EXPECT_NEAR(found.high, 0.02 + 1.724718 * 0.03, 1e-7);
    EXPECT_EQ(found.answer, BreadthAnswer::equivalent);
    const Equivalence turned = equivalence(result_with(-0.02, 0.03, 20, 0.5), 1.1);
    EXPECT_DOUBLE_EQ(turned.p, found.p);
}

TEST(Equivalence, AgreesWithItsInterval) {
    for (const double effect : {-0.2, -0.05, 0.0, 0.03, 0.06, 0.09, 0.3})
        for (const double error : {0.005, 0.02, 0.05, 0.2}) {
            const Equivalence found = equivalence(result_with(effect, error, 12.5, 1), 1.1, 0.05);
            const bool inside = found.low > -std::log(1.1) && found.high < std::log(1.1);
            EXPECT_EQ(inside, found.p < 0.05) << effect << " " << error;
            EXPECT_EQ(inside, found.answer == BreadthAnswer::equivalent) << effect << " " << error;
        }
}

TEST(Equivalence, AnswersInOneOfFourWays) {
    const auto answer = [](double effect, double error, double p) {
        return equivalence(result_with(effect, error, 30, p), 1.1).answer;
    };
    EXPECT_EQ(answer(0.5, 0.1, 0.001), BreadthAnswer::broader);
    EXPECT_EQ(answer(-0.5, 0.1, 0.001), BreadthAnswer::narrower);
    EXPECT_EQ(answer(0.01, 0.01, 0.4), BreadthAnswer::equivalent);
    EXPECT_EQ(answer(0.03, 0.01, 0.001), BreadthAnswer::equivalent);  // broader, too, but by less than it takes
    EXPECT_EQ(answer(0.05, 0.1, 0.4), BreadthAnswer::undecided);
    EXPECT_EQ(answer(0.5, 0.1, 0.05), BreadthAnswer::broader);
}

TEST(Equivalence, FollowsTheSideThatWasAskedAbout) {
    TestResult result = result_with(-0.5, 0.1, 30, 0.001);
    result.alternative = Alternative::greater;
    EXPECT_EQ(equivalence(result, 1.1).answer, BreadthAnswer::broader);
    result.p = 1;
    EXPECT_EQ(equivalence(result, 1.1).answer, BreadthAnswer::undecided);
}

TEST(Equivalence, CannotBeShownWithoutAnInterval) {
    const Equivalence found = equivalence(result_with(0, std::nan(""), std::nan(""), 0.4), 1.1);
    EXPECT_TRUE(std::isnan(found.p));
    EXPECT_EQ(found.answer, BreadthAnswer::undecided);
}

TEST(Equivalence, RefusesMarginsThatMeanNothing) {
    const TestResult result = result_with(0, 0.1, 30, 0.4);
    for (const double ratio : {1.0, 0.9, -2.0, HUGE_VAL, std::nan("")})
        EXPECT_TRUE(contains(error_of([&] { (void)equivalence(result, ratio); }), "expected a number above 1"))
            << ratio;
    for (const double level : {0.0, 0.5, 1.0})
        EXPECT_TRUE(contains(error_of([&] { (void)equivalence(result, 1.1, level); }), "between 0 and 0.5")) << level;
}

// The long version, over more shapes and sizes, is tests/calibration/equivalence.cc.
TEST(Equivalence, IsWronglyDeclaredAtMostAtItsLevel) {
    for (const calibration::Boundary& boundary :
         {calibration::Boundary{80, 80}, calibration::Boundary{40, 160}, calibration::Boundary{120, 120, 3}}) {
        const calibration::BoundaryRates rates = calibration::rates_at(boundary, 1.1, 400, 7);
        EXPECT_LT(rates.wrong(), 0.05 + 3 * 0.011) << boundary.n << " " << boundary.m;
        EXPECT_GT(rates.right(), 0.3) << boundary.n << " " << boundary.m;  // or the former means nothing
    }
}

}  // namespace
}  // namespace wordbreadth
