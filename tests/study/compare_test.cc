#include "wordbreadth/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "study/sampling.h"
#include "support/two_stores.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

WordStudyOptions options() {
    WordStudyOptions options{.test = options_of_many_tests(Alternative::two_sided)};
    options.test.permutations = 2000;
    return options;
}

class Compare : public ::testing::Test {
  protected:
    [[nodiscard]] Comparison run(const WordStudyOptions& with) const {
        return compare(Store(stores_.a()), Store(stores_.b()), with);
    }

    TwoStores stores_;
};

TEST_F(Compare, FindsWhereEachWordIsBroader) {
    const Comparison found = run(options());
    ASSERT_EQ(found.words.size(), 3U);
    EXPECT_EQ(found.words[2].word, "even");
    EXPECT_FALSE(found.is_finding(found.words[2]));
    for (const ComparedWord& word : found.words)
        if (word.word != "even") {
            EXPECT_TRUE(found.is_finding(word)) << word.word;
            EXPECT_EQ(word.test.T > 0, word.word == "loose") << word.word;
        }
    EXPECT_EQ(found.only_a, 1U);
    EXPECT_EQ(found.only_b, 1U);
}

TEST_F(Compare, SortsByEvidenceThenBySize) {
    const Comparison found = run(options());
    for (std::size_t i = 1; i < found.words.size(); ++i) {
        const ComparedWord &before = found.words[i - 1], &word = found.words[i];
        EXPECT_LE(before.q, word.q);
        if (before.q == word.q) {
            EXPECT_GE(std::abs(before.test.T), std::abs(word.test.T));
        }
    }
}

TEST_F(Compare, CutsBothCloudsToTheSmaller) {
    for (const ComparedWord& word : run(options()).words) {
        EXPECT_EQ(word.test.n, word.test.m);
        EXPECT_EQ(word.test.n, std::min(word.rows_a, word.rows_b)) << word.word;
    }
}

TEST_F(Compare, ACommonSizeLeavesOutWhatIsSmaller) {
    WordStudyOptions with = options();
    with.common_size = 28;
    const Comparison found = run(with);
    ASSERT_EQ(found.words.size(), 1U);
    EXPECT_EQ(found.words[0].word, "loose");
    ASSERT_EQ(found.left_out.size(), 2U);
    EXPECT_EQ(found.left_out[0].word, "even");
    EXPECT_EQ(found.left_out[0].reason, "has 26 rows in " + stores_.b());
}

TEST_F(Compare, EqualsTheTestOfTheSampledClouds) {
    const Store a(stores_.a()), b(stores_.b());
    const Comparison found = compare(a, b, options());
    const auto sampled = [&](const Store& store) {
        const std::size_t index = store.find("even");
        std::vector<double> values;
        for (const std::size_t row : study::sample_rows("even", store.words()[index].rows, 26, 0))
            for (std::size_t k = 0; k < 8; ++k) values.push_back(store.rows(index)[row * 8 + k]);
        return Cloud("even", values, 8);
    };
    const TestResult expected = test(sampled(a), sampled(b), options().test);
    EXPECT_EQ(found.words[2].test.T, expected.T);
    EXPECT_EQ(found.words[2].test.p, expected.p);
}

TEST_F(Compare, OnlyTheFirstWordsHaveUsages) {
    WordStudyOptions with = options();
    with.concordances = 1;
    with.lines = 4;
    const Comparison found = run(with);
    EXPECT_EQ(found.words[0].concordance_a.size(), 4U);
    EXPECT_EQ(found.words[0].concordance_b.size(), 4U);
    EXPECT_TRUE(found.words[1].concordance_a.empty());
}

TEST_F(Compare, StoresWithoutASharedWordAreAnError) {
    const std::string other = stores_.folder() + "/other";
    store::write_store(other, {{"else", 5, 5, 1.0}}, 8);
    const Store a(stores_.a()), b(other);
    EXPECT_THROW((void)compare(a, b, options()), InputError);
}

TEST_F(Compare, ReportsProgressToTheEndAndStops) {
    WordStudyOptions with = options();
    double last = 0;
    with.test.execution.progress = [&](double done) {
        EXPECT_GE(done, last);
        last = done;
    };
    (void)run(with);
    EXPECT_DOUBLE_EQ(last, 1);
    std::stop_source source;
    source.request_stop();
    with.test.execution.progress = {};
    with.test.execution.stop = source.get_token();
    EXPECT_THROW((void)run(with), Cancelled);
}

TEST_F(Compare, RefusesAlphaOutsideOfShares) {
    WordStudyOptions with = options();
    with.alpha = 1;
    EXPECT_THROW((void)run(with), InputError);
}

}  // namespace
}  // namespace wordbreadth
