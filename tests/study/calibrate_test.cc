#include "wordbreadth/calibrate.h"

#include <gtest/gtest.h>

#include "study/many_tests.h"
#include "study/many_words.h"
#include "support/array_testing.h"

namespace wordbreadth {
namespace {

class Calibrate : public ::testing::Test {
  protected:
    Calibrate() { write_many_words(folder_.path(), 40, 40, 0.3); }
    [[nodiscard]] Store store() const { return Store(folder_.path()); }
    TemporaryFolder folder_;
};

CalibrateOptions quick() {
    CalibrateOptions options;
    options.count = 150;
    options.permutations = 199;
    return options;
}

const NullRates& of(const Calibration& calibration, NullKind kind) {
    return *std::ranges::find(calibration.nulls, kind, &NullRates::kind);
}

TEST_F(Calibrate, SeesThatDirectionAloneMisleadsTheUnalignedTest) {
    const Calibration found = calibrate(store(), quick());
    const NullRates& turned = of(found, NullKind::turned_halves);
    const std::size_t none = 0, householder = 1, five_percent = 1;
    EXPECT_GT(turned.methods[none].rates[five_percent].value, 0.15);
    EXPECT_LT(turned.methods[householder].rates[five_percent].value, 0.12);
    EXPECT_FALSE(found.trusted[none]);
    EXPECT_TRUE(found.trusted[householder]);
    EXPECT_EQ(found.recommended, methods[householder]);
}

TEST_F(Calibrate, SizesItsPairsByTheClouds) {
    const Calibration found = calibrate(store(), quick());
    EXPECT_EQ(found.words, 40U);
    EXPECT_EQ(of(found, NullKind::split_halves).n, 20U);
    EXPECT_EQ(of(found, NullKind::unequal_halves).n, 8U);
    EXPECT_EQ(of(found, NullKind::unequal_halves).m, 32U);
    EXPECT_EQ(of(found, NullKind::split_halves).tests, 150U);
    EXPECT_EQ(of(found, NullKind::neighbours).tests, 39U);
}

TEST_F(Calibrate, StoppingEarlyChangesNoRate) {
    CalibrateOptions options = quick();
    options.count = 40;
    const Calibration stopped = calibrate(store(), options);
    options.adaptive = false;
    const Calibration complete = calibrate(store(), options);
    for (std::size_t i = 0; i < stopped.nulls.size(); ++i)
        for (std::size_t k = 0; k < methods.size(); ++k)
            for (std::size_t a = 0; a < options.alphas.size(); ++a)
                EXPECT_EQ(stopped.nulls[i].methods[k].rates[a].hits, complete.nulls[i].methods[k].rates[a].hits);
}

TEST_F(Calibrate, RefusesCloudsTooSmallToHalve) {
    TemporaryFolder small;
    write_many_words(small.path(), 5, 8);
    const Store few(small.path());
    EXPECT_NE(error_of([&] { (void)calibrate(few, quick()); }).find("no word has the 10 rows that calibration needs"),
              std::string::npos);
}

TEST(IsSurelyAbove, LeavesRoomForChance) {
    EXPECT_FALSE(is_surely_above(rate_of(65, 1000), 0.05));
    EXPECT_TRUE(is_surely_above(rate_of(90, 1000), 0.05));
}

TEST_F(Calibrate, SplitHalvesOfEveryWordAreUniform) {
    const SplitHalf found = study::split_half(store(), 40, 499, 0, {});
    EXPECT_EQ(found.words.size(), 40U);
    for (std::size_t k = 0; k < methods.size(); ++k) {
        EXPECT_EQ(found.greater[k].size(), 40U);
        EXPECT_GT(found.greater_uniformity[k].p, 0.001);
        EXPECT_GT(found.two_sided_uniformity[k].p, 0.001);
    }
}

}  // namespace
}  // namespace wordbreadth
