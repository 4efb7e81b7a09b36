// Documents as blocks, and the effect: what the statistic and its interval promise, on clouds whose truth is known.
#include <gtest/gtest.h>

#include <cmath>

#include "calibration/noisy_clouds.h"
#include "store/layout.h"
#include "support/errors.h"
#include "support/small_store.h"
#include "support/temporary.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth {
namespace {

// Clouds about directions of their own, equally broad; rows of one document share a part of their direction.
class Corpus {
  public:
    explicit Corpus(std::uint64_t seed) : clouds_(seed, dimension) {}

    // One cloud with documents of these numbers of rows.
    Cloud cloud(const std::string& name, const std::vector<std::size_t>& documents, double of_document) {
        return clouds_.cloud(name, documents, {of_document, std::sqrt(1 - of_document * of_document)});
    }

    static constexpr std::size_t dimension = 32;

  private:
    calibration::NoisyClouds clouds_;
};

std::vector<std::size_t> singles(std::size_t n) {
    return std::vector<std::size_t>(n, 1);
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_TRUE(contains(text, part)) << part << " in: " << text;
}

TestOptions options(Statistic statistic, std::uint64_t permutations = 500) {
    TestOptions all;
    all.statistic = statistic;
    all.permutations = permutations;
    all.execution.threads = 1;
    return all;
}

TEST(Blocks, OfOneRowEachGiveTheRobustStatistic) {
    Corpus corpus(1);
    const Cloud x = corpus.cloud("x", singles(20), 0), y = corpus.cloud("y", singles(30), 0);
    const TestResult rows = test(x, y, options(Statistic::robust)), blocks = test(x, y, options(Statistic::blocks));
    EXPECT_NEAR(*blocks.t, *rows.t, 1e-12);
    EXPECT_EQ(blocks.exceedances, rows.exceedances);
    EXPECT_NEAR(blocks.effect, rows.effect, 1e-13);
    EXPECT_NEAR(blocks.ci_low, rows.ci_low, 1e-12);
    EXPECT_EQ(blocks.blocks_x, 20U);
    EXPECT_EQ(blocks.blocks_y, 30U);
    EXPECT_EQ(rows.blocks_x, 0U);
    EXPECT_NEAR(breadth(x).design_effect, 1, 1e-12);
}

TEST(Blocks, AreTakenWhereBothCloudsHaveThem) {
    Corpus corpus(2);
    const Cloud x = corpus.cloud("x", {3, 4, 2, 5}, 0.3), y = corpus.cloud("y", {2, 2, 3}, 0.3);
    EXPECT_EQ(test(x, y, options(Statistic::automatic)).statistic, Statistic::blocks);
    const Cloud bare("z", {y.unit_rows().begin(), y.unit_rows().end()}, Corpus::dimension);
    EXPECT_EQ(test(x, bare, options(Statistic::automatic)).statistic, Statistic::plain);
    expect_parts(error_of([&] { (void)test(x, bare, options(Statistic::blocks)); }), {"z", "document"});
}

TEST(Blocks, ThatAreFewAreEnumerated) {
    Corpus corpus(3);
    const Cloud x = corpus.cloud("x", {3, 4, 2}, 0.3), y = corpus.cloud("y", {2, 2, 3}, 0.3);
    const TestResult result = test(x, y, options(Statistic::blocks));
    EXPECT_TRUE(result.exact);
    EXPECT_EQ(result.permutations, 20U);
    EXPECT_TRUE(std::isnan(result.ci_low));  // 3 documents have no interval
}

TEST(Blocks, NeedTwoInEachCloudAndALabelForEveryRow) {
    Corpus corpus(4);
    const Cloud one = corpus.cloud("one", {9}, 0.3), two = corpus.cloud("two", {4, 4}, 0.3);
    Cloud many = corpus.cloud("many", {2, 2, 3}, 0.3);
    expect_parts(error_of([&] { (void)test(one, many, options(Statistic::blocks)); }), {"one", "9", "2"});
    expect_parts(error_of([&] { (void)test(two, two, options(Statistic::blocks)); }), {"two", "2 documents", "3"});
    expect_parts(error_of([&] { many.set_blocks(std::vector<std::uint64_t>{1, 2}); }), {"many", "2", "7"});
    many.set_blocks(std::vector<std::string>{"b", "b", "a", "b", "c", "a", "c"});
    const std::vector<std::uint32_t> expected{0, 0, 1, 0, 2, 1, 2};
    EXPECT_TRUE(std::ranges::equal(many.blocks(), expected));
}

TEST(Blocks, OfASessionAreThoseOfASingleCall) {
    Corpus corpus(5);
    const Cloud x = corpus.cloud("x", {3, 4, 2, 5, 1, 1}, 0.3), y = corpus.cloud("y", {2, 2, 3, 4, 1}, 0.3);
    const TestResult expected = test(x, y, options(Statistic::blocks));
    Session session;
    const CloudHandle a = session.add(x);
    EXPECT_EQ(session.breadth(a).blocks, 6U);
    const std::vector<std::uint64_t> labels(y.blocks().begin(), y.blocks().end());
    const CloudHandle b =
        session.add("y", Rows{y.unit_rows().data(), Element::f64, y.size(), Corpus::dimension, false, labels});
    const TestResult found = session.test(a, b, options(Statistic::blocks));
    EXPECT_EQ(found.exceedances, expected.exceedances);
    EXPECT_NEAR(*found.t, *expected.t, 1e-12);  // unit rows are scaled again
    EXPECT_NEAR(found.ci_high, expected.ci_high, 1e-12);
    session.remove(a);
    EXPECT_EQ(session.size(), 1U);
}

TEST(Blocks, OfAStoreAreItsDocuments) {
    const TemporaryFolder folder;
    store::write_small_store(folder.path());
    const Store store(folder.path());
    EXPECT_EQ(store.documents(store.find("bank")), (std::vector<std::uint64_t>{0, 0, 1}));
    EXPECT_EQ(store.cloud(store.find("bank")).blocks().size(), 3U);
    const TemporaryFolder of_one_document;
    store::write_store(of_one_document.path(), {{"bank", 10, 5}}, 4);
    EXPECT_TRUE(Store(of_one_document.path()).cloud(0).blocks().empty());
}

// At the 5% level, every rejection false. 300 trials: the standard error of a rate of 0.05 is 0.013.
TEST(Blocks, HoldTheLevelWhereDocumentsResembleThemselvesAndRowsDoNot) {
    Corpus corpus(6);
    const std::vector<std::size_t> sizes{40, 20, 10, 8, 6, 5, 4, 3, 2, 2};
    int of_rows = 0, of_blocks = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const Cloud x = corpus.cloud("x", sizes, 0.5), y = corpus.cloud("y", std::vector<std::size_t>(30, 3), 0.5);
        of_rows += test(x, y, options(Statistic::robust, 199)).p <= 0.05 ? 1 : 0;
        of_blocks += test(x, y, options(Statistic::blocks, 199)).p <= 0.05 ? 1 : 0;
    }
    EXPECT_GT(of_rows, 60);
    EXPECT_LE(of_blocks, 27);
}

// 95% intervals for the effect, whose truth is 0: within three standard errors.
TEST(Effect, IntervalsCoverTheTruthForUnequalSizesAndForBlocks) {
    Corpus corpus(7);
    constexpr int trials = 400;
    int rows = 0, blocks = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const auto covers = [](const TestResult& result) { return result.ci_low <= 0 && result.ci_high >= 0 ? 1 : 0; };
        rows += covers(
            test(corpus.cloud("x", singles(8), 0), corpus.cloud("y", singles(72), 0), options(Statistic::plain, 1)));
        blocks += covers(test(corpus.cloud("x", std::vector<std::size_t>(12, 5), 0.5),
                              corpus.cloud("y", std::vector<std::size_t>(30, 3), 0.5), options(Statistic::blocks, 1)));
    }
    for (const int covered : {rows, blocks}) EXPECT_NEAR(static_cast<double>(covered) / trials, 0.95, 0.033);
}

}  // namespace
}  // namespace wordbreadth
