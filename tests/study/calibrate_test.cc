#include "wordbreadth/calibrate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "study/many_tests.h"
#include "study/many_words.h"
#include "support/array_testing.h"
#include "support/errors.h"

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
    EXPECT_FALSE(found.judged[none].keeps_its_level);
    EXPECT_TRUE(found.judged[householder].keeps_its_level);
    EXPECT_EQ(found.recommended, methods[householder]);
}

TEST_F(Calibrate, WantsLevelsAndTests) {
    CalibrateOptions options = quick();
    options.alphas.clear();
    EXPECT_NE(error_of([&] { (void)calibrate(store(), options); }).find("alpha: there is none"), std::string::npos);
    for (const double alpha : {0.0, 1.0, -1.0, std::nan("")}) {
        options.alphas = {0.05, alpha};
        EXPECT_NE(error_of([&] { (void)calibrate(store(), options); }).find("between 0 and 1"), std::string::npos);
    }
    options = quick();
    options.count = 0;
    EXPECT_EQ(error_of([&] { (void)calibrate(store(), options); }), "count = 0; expected at least 1");
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

// 40 words of 40 rows, 4 rows a document.
class CalibrateDocuments : public ::testing::Test {
  protected:
    CalibrateDocuments() { write_many_words(folder_.path(), 40, 40, 0.3, 4); }
    [[nodiscard]] Store store() const { return Store(folder_.path()); }
    TemporaryFolder folder_;
};

TEST_F(CalibrateDocuments, DividesWholeDocumentsAndTestsThemByBlocks) {
    const Calibration found = calibrate(store(), quick());
    ASSERT_EQ(found.nulls.size(), 6U);
    EXPECT_EQ(found.options.documents, true);
    const NullRates& halves = of(found, NullKind::document_halves);
    EXPECT_EQ(halves.n, 20U);
    EXPECT_EQ(halves.documents_n, 5U);
    EXPECT_EQ(halves.tests, 150U);
    const NullRates& unequal = of(found, NullKind::unequal_documents);
    EXPECT_EQ(unequal.n, 8U);
    EXPECT_EQ(unequal.m, 32U);
    EXPECT_EQ(unequal.documents_m, 8U);
    ASSERT_EQ(halves.methods.size(), 3U);
    EXPECT_EQ(halves.methods.back().method, block_method);
    EXPECT_LT(halves.methods.back().rates[1].value, 0.12);
    EXPECT_EQ(found.judged.size(), 5U);
    EXPECT_EQ(found.recommended, block_method);
    EXPECT_EQ(found.needed.words, 40U);
    EXPECT_GT(found.needed.ratios.front().documents, 0);
}

TEST_F(CalibrateDocuments, ByRowsAloneIsThatOfAStoreWithoutDocuments) {
    CalibrateOptions options = quick();
    options.count = 40;
    options.documents = false;
    const TemporaryFolder without;
    write_many_words(without.path(), 40, 40, 0.3);
    const Calibration rows = calibrate(store(), options), expected = calibrate(Store(without.path()), options);
    ASSERT_EQ(rows.nulls.size(), 4U);
    EXPECT_EQ(rows.judged.size(), 4U);
    for (std::size_t i = 0; i < rows.nulls.size(); ++i)
        for (std::size_t k = 0; k < methods.size(); ++k)
            EXPECT_EQ(rows.nulls[i].methods[k].uniformity.distance, expected.nulls[i].methods[k].uniformity.distance);
    EXPECT_EQ(rows.needed.ratios.front().rows, expected.needed.ratios.front().rows);
    EXPECT_EQ(rows.needed.ratios.front().documents, 0);
}

TEST_F(Calibrate, RefusesDocumentsThatAStoreDoesNotHave) {
    CalibrateOptions options = quick();
    options.documents = true;
    const std::string error = error_of([&] { (void)calibrate(store(), options); });
    EXPECT_NE(error.find("all rows are of one document; expected several"), std::string::npos) << error;
}

// Simulated shapes are told, and do not make a method fail on a store.
void expect_worst_shapes(const Calibration& found) {
    for (const JudgedMethod& judged : found.judged) {
        ASSERT_EQ(judged.worst_shape.has_value(), judged.method.align == Alignment::householder);
        if (!judged.worst_shape) continue;
        double largest = 0;
        bool surely_above = false;
        for (const NullRates& null : found.nulls)
            for (const MethodRates& of : null.methods)
                if (null.kind >= NullKind::round_stretched && of.method == judged.method) {
                    largest = std::max(largest, of.rates[found.main_alpha()].value);
                    for (std::size_t a = 0; a < of.rates.size(); ++a)
                        surely_above = surely_above || is_surely_above(of.rates[a], found.options.alphas[a]);
                }
        EXPECT_EQ(judged.worst_shape->rate.value, largest);
        EXPECT_EQ(judged.keeps_its_level_on_shapes, !surely_above);
    }
}

TEST_F(CalibrateDocuments, FindsMoreOfWhatDiffersMore) {
    CalibrateOptions options = quick();
    options.count = 60;
    options.power = true;
    const Calibration found = calibrate(store(), options);
    ASSERT_EQ(found.mixtures.size(), 12U);
    ASSERT_EQ(found.nulls.size(), 14U);
    for (std::size_t first = 0; first < 12; first += 4) {
        const MixtureRates &least = found.mixtures[first], &most = found.mixtures[first + 3];
        EXPECT_EQ(least.share, 0.05);
        EXPECT_EQ(most.share, 0.5);
        EXPECT_GT(least.ratio, 1);
        EXPECT_GT(most.ratio, least.ratio);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_GE(most.methods[k].detected[1].hits, least.methods[k].detected[1].hits);
            EXPECT_GE(most.methods[k].detected[1].hits, 40U);
            EXPECT_LE(most.methods[k].wrong[1].hits, 3U);
        }
    }
    EXPECT_NEAR(static_cast<double>(found.judged.back().power.trials), 720, 20);  // a few are undefined
    expect_worst_shapes(found);
    options.execution.threads = 3;
    const Calibration again = calibrate(store(), options);
    for (std::size_t i = 0; i < 12; ++i)
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_EQ(found.mixtures[i].methods[k].detected[0].hits, again.mixtures[i].methods[k].detected[0].hits);
}

TEST(IsSurelyAbove, LeavesRoomForChance) {
    EXPECT_FALSE(is_surely_above(rate_of(65, 1000), 0.05));
    EXPECT_TRUE(is_surely_above(rate_of(90, 1000), 0.05));
}

TEST_F(Calibrate, SplitHalvesOfEveryWordAreUniform) {
    const SplitHalf found = study::split_half(store(), 40, false, 499, 0, {});
    EXPECT_EQ(found.words.size(), 40U);
    for (std::size_t k = 0; k < methods.size(); ++k) {
        EXPECT_EQ(found.greater[k].size(), 40U);
        EXPECT_GT(found.greater_uniformity[k].p, 0.001);
        EXPECT_GT(found.two_sided_uniformity[k].p, 0.001);
    }
}

}  // namespace
}  // namespace wordbreadth
