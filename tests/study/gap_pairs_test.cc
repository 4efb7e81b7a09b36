#include "wordbreadth/gap_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "study/many_tests.h"
#include "study/many_words.h"
#include "study/sampling.h"
#include "support/array_testing.h"
#include "support/errors.h"

namespace wordbreadth {
namespace {

class GapPairsTest : public ::testing::Test {
  protected:
    GapPairsTest() { write_many_words(folder_.path(), 30, 20); }
    [[nodiscard]] Store store() const { return Store(folder_.path()); }
    TemporaryFolder folder_;
};

GapOptions gaps(std::vector<std::size_t> wanted) {
    GapOptions options;
    options.gaps = std::move(wanted);
    return options;
}

TEST(PairsAtGap, AreDifferentAndSoFarApart) {
    std::set<std::size_t> first;
    for (const GapPair& pair : study::pairs_at_gap(100, 7, 50, 3)) {
        EXPECT_EQ(pair.y, pair.x + 7);
        EXPECT_LT(pair.y, 100U);
        EXPECT_TRUE(first.insert(pair.x).second);
    }
    EXPECT_EQ(first.size(), 50U);
}

TEST(PairsAtGap, DependOnTheSeed) {
    const auto places = [](std::uint64_t seed) {
        std::vector<std::size_t> x;
        for (const GapPair& pair : study::pairs_at_gap(100, 7, 50, seed)) x.push_back(pair.x);
        return x;
    };
    EXPECT_EQ(places(1), places(1));
    EXPECT_NE(places(1), places(2));
}

TEST_F(GapPairsTest, TestTheCloudsOfTheRanking) {
    const GapPairs pairs = gap_pairs(store(), gaps({1, 4}));
    EXPECT_EQ(pairs.pairs.size(), 29U + 26U);
    EXPECT_EQ(pairs.rows, 20U);
    for (std::size_t i = 0; i < pairs.pairs.size(); ++i) {
        EXPECT_EQ(pairs.clouds[pairs.tests[i].x].name(), pairs.words[pairs.pairs[i].x].word);
        EXPECT_EQ(pairs.clouds[pairs.tests[i].y].name(), pairs.words[pairs.pairs[i].y].word);
        EXPECT_GE(pairs.words[pairs.pairs[i].x].breadth.v, pairs.words[pairs.pairs[i].y].breadth.v);
    }
}

TEST_F(GapPairsTest, WantGapsAndPairs) {
    EXPECT_EQ(error_of([&] { (void)gap_pairs(store(), gaps({})); }), "gaps: there are none; expected at least one");
    EXPECT_NE(error_of([&] { (void)gap_pairs(store(), gaps({2, 0})); }).find("a gap of 0"), std::string::npos);
    GapOptions none = gaps({1});
    none.count = 0;
    EXPECT_EQ(error_of([&] { (void)gap_pairs(store(), none); }), "count = 0; expected at least 1");
}

TEST_F(GapPairsTest, CrossFittedAreRankedAndTestedOnDifferentRows) {
    GapOptions options = gaps({1});
    options.cross_fit = true;
    options.seed = 5;
    const Store store = this->store();
    const GapPairs pairs = gap_pairs(store, options);
    EXPECT_EQ(pairs.rows, 10U);
    EXPECT_EQ(pairs.words.front().breadth.n, 10U);
    const Cloud& tested = pairs.clouds.front();
    const std::vector<std::size_t> ranked = study::sample_rows(tested.name(), 20, 10, 5);
    for (const std::size_t row : ranked) {
        const std::vector<std::size_t> two{row, (row + 1) % 20};
        const auto cloud = study::cloud_of(store, store.find(tested.name()), two);
        for (std::size_t i = 0; i < tested.size(); ++i)
            EXPECT_FALSE(std::ranges::equal(tested.row(i), cloud->row(0))) << "row " << row;
    }
}

TEST_F(GapPairsTest, RefuseAGapThatTheStoreIsTooSmallFor) {
    EXPECT_NE(error_of([&] { (void)gap_pairs(store(), gaps({30})); }).find("no two of them are 30 ranks apart"),
              std::string::npos);
    GapOptions options = gaps({5});
    options.count = 26;
    EXPECT_NE(error_of([&] { (void)gap_pairs(store(), options); }).find("25 pairs are 5 ranks apart"),
              std::string::npos);
}

TEST(SplitRows, SharesNoRowAndTakesAll) {
    const study::RowSplit split = study::split_rows("bank", 30, 6, 24, 9);
    EXPECT_EQ(split.first.size(), 6U);
    EXPECT_EQ(split.second.size(), 24U);
    std::set<std::size_t> all(split.first.begin(), split.first.end());
    all.insert(split.second.begin(), split.second.end());
    EXPECT_EQ(all.size(), 30U);
}

}  // namespace
}  // namespace wordbreadth
