// Intervals for ranks: what they say in clear cases, and that they cover the truth as often as they promise.
#include <gtest/gtest.h>

#include "calibration/ranked_clouds.h"
#include "support/errors.h"
#include "wordbreadth/rank.h"

namespace wordbreadth {
namespace {

using calibration::RankedCase;
using calibration::Truth;

TEST(RankIntervals, SeparateWhatIsFarApartAndNothingElse) {
    const std::vector<RankedEstimate> estimates = {{0.02, 0.1}, {9, 0.1}, {0, 0.1}, {9.1, 0.1}, {-0.05, 0.1}};
    const RankIntervals found = rank_intervals(estimates);
    EXPECT_EQ(found.groups, 2U);
    for (const std::size_t i : {0U, 2U, 4U}) {
        EXPECT_EQ(found.of[i].low, 3U);
        EXPECT_EQ(found.of[i].high, 5U);
        EXPECT_EQ(found.of[i].group, 2U);
    }
    for (const std::size_t i : {1U, 3U}) {
        EXPECT_EQ(found.of[i].low, 1U);
        EXPECT_EQ(found.of[i].high, 2U);
        EXPECT_EQ(found.of[i].group, 1U);
    }
}

TEST(RankIntervals, OfEquallyPreciseValuesUseTheStudentisedRange) {
    const std::vector<RankedEstimate> ten(10, {0, 0.1});
    EXPECT_NEAR(rank_intervals(ten).critical, 4.474 / std::sqrt(2.0), 0.12);  // Tukey's, at 0.05
    const std::vector<RankedEstimate> precise = {{0, 0.1}, {1, 0.1}};
    EXPECT_NEAR(rank_intervals(precise).critical, 1.645, 0.12);  // one direction is left after the first step
}

TEST(RankIntervals, WithFewDegreesOfFreedomAreWider) {
    std::vector<RankedEstimate> few, many;
    for (std::size_t i = 0; i < 20; ++i) {
        few.push_back({0.1 * static_cast<double>(i), 0.1, 3});
        many.push_back({0.1 * static_cast<double>(i), 0.1, 300});
    }
    const RankIntervals wide = rank_intervals(few), narrow = rank_intervals(many);
    EXPECT_GE(wide.of[10].high - wide.of[10].low, narrow.of[10].high - narrow.of[10].low + 4);
    EXPECT_LT(wide.groups, narrow.groups);
}

TEST(RankIntervals, LeaveRoomForValuesWithoutStandardError) {
    const std::vector<RankedEstimate> estimates = {{9, 0.1}, {5, NAN}, {0, 0.1}};
    const RankIntervals found = rank_intervals(estimates);
    EXPECT_EQ(found.of[0].low, 1U);
    EXPECT_EQ(found.of[0].high, 2U);
    EXPECT_EQ(found.of[1].low, 1U);
    EXPECT_EQ(found.of[1].high, 3U);
    EXPECT_EQ(found.of[2].low, 2U);
    EXPECT_EQ(found.of[2].high, 3U);
    EXPECT_EQ(found.of[1].group, 1U);
    EXPECT_EQ(found.groups, 2U);
}

TEST(RankIntervals, OfOneValueAloneAreNarrower) {
    std::vector<RankedEstimate> estimates;
    for (std::size_t i = 0; i < 100; ++i) estimates.push_back({0.01 * static_cast<double>(i), 0.05, 60});
    const RankIntervals found = rank_intervals(estimates);
    std::size_t narrower = 0;
    for (const RankInterval& ranks : found.of) {
        EXPECT_LE(ranks.low, ranks.marginal_low);
        EXPECT_GE(ranks.high, ranks.marginal_high);
        narrower += ranks.marginal_high - ranks.marginal_low < ranks.high - ranks.low ? 1 : 0;
    }
    EXPECT_EQ(narrower, 100U);
}

TEST(RankIntervals, OfOneValueAmongEquallyPreciseOnesUseDunnettsQuantile) {
    // Of ten values, those of the first against nine: told apart beyond 2.69 standard errors of a difference (Dunnett,
    // two-sided, 0.05, many degrees of freedom). 2.5 is not, 2.9 is, and all ten together would take 3.16.
    std::vector<RankedEstimate> estimates(10, {0, 0.1});
    estimates[0].value = 2.5 * 0.1 * std::sqrt(2.0);
    EXPECT_EQ(rank_intervals(estimates).of[0].marginal_high, 10U);
    estimates[0].value = 2.9 * 0.1 * std::sqrt(2.0);
    EXPECT_EQ(rank_intervals(estimates).of[0].marginal_high, 1U);
    EXPECT_EQ(rank_intervals(estimates).of[0].high, 10U);
}

TEST(RankIntervals, ContainTheRankOfTheEstimate) {
    std::mt19937_64 generator(3);
    const std::vector<RankedEstimate> estimates = calibration::draw({"", 80, Truth::steps, 3, 60, 5}, generator);
    const RankIntervals found = rank_intervals(estimates);
    for (std::size_t i = 0; i < estimates.size(); ++i) {
        std::size_t rank = 1;
        for (const RankedEstimate& other : estimates) rank += other.value > estimates[i].value ? 1 : 0;
        EXPECT_LE(found.of[i].marginal_low, rank);
        EXPECT_GE(found.of[i].marginal_high, rank);
    }
}

TEST(RankIntervals, DoNotDependOnTheNumberOfThreads) {
    std::mt19937_64 generator(5);
    const std::vector<RankedEstimate> estimates = calibration::draw({"", 60, Truth::steps, 3, 60, 5}, generator);
    RankIntervalOptions one, many;
    one.execution.threads = 1;
    many.execution.threads = 5;
    EXPECT_EQ(rank_intervals(estimates, one).critical, rank_intervals(estimates, many).critical);
    many.seed = 1;
    EXPECT_NE(rank_intervals(estimates, one).critical, rank_intervals(estimates, many).critical);
}

TEST(RankIntervals, OfNothingOrOneValueAreTrivial) {
    EXPECT_TRUE(rank_intervals({}).of.empty());
    const std::vector<RankedEstimate> one = {{1, 0.1, 5}};
    EXPECT_EQ(rank_intervals(one).of[0].high, 1U);
    EXPECT_EQ(rank_intervals(one).groups, 1U);
}

TEST(RankIntervals, SayWhatTheyCannotUse) {
    const std::vector<RankedEstimate> nan = {{1, 0.1}, {NAN, 0.1}}, none = {{1, 0.1, 0}};
    EXPECT_TRUE(error_of([&] { (void)rank_intervals(nan); }).starts_with("ranks: estimate 1 is nan"));
    EXPECT_TRUE(error_of([&] { (void)rank_intervals(none); }).find("at least 1") != std::string::npos);
    EXPECT_TRUE(error_of([&] { (void)rank_intervals({}, {.confidence = 1}); }).find("0.5 to 0.99") !=
                std::string::npos);
}

TEST(RankIntervals, StopWhenAsked) {
    std::stop_source source;
    source.request_stop();
    RankIntervalOptions options;
    options.execution.stop = source.get_token();
    const std::vector<RankedEstimate> two(2, {0, 0.1});
    EXPECT_THROW((void)rank_intervals(two, options), Cancelled);
}

// The long version is tests/calibration/rank_intervals.cc. Three and a half simulation errors on either side.
TEST(RankIntervals, CoverAllTrueRanksAsOftenAsTheyPromise) {
    constexpr std::uint64_t trials = 200;
    const double error = 3.5 * std::sqrt(0.95 * 0.05 / trials);
    const auto coverage = [&](const RankedCase& of) {
        const auto covering = calibration::covering_trials(of, trials, 11);
        for (const std::uint64_t alone : covering.alone) {
            EXPECT_GT(static_cast<double>(alone), trials * (0.95 - error)) << of.name;
            const double most = of.truth == Truth::equal ? 0.95 + error : 1;
            EXPECT_LE(static_cast<double>(alone), trials * most) << of.name;
        }
        return static_cast<double>(covering.all) / static_cast<double>(trials);
    };
    const double equal = coverage({"equal", 15, Truth::equal, 3, 60, 5});
    EXPECT_GT(equal, 0.95 - error);
    EXPECT_LT(equal, 0.95 + error);  // not needlessly wide either
    EXPECT_GT(coverage({"steps", 20, Truth::steps, 3, 60, 5}), 0.95 - error);
    EXPECT_GT(coverage({"clouds", 8, Truth::equal, 19, 39, 1, true}), 0.95 - error);
}

}  // namespace
}  // namespace wordbreadth
