// Pairs whose truth is known: parts of whole documents, mixtures, and simulated clouds of one breadth.
#include "study/parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "study/many_words.h"
#include "study/shapes.h"
#include "support/array_testing.h"
#include "wordbreadth/breadth.h"

namespace wordbreadth {
namespace {

const std::vector<std::uint64_t> row_documents = {3, 3, 3, 3, 1, 1, 7, 7, 9, 4, 4, 4};
const std::vector<std::size_t> all_rows = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

TEST(DealDocuments, KeepsThemWholeAndMeetsTheShare) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto split = study::deal_documents("word", all_rows, row_documents, 0.5, seed);
        if (!split) continue;
        std::set<std::uint64_t> first, second;
        for (const std::size_t row : split->first) first.insert(row_documents[row]);
        for (const std::size_t row : split->second) second.insert(row_documents[row]);
        EXPECT_EQ(first.size() + second.size(), 5U);
        EXPECT_GE(split->first.size(), 6U);
        EXPECT_EQ(split->first.size() + split->second.size(), 12U);
        EXPECT_GE(std::min(first.size(), second.size()), 2U);
    }
}

TEST(DealDocuments, DealsDifferentlyForEverySeed) {
    std::set<std::vector<std::size_t>> found;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        if (const auto split = study::deal_documents("word", all_rows, row_documents, 0.5, seed))
            found.insert(split->first);
    EXPECT_GT(found.size(), 4U);
}

TEST(DealDocuments, RefusesTooFew) {
    const std::vector<std::uint64_t> one(12, 5), four = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};
    EXPECT_FALSE(study::deal_documents("word", all_rows, one, 0.5, 0));
    EXPECT_FALSE(study::deal_documents("word", all_rows, four, 0.5, 0));
}

class Parts : public ::testing::Test {
  protected:
    Parts() { write_many_words(folder_.path(), 12, 40, 0.6, 4); }
    TemporaryFolder folder_;
};

TEST_F(Parts, OfOneWordShareNoRowAndKeepTheirDocuments) {
    const Store store(folder_.path());
    const study::PartedWords words(store, 40, false, {});
    const study::PartsOptions options{.rows = 40, .share = 0.2, .documents = true, .count = 20};
    const auto plan = words.plan(options);
    ASSERT_EQ(plan.size(), 20U);
    const study::PartedPairs pairs = words.make(options, plan, {});
    ASSERT_EQ(pairs.tests.size(), 20U);
    for (std::size_t i = 0; i < plan.size(); ++i) {
        const auto& [first, second] = plan[i].rows;
        EXPECT_EQ(first.size() + second.size(), 40U);
        const Cloud &x = pairs.clouds[2 * i], &y = pairs.clouds[2 * i + 1];
        EXPECT_EQ(x.size(), 8U);
        EXPECT_EQ(breadth(x).blocks, 2U);
        EXPECT_EQ(breadth(y).blocks, 8U);
    }
}

TEST_F(Parts, ThatAreMixedHaveRowsOfABroaderWord) {
    const Store store(folder_.path());
    const study::PartedWords words(store, 40, true, {});
    study::PartsOptions options{.rows = 40, .share = 0.5, .mixed = 0.2, .documents = true, .count = 12};
    const auto plan = words.plan(options);
    const study::PartedPairs mixed = words.make(options, plan, {});
    options.mixed = 0;
    const study::PartedPairs pure = words.make(options, plan, {});
    ASSERT_EQ(mixed.ratios.size(), 12U);
    for (std::size_t i = 0; i < plan.size(); ++i) {
        EXPECT_GT(mixed.ratios[i], 1);
        EXPECT_GE(breadth(store.cloud(plan[i].other)).breadth, breadth(store.cloud(plan[i].word)).breadth);
        ASSERT_EQ(mixed.clouds[2 * i].size(), 20U);
        std::size_t shared = 0;  // rows of the pure part
        for (std::size_t row = 0; row < 20; ++row)
            for (std::size_t other = 0; other < 20; ++other)
                shared += std::ranges::equal(mixed.clouds[2 * i].row(row), pure.clouds[2 * i].row(other)) ? 1 : 0;
        EXPECT_EQ(shared, 16U);
        EXPECT_TRUE(std::ranges::equal(mixed.clouds[2 * i + 1].unit_rows(), pure.clouds[2 * i + 1].unit_rows()));
    }
}

// The true ratio is that of many samples.
TEST_F(Parts, HaveTheRatioThatIsSaid) {
    const Store store(folder_.path());
    const study::PartedWords words(store, 40, true, {});
    const study::PartsOptions options{.rows = 40, .share = 0.5, .mixed = 0.5, .documents = false, .count = 600};
    const study::PartedPairs pairs = words.make(options, words.plan(options), {});
    double said = 0, found = 0;
    for (std::size_t i = 0; i < pairs.tests.size(); ++i) {
        said += std::log(pairs.ratios[i]);
        found += std::log(breadth(pairs.clouds[2 * i]).breadth / breadth(pairs.clouds[2 * i + 1]).breadth);
    }
    EXPECT_NEAR(found / said, 1, 0.05);
}

TEST(ShapedClouds, AreEquallyBroad) {
    const double r = 0.6;
    for (const study::Shape shape : {study::Shape::round, study::Shape::stretched, study::Shape::two_modes}) {
        study::RandomStream random(3, static_cast<std::uint64_t>(shape));
        const Cloud cloud = study::ShapedClouds(shape, r, 24).draw("cloud", 20000, 5, random);
        EXPECT_NEAR(breadth(cloud).r, r, 0.008) << static_cast<int>(shape);
        EXPECT_NEAR(cloud.sum()[5] / static_cast<double>(cloud.size()), r, 0.008);
    }
}

}  // namespace
}  // namespace wordbreadth
