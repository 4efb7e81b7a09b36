#include "wordbreadth/gap_pairs.h"

#include <gtest/gtest.h>

#include "study/many_tests.h"
#include "study/many_words.h"
#include "support/small_store.h"

namespace wordbreadth {
namespace {

TestedPair pair(std::size_t gap, double p, std::size_t senses_x, std::size_t senses_y) {
    return {gap, "x", "y", 1, 1, senses_x, senses_y, {p, 1, 1, 1}};
}

TEST(RatesByGap, CountRejectionsAndPrecision) {
    GapTests tests;
    tests.alpha = 0.01;
    tests.pairs = {pair(1, 0.01, 3, 3), pair(1, 0.5, 2, 1), pair(2, 0.001, 4, 2), pair(2, 0.002, 4, 4),
                   pair(2, NAN, 1, 2)};
    const std::vector<GapRates> rates = rates_by_gap(tests);
    ASSERT_EQ(rates.size(), 2U);
    EXPECT_EQ(rates[0].gap, 1U);
    EXPECT_EQ(rates[0].rejected[0].hits, 1U);
    EXPECT_EQ(rates[0].precision[0].hits, 0U);
    EXPECT_EQ(rates[1].rejected[0].hits, 2U);
    EXPECT_EQ(rates[1].rejected[0].trials, 2U);  // one is undefined
    EXPECT_EQ(rates[1].precision[0].value, 0.5);
    EXPECT_EQ(rates[1].differing.hits, 2U);
    EXPECT_EQ(rates[1].rejected[1].hits, 0U);
    EXPECT_TRUE(std::isnan(rates[1].precision[1].value));
    EXPECT_EQ(rates_of_all(tests).rejected[0].hits, 3U);
}

TEST(TestGaps, StoppingEarlyChangesNoVerdict) {
    const TemporaryFolder folder;
    write_many_words(folder.path(), 30, 20);
    const Store store(folder.path());
    GapTestOptions options;
    options.pairs.gaps = {1, 10};
    options.permutations = 399;
    const GapTests stopped = test_gaps(store, options, nullptr);
    options.adaptive = false;
    const GapTests complete = test_gaps(store, options, nullptr);
    ASSERT_EQ(stopped.pairs.size(), 29U + 20U);
    for (std::size_t i = 0; i < stopped.pairs.size(); ++i)
        for (std::size_t k = 0; k < methods.size(); ++k)
            EXPECT_EQ(stopped.pairs[i].p[k] <= 0.05, complete.pairs[i].p[k] <= 0.05);
}

TEST(TestGaps, AlsoPermuteDocumentsWhereTheyAreKnown) {
    const TemporaryFolder folder;
    std::vector<store::PlannedWord> words;
    for (std::size_t i = 10; i < 20; ++i)
        words.push_back({"w" + std::to_string(i), 50, 20, 0.1 * static_cast<double>(i)});
    store::write_store(folder.path(), words, 8, 3);
    const Store store(folder.path());
    GapTestOptions options;
    options.pairs.gaps = {2};
    options.permutations = 200;
    const GapTests tests = test_gaps(store, options, nullptr);
    ASSERT_TRUE(tests.has_blocks());
    ASSERT_EQ(tests.methods.size(), methods.size() + 1);
    EXPECT_EQ(rates_of_all(tests).rejected.back().trials, 8U);
    TestOptions alone;
    alone.permutations = 200;
    alone.seed = study::test_seed(0, 0);
    alone.adaptive = study::harmless_limit(options.alpha, 200);
    const auto cloud = [&](const std::string& word) { return store.cloud(store.find(word)); };
    EXPECT_EQ(tests.pairs[0].p.back(), test(cloud(tests.pairs[0].x), cloud(tests.pairs[0].y), alone).p);
    options.pairs.blocks = false;
    EXPECT_FALSE(test_gaps(store, options, nullptr).has_blocks());
}

TEST(RankCorrelation, SharesRanksAmongEqualValues) {
    EXPECT_NEAR(study::rank_correlation({1, 2, 3, 4}, {10, 20, 30, 40}), 1, 1e-12);
    EXPECT_NEAR(study::rank_correlation({1, 2, 3, 4}, {4, 3, 2, 1}), -1, 1e-12);
    EXPECT_NEAR(study::rank_correlation({1, 2, 2, 4}, {1, 2, 2, 4}), 1, 1e-12);
    EXPECT_NEAR(study::rank_correlation({1, 2, 3}, {1, 3, 2}), 0.5, 1e-12);
    EXPECT_TRUE(std::isnan(study::rank_correlation({1, 2}, {3, 3})));
}

}  // namespace
}  // namespace wordbreadth
