#include "wordbreadth/concordance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "study/random_clouds.h"
#include "study/sampling.h"
#include "support/errors.h"
#include "support/small_store.h"
#include "wordbreadth/breadth.h"
#include "wordbreadth/write.h"

namespace wordbreadth {
namespace {

Occurrence at(const std::string& text, std::uint64_t start, std::uint64_t end) {
    return {0, "document", 0, text, start, end};
}

// The texts of a word's occurrences in that order, from a store that was written with them.
std::vector<std::string> sorted(const std::vector<Occurrence>& occurrences, ConcordanceOrder order) {
    const TemporaryFolder folder;
    WordRows word{"x", occurrences.size(), {}, occurrences};
    for (std::size_t i = 0; i < occurrences.size(); ++i)
        word.rows.insert(word.rows.end(), {1.0F, 0.1F * static_cast<float>(i), 0.2F});
    write_store(folder.path() + "/store", 3, {word}, {});
    std::vector<std::string> texts;
    for (const ConcordanceLine& line : concordance(Store(folder.path() + "/store"), "x", {order}))
        texts.push_back(line.occurrence.text);
    return texts;
}

TEST(Context, CountsInCharacters) {
    const Context context = context_of(at("Zu große Fußbälle 🙂 rollen", 9, 17));
    EXPECT_EQ(context.left, "Zu große ");
    EXPECT_EQ(context.node, "Fußbälle");
    EXPECT_EQ(context.right, " 🙂 rollen");
}

TEST(Context, EndsWithTheText) {
    EXPECT_EQ(context_of(at("bank", 2, 99)).node, "nk");
    EXPECT_EQ(context_of(at("bank", 7, 3)).left, "bank");
}

TEST(ConcordanceOrder, LeftGoesByTheNearestWordFirst) {
    EXPECT_EQ(
        sorted({at("a the x", 6, 7), at("z, A x", 5, 6), at("B the x", 6, 7), at("x", 0, 1)}, ConcordanceOrder::left),
        (std::vector<std::string>{"x", "z, A x", "a the x", "B the x"}));
}

TEST(ConcordanceOrder, RightGoesByTheWordsAfterwards) {
    EXPECT_EQ(sorted({at("x of it", 0, 1), at("x, \"Of a", 0, 1), at("x and", 0, 1)}, ConcordanceOrder::right),
              (std::vector<std::string>{"x and", "x, \"Of a", "x of it"}));
}

TEST(ConcordanceOrder, TakesCharactersForWordsWhereThereAreNoSpaces) {
    EXPECT_EQ(sorted({at("一二三x", 3, 4), at("二三一x", 3, 4), at("三二一x", 3, 4)}, ConcordanceOrder::left),
              (std::vector<std::string>{"二三一x", "三二一x", "一二三x"}));
}

class ConcordanceOfAWord : public ::testing::Test {
  protected:
    ConcordanceOfAWord() { store::write_store(folder_.path(), {{"same", 9, 7, 0.0}, {"word", 50, 30, 1.0}}, 8); }

    const TemporaryFolder folder_;
};

TEST_F(ConcordanceOfAWord, HasTheOriginAndTheInfluenceOfEachRow) {
    const Store store(folder_.path());
    const std::vector<ConcordanceLine> lines = concordance(store, "word");
    const std::vector<double> influence = influences(store.cloud(store.find("word")));
    ASSERT_EQ(lines.size(), 30U);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_EQ(lines[i].occurrence.row, i);
        EXPECT_EQ(lines[i].influence, influence[i]);
    }
    EXPECT_TRUE(std::isnan(concordance(store, "same")[0].influence));  // no breadth
    EXPECT_NE(error_of([&] { (void)concordance(store, "moon"); }).find("has no word"), std::string::npos);
}

TEST_F(ConcordanceOfAWord, ReportsADamagedStore) {
    const std::string path = folder_.path() + "/clouds.safetensors";
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-4, std::ios::end);  // in the last row of "word"
    file.write("\x01\x02\x03\x04", 4);
    file.close();
    const Store store(folder_.path());
    EXPECT_NE(error_of([&] { (void)concordance(store, "word"); }).find("word: is damaged"), std::string::npos);
}

TEST_F(ConcordanceOfAWord, InfluenceFalls) {
    const auto lines = concordance(Store(folder_.path()), "word", {ConcordanceOrder::influence, 10});
    ASSERT_EQ(lines.size(), 10U);
    EXPECT_TRUE(std::ranges::is_sorted(lines, std::ranges::greater(), &ConcordanceLine::influence));
    const auto all = concordance(Store(folder_.path()), "word");
    EXPECT_EQ(lines[0].influence, std::ranges::max_element(all, {}, &ConcordanceLine::influence)->influence);
}

TEST_F(ConcordanceOfAWord, IsASampleInTheOrderOfTheCorpus) {
    const Store store(folder_.path());
    const auto lines = concordance(store, "word", {ConcordanceOrder::corpus, 5, 3});
    const std::vector<std::size_t> rows = study::sample_rows("word", 30, 5, 3);
    ASSERT_EQ(lines.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(lines[i].occurrence.row, rows[i]);
    EXPECT_EQ(concordance(store, "word", {ConcordanceOrder::corpus, 99}).size(), 30U);
}

TEST_F(ConcordanceOfAWord, SpreadStartsWhereTheSeedSays) {
    const Store store(folder_.path());
    for (const std::uint64_t seed : {0, 1, 2}) {
        const auto found = concordance(store, "word", {ConcordanceOrder::spread, 5, seed});
        ASSERT_EQ(found.size(), 5U);
        EXPECT_EQ(found[0].occurrence.row, study::sample_rows("word", 30, 1, seed)[0]);
        EXPECT_EQ(found[0].influence, concordance(store, "word")[found[0].occurrence.row].influence);
    }
    EXPECT_EQ(concordance(store, "same", {ConcordanceOrder::spread, 3}).size(), 3U);
}

// Two groups on a circle, many occurrences of one and a single one of the other.
Cloud lopsided() {
    std::vector<double> values;
    for (int i = 0; i < 9; ++i) values.insert(values.end(), {1.0, 0.01 * i});
    values.insert(values.end(), {-0.2, 1.0});
    return {"lopsided", values, 2};
}

TEST(SpreadRows, FindsTheRareOccurrenceAtOnce) {
    EXPECT_EQ(study::spread_rows(lopsided(), 2, 4), (std::vector<std::size_t>{4, 9}));
    EXPECT_EQ(study::spread_rows(lopsided(), 3, 4), (std::vector<std::size_t>{4, 9, 0}));
}

TEST(SpreadRows, IsTheFarthestRowEveryTime) {
    const Cloud cloud = testing::random_cloud("x", {.n = 25, .d = 7}, 5);
    const std::vector<std::size_t> rows = study::spread_rows(cloud, 10, 3);
    const auto nearest = [&](std::size_t row, std::size_t chosen) {
        double closest = -2;
        for (std::size_t k = 0; k < chosen; ++k) {
            double cosine = 0;
            for (std::size_t c = 0; c < 7; ++c) cosine += cloud.row(row)[c] * cloud.row(rows[k])[c];
            closest = std::max(closest, cosine);
        }
        return closest;
    };
    for (std::size_t k = 1; k < rows.size(); ++k)
        for (std::size_t row = 0; row < cloud.size(); ++row)
            EXPECT_LE(nearest(rows[k], k), nearest(row, k) + 1e-12) << k << " " << row;
}

TEST(SpreadRows, TakesEveryRowOnceWhenAskedForMore) {
    std::vector<std::size_t> rows = study::spread_rows(lopsided(), 100, 0);
    std::ranges::sort(rows);
    ASSERT_EQ(rows.size(), 10U);
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], i);
}

// By taking the row out and measuring what is left.
double naive_influence(const Cloud& cloud, std::size_t row) {
    std::vector<double> others;
    for (std::size_t i = 0; i < cloud.size(); ++i)
        if (i != row) others.insert(others.end(), cloud.row(i).begin(), cloud.row(i).end());
    return std::log(breadth(cloud).v) - std::log(breadth(Cloud("others", others, cloud.dimension())).v);
}

TEST(Influence, IsTheFallOfLogVWithoutTheRow) {
    const Cloud cloud = testing::random_cloud("x", {.n = 17, .d = 9}, 3);
    const std::vector<double> found = influences(cloud);
    ASSERT_EQ(found.size(), 17U);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], naive_influence(cloud, i), 1e-11) << i;
}

TEST(Influence, OfAStrayRowIsTheLargest) {
    std::vector<double> values = testing::random_values({.n = 10, .d = 5, .noise = 0.2}, 1);
    for (std::size_t k = 0; k < 5; ++k) values[15 + k] *= -1;
    const std::vector<double> found = influences(Cloud("x", values, 5));
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (i != 3) {
            EXPECT_LT(found[i], found[3]);
        }
    }
    EXPECT_GT(found[3], 0);
}

TEST(Influence, IsInfiniteWhereTheOthersAreAlike) {
    const std::vector<double> found = influences(Cloud("x", {1, 0, 1, 0, 0, 1}, 2));
    EXPECT_EQ(found[2], HUGE_VAL);
    EXPECT_TRUE(std::isfinite(found[0]));
}

}  // namespace
}  // namespace wordbreadth
