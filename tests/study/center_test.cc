// Words beyond the median: the test of `compare --center median` on clouds whose truth is known.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "calibration/shifted.h"
#include "study/many_tests.h"
#include "support/two_stores.h"

namespace wordbreadth {
namespace {

// Values of a normal distribution, sorted.
std::vector<double> sorted_normals(std::size_t n, std::mt19937& random) {
    std::normal_distribution<double> normal;
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(normal(random));
    std::ranges::sort(values);
    return values;
}

// The error that is estimated, in the mean, is the spread of the medians.
TEST(Median, HasAStandardErrorAtEverySize) {
    std::mt19937 random(1);
    constexpr int trials = 2000;
    for (const std::size_t n : {3U, 8U, 25U, 120U, 600U}) {
        double squares = 0, estimated = 0;
        for (int trial = 0; trial < trials; ++trial) {
            const std::vector<double> values = sorted_normals(n, random);
            const double median = study::median(values), error = study::standard_error_of_median(values);
            squares += median * median;
            estimated += error * error;
        }
        const double ratio = std::sqrt(estimated / squares);
        EXPECT_GT(ratio, 0.9) << n;  // 2,000 trials: a standard error of 0.02
        EXPECT_LT(ratio, 1.35) << n;
    }
    EXPECT_EQ(study::standard_error_of_median(std::vector<double>{3.0}), 0);
}

// 40 of 60 words share one shift: their rejections are false. 25 comparisons: the standard error of the rate is 0.007.
TEST(Centered, HoldsItsLevelWhereAllWordsAreBroader) {
    const calibration::ShiftedRates found = calibration::shifted_rates({.comparisons = 25, .seed = 3});
    EXPECT_NEAR(found.false_positives.value, 0.05, 0.02);
    EXPECT_GT(found.against_equality.value, 0.5);  // the shift itself, which every word has
    EXPECT_GT(found.detected.value, 0.6);          // what is beyond it
}

class CenteredComparison : public ::testing::Test {
  protected:
    [[nodiscard]] Comparison compared() const {
        WordStudyOptions options{.test = options_of_many_tests(Alternative::two_sided)};
        options.test.permutations = 500;
        return compare(Store(stores_.a()), Store(stores_.b()), options);
    }

    TwoStores stores_{5};
};

TEST_F(CenteredComparison, IsTheEffectLessTheMedian) {
    const Comparison found = compared();
    std::vector<double> effects, centered;
    for (const ComparedWord& word : found.words) {
        effects.push_back(word.test.effect);
        centered.push_back(word.centered.effect);
        EXPECT_GE(word.centered.standard_error, word.test.standard_error);
        EXPECT_GE(word.centered.q, word.centered.p);
    }
    EXPECT_EQ(found.median_effect, study::median(effects));
    EXPECT_NEAR(study::median(centered), 0, 1e-12);
}

TEST_F(CenteredComparison, OrdersWordsByItsOwnEvidence) {
    const Comparison found = compared();
    const std::vector<std::size_t> raw = order_of(found, Center::none), order = order_of(found, Center::median);
    for (std::size_t i = 0; i < raw.size(); ++i) EXPECT_EQ(raw[i], i);
    for (std::size_t i = 1; i < order.size(); ++i)
        EXPECT_LE(found.words[order[i - 1]].centered.q, found.words[order[i]].centered.q);
}

TEST_F(CenteredComparison, AWordWithoutAStandardErrorHasNoP) {
    Comparison made = compared();
    made.words[0].test.standard_error = NAN;
    made.words[1].test.effect = NAN;
    made.words[0].centered = made.words[1].centered = {};
    study::center(made);
    EXPECT_TRUE(std::isnan(made.words[0].centered.p));
    EXPECT_FALSE(std::isnan(made.words[0].centered.effect));
    EXPECT_TRUE(std::isnan(made.words[1].centered.effect));
    EXPECT_FALSE(std::isnan(made.words[2].centered.p));
    EXPECT_EQ(order_of(made, Center::median).front(), 2U);
}

}  // namespace
}  // namespace wordbreadth
