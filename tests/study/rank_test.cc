#include "wordbreadth/rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "store/layout.h"
#include "study/sampling.h"
#include "support/array_testing.h"
#include "support/small_store.h"
#include "wordbreadth/rank.h"

namespace wordbreadth {
namespace {

std::vector<std::string> order(const Ranking& ranking) {
    std::vector<std::string> words;
    for (const RankedWord& word : ranking.words) words.push_back(word.word);
    return words;
}

class Rank : public ::testing::Test {
  protected:
    Rank() {
        store::write_store(folder_.path(),
                           {{"broad", 50, 30, 2.0},
                            {"few", 70, 1, 1.0},
                            {"middle", 90, 12, 1.0},
                            {"narrow", 90, 20, 0.3},
                            {"same", 5, 15, 0.0}},
                           8);
    }

    [[nodiscard]] Store store() const { return Store(folder_.path()); }

    TemporaryFolder folder_;
};

TEST_F(Rank, PutsTheBroadestWordFirst) {
    const Ranking ranking = rank(store(), {});
    EXPECT_EQ(order(ranking), (std::vector<std::string>{"broad", "middle", "narrow"}));
    EXPECT_GT(ranking.words[0].breadth.v, ranking.words[1].breadth.v);
    EXPECT_EQ(ranking.words[0].frequency, 50U);
    EXPECT_EQ(ranking.words[0].rows, 30U);
}

TEST_F(Rank, CutsAllCloudsToTheSizeOfTheSmallest) {
    const Ranking ranking = rank(store(), {});
    EXPECT_EQ(ranking.common_size, 12U);
    EXPECT_EQ(ranking.smallest, "middle");
    for (const RankedWord& word : ranking.words) EXPECT_EQ(word.breadth.n, 12U);
}

TEST_F(Rank, LeavesOutWordsWithTooFewRowsAndWithoutBreadth) {
    const Ranking ranking = rank(store(), {.common_size = 20});
    EXPECT_EQ(order(ranking), (std::vector<std::string>{"broad", "narrow"}));
    ASSERT_EQ(ranking.left_out.size(), 3U);
    EXPECT_EQ(ranking.left_out[0].word, "few");
    EXPECT_EQ(ranking.left_out[0].reason, "has 1 row");
    EXPECT_NE(rank(store(), {}).left_out[1].reason.find("point the same way"), std::string::npos);
}

TEST_F(Rank, MeasuresTheSampleThatTheSeedChooses) {
    const Store opened = store();
    const Ranking ranking = rank(opened, {.common_size = 10, .seed = 4});
    const auto rows = opened.rows(0);
    std::vector<double> values;
    for (const std::size_t row : study::sample_rows("broad", 30, 10, 4))
        for (std::size_t c = 0; c < 8; ++c) values.push_back(static_cast<double>(rows[row * 8 + c]));
    EXPECT_EQ(ranking.words[0].breadth.v, breadth(Cloud("broad", values, 8)).v);
    EXPECT_EQ(ranking.words[0].breadth.breadth, breadth(Cloud("broad", values, 8)).breadth);
    EXPECT_NE(ranking.words[0].breadth.v, rank(opened, {.common_size = 10, .seed = 5}).words[0].breadth.v);
}

TEST_F(Rank, TakesTheBreadthOfAllRowsUnlessASizeIsAskedFor) {
    const Store opened = store();
    const Ranking ranking = rank(opened, {});
    const Breadth whole = breadth(opened.cloud(0));
    EXPECT_EQ(ranking.words[0].breadth.breadth, whole.breadth);
    EXPECT_EQ(ranking.words[0].breadth.log_v_standard_error, whole.log_v_standard_error);
    EXPECT_NE(ranking.words[0].breadth.v, whole.v);
    EXPECT_NE(rank(opened, {.common_size = 12}).words[0].breadth.breadth, whole.breadth);
}

TEST_F(Rank, HasIntervalsForBreadthsAndRanks) {
    const Ranking ranking = rank(store(), {});
    for (std::size_t i = 0; i < ranking.words.size(); ++i) {
        const RankedWord& word = ranking.words[i];
        EXPECT_LT(word.breadth_low, word.breadth.breadth);
        EXPECT_GT(word.breadth_high, word.breadth.breadth);
        EXPECT_LE(word.ranks.low, i + 1);
        EXPECT_GE(word.ranks.high, i + 1);
    }
    EXPECT_EQ(ranking.words[0].ranks.low, 1U);
    EXPECT_EQ(ranking.words[2].ranks.low, 3U);  // far narrower than the others
    EXPECT_GT(ranking.groups, 1U);
    EXPECT_EQ(rank(store(), {.by = RankBy::v}).groups, 0U);
}

TEST_F(Rank, CountsModesOnlyWhereAsked) {
    EXPECT_FALSE(rank(store(), {}).words[0].modes);
    const Ranking ranking = rank(store(), {.modes = true});
    ASSERT_TRUE(ranking.words[0].modes);
    EXPECT_GE(ranking.words[0].modes->modes, 1U);
}

TEST_F(Rank, ByFrequencyKeepsEqualOnesInTheOrderOfTheWords) {
    const Ranking ranking = rank(store(), {.by = RankBy::frequency});
    EXPECT_EQ(order(ranking), (std::vector<std::string>{"middle", "narrow", "broad"}));
}

TEST_F(Rank, DoesNotDependOnTheNumberOfThreads) {
    RankOptions one, many;
    one.execution.threads = 1;
    many.execution.threads = 5;
    const Ranking a = rank(store(), one), b = rank(store(), many);
    ASSERT_EQ(order(a), order(b));
    for (std::size_t i = 0; i < a.words.size(); ++i) EXPECT_EQ(a.words[i].breadth.v, b.words[i].breadth.v);
}

TEST_F(Rank, RefusesSizesThatLeaveNothing) {
    EXPECT_NE(error_of([&] { (void)rank(store(), {.common_size = 1}); }).find("at least 2"), std::string::npos);
    EXPECT_NE(error_of([&] { (void)rank(store(), {.common_size = 31}); }).find("no word has a cloud of 31 rows"),
              std::string::npos);
}

TEST_F(Rank, TellsADamagedCloudInsteadOfLeavingItOut) {
    const std::string path = store::clouds_path(folder_.path());
    std::string content = content_of(path);
    content[content.size() - 1000] ^= 1;
    write_file(path, content);
    EXPECT_NE(error_of([&] { (void)rank(store(), {}); }).find("is damaged"), std::string::npos);
}

TEST_F(Rank, StopsWhenAsked) {
    std::stop_source source;
    source.request_stop();
    RankOptions options;
    options.execution.stop = source.get_token();
    EXPECT_THROW((void)rank(store(), options), Cancelled);
}

TEST(RankOfNothing, AdvisesASmallerSizeOnlyWhereThatHelps) {
    const TemporaryFolder folder;
    const auto error = [&](const std::vector<store::PlannedWord>& words) {
        std::filesystem::remove_all(folder.path());
        store::write_store(folder.path(), words, 8);
        return error_of([&] { (void)rank(Store(folder.path()), {.common_size = 30}); });
    };
    EXPECT_TRUE(error({{"few", 9, 9, 1.0}, {"same", 40, 40, 0.0}}).ends_with("; ask for a smaller common size"));
    EXPECT_FALSE(contains(error({{"one", 1, 1, 1.0}, {"same", 40, 40, 0.0}}), "smaller common size"));
}

TEST_F(Rank, LetsInOnlyTheWordsOfItsFilter) {
    WordFilter filter;
    filter.words = {"narrow", "middle", "gone", "middle"};
    Ranking ranking = rank(store(), {.filter = filter});
    EXPECT_EQ(order(ranking), (std::vector<std::string>{"middle", "narrow"}));
    EXPECT_EQ(ranking.common_size, 12U);
    EXPECT_EQ(text_of(ranking.filtered), "3 not asked for");
    ASSERT_EQ(ranking.left_out.size(), 1U);
    EXPECT_EQ(ranking.left_out[0].word, "gone");
    EXPECT_EQ(ranking.left_out[0].reason, "is not in the store");

    filter = {};
    filter.min_frequency = 50;
    filter.max_frequency = 70;
    filter.stop_words = {"FEW", "nothing"};
    ranking = rank(store(), {.filter = filter});
    EXPECT_EQ(order(ranking), std::vector<std::string>{"broad"});
    EXPECT_EQ(ranking.common_size, 30U);  // of the words that are left
    EXPECT_EQ(text_of(ranking.filtered), "1 rarer than 50, 2 more frequent than 70, 1 stop words");
    EXPECT_TRUE(ranking.left_out.empty());
}

TEST_F(Rank, OfNoWordSaysWhatTookThemAway) {
    WordFilter filter;
    filter.words = {"Broad", "middle"};
    filter.min_frequency = 91;
    EXPECT_EQ(error_of([&] { (void)rank(store(), {.filter = filter}); }),
              folder_.path() +
                  ": none of its 5 words is left to rank: 4 not asked for, 1 rarer than 91; Broad is not in it "
                  "(did you mean \"broad\"?)");
    EXPECT_EQ(error_of([&] { (void)rank(store(), {.filter = {.words = {"same"}}}); }),
              folder_.path() + ": no word has a cloud of 15 rows that can be ranked: first: same (" + folder_.path() +
                  "): all 15 rows point the same way (r = 1), so it has no breadth; check for repeated occurrences");
}

TEST_F(Rank, OfAWordWithoutOneSaysWhy) {
    const Ranking ranking = rank(store(), {.filter = {.stop_words = {"broad"}}});
    EXPECT_EQ(error_of([&] { (void)neighbourhood(ranking, {"few"}, 1); }), "few has no rank: has 1 row");
    EXPECT_EQ(error_of([&] { (void)neighbourhood(ranking, {"broad"}, 1); }), "broad has no rank: it is filtered out");
}

// A store of documents of four rows each.
class RankOfDocuments : public ::testing::Test {
  protected:
    RankOfDocuments() {
        store::write_store(folder_.path(),
                           {{"broad", 50, 40, 2.0}, {"few", 20, 8, 1.0}, {"narrow", 90, 24, 0.3}, {"one", 9, 4, 1.0}},
                           8, 4);
    }

    [[nodiscard]] Store store() const { return Store(folder_.path()); }

    TemporaryFolder folder_;
};

TEST_F(RankOfDocuments, ComparesRowsOfDifferentOnes) {
    const Store opened = store();
    const Ranking ranking = rank(opened, {});
    EXPECT_TRUE(ranking.documents);
    const Breadth blocks = breadth(opened.cloud(opened.find("broad")));
    EXPECT_EQ(blocks.blocks, 10U);
    EXPECT_EQ(ranking.words[0].breadth.breadth, blocks.breadth);
    EXPECT_EQ(ranking.words[0].breadth.blocks, 10U);
    const Ranking rows = rank(opened, {.documents = false});
    EXPECT_FALSE(rows.documents);
    EXPECT_EQ(rows.words[0].breadth.blocks, 0U);
    EXPECT_NE(rows.words[0].breadth.breadth, blocks.breadth);
    EXPECT_EQ(rows.words.size(), 4U);
}

TEST_F(RankOfDocuments, HasNoStandardErrorWithFewOfThem) {
    const Ranking ranking = rank(store(), {});
    const RankedWord& few = *std::ranges::find(ranking.words, "few", &RankedWord::word);
    EXPECT_EQ(few.breadth.blocks, 2U);
    EXPECT_GT(few.breadth.breadth, 0);
    EXPECT_TRUE(std::isnan(few.breadth.log_v_standard_error));
    EXPECT_TRUE(std::isnan(few.breadth_low));
    EXPECT_EQ(few.ranks.low, 1U);
    EXPECT_EQ(few.ranks.high, 3U);
}

TEST_F(RankOfDocuments, LeavesOutAWordOfOneDocument) {
    const Ranking ranking = rank(store(), {});
    ASSERT_EQ(ranking.left_out.size(), 1U);
    EXPECT_EQ(ranking.left_out[0].word, "one");
    EXPECT_EQ(ranking.left_out[0].reason, "has rows of one document only");
    const Ranking by_v = rank(store(), {.by = RankBy::v});
    EXPECT_TRUE(by_v.left_out.empty());
    const RankedWord& one = *std::ranges::find(by_v.words, "one", &RankedWord::word);
    EXPECT_TRUE(std::isnan(one.breadth.breadth));
    EXPECT_TRUE(std::isnan(one.breadth.design_effect));
}

TEST(StopWords, OfEnglishAreInOrderAndFunctionWords) {
    const auto words = english_stop_words();
    EXPECT_TRUE(std::ranges::is_sorted(words));
    EXPECT_EQ(std::ranges::adjacent_find(words), words.end());
    for (const char* word : {"the", "of", "and", "is", "not", "don't"})
        EXPECT_TRUE(std::ranges::binary_search(words, std::string_view(word))) << word;
    for (const char* word : {"time", "bank", "go"})
        EXPECT_FALSE(std::ranges::binary_search(words, std::string_view(word))) << word;
}

}  // namespace
}  // namespace wordbreadth
