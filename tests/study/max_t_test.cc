// p adjusted by maxT: what it promises on families whose truth is known, and the same from every study. That its counts
// are those of a naive program is tested in tests/engine/exactness_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "calibration/families.h"
#include "study/sampling.h"
#include "support/errors.h"
#include "support/two_stores.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth {
namespace {

using calibration::Dependence;
using calibration::Families;
using calibration::Family;
using calibration::FamilyRates;

TestOptions options(Statistic statistic = Statistic::robust) {
    TestOptions all;
    all.statistic = statistic;
    all.permutations = 400;
    all.max_t = true;
    return all;
}

// Of 100 families at a level of 5% more than 12 have an error once in 700 times; the seed is fixed, and
// tests/calibration/max_t.cc has many more.
TEST(MaxT, KeepsTheFamilyWiseErrorWhereTestsDependOnEachOther) {
    for (const calibration::FamilyKind& kind : calibration::family_kinds()) {
        if (kind.dependence == Dependence::none || kind.dependence == Dependence::sizes) continue;
        EXPECT_LE(calibration::rates_of(kind, 0, 100, 199, 2).errors, 12U) << kind.name;
    }
}

TEST(MaxT, FindsMoreThanHolm) {
    for (const Dependence dependence : {Dependence::corpora, Dependence::all_pairs}) {
        const FamilyRates rates = calibration::rates_of({"", dependence}, 0.2, 40, 999, 3);
        EXPECT_GT(rates.found, rates.found_by_holm);
        EXPECT_LE(rates.errors, 8U);
    }
}

TEST(MaxT, OfOneTestAskedTwiceIsItsOwnP) {
    const Family family = Families(4).draw(Dependence::none, 0.2);
    const std::vector<Pair> pairs{{0, 1}, {0, 1}, {0, 1}};
    for (const TestResult& result : test_pairs(family.clouds, pairs, options())) EXPECT_EQ(result.p_max_t, result.p);
}

TEST(MaxT, ChangesNothingElseAndIsLeftOutUnlessAskedFor) {
    const Family family = Families(5).draw(Dependence::all_pairs, 0.2);
    TestOptions alone = options();
    alone.max_t = false;
    const std::vector<TestResult> with = test_pairs(family.clouds, family.pairs, options());
    const std::vector<TestResult> without = test_pairs(family.clouds, family.pairs, alone);
    for (std::size_t i = 0; i < with.size(); ++i) {
        EXPECT_EQ(with[i].p, without[i].p);
        EXPECT_FALSE(without[i].p_max_t);
        EXPECT_GE(*with[i].p_max_t, with[i].p);
    }
    EXPECT_TRUE(contains(error_of([&] { (void)adjusted_p(without, Adjustment::max_t); }), "tested without maxT"));
    const std::vector<double> p{0.5};
    EXPECT_TRUE(contains(error_of([&] { (void)adjust(p, Adjustment::max_t); }), "permutations of all tests"));
}

TEST(MaxT, DoesNotDependOnThreadsBlocksOrTheOrderOfPairs) {
    Family family = Families(6).draw(Dependence::sizes, 0.1);
    TestOptions with = options();
    const std::vector<TestResult> expected = test_pairs(family.clouds, family.pairs, with);
    std::ranges::reverse(family.pairs);
    with.execution.threads = 3;
    with.execution.block = 7;
    std::vector<TestResult> found = test_pairs(family.clouds, family.pairs, with);
    std::ranges::reverse(found);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].p_max_t, expected[i].p_max_t);
}

// Clouds of 4 rows: C(8, 4) = 70 splits.
std::vector<Cloud> small_clouds(std::size_t count) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    std::vector<Cloud> clouds;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<double> values;
        for (std::size_t k = 0; k < 4 * 6; ++k) values.push_back(1 + (i % 2 == 0 ? 0.3 : 0.8) * normal(random));
        clouds.emplace_back("small " + std::to_string(i), std::move(values), 6);
    }
    return clouds;
}

TEST(MaxT, OfOneEnumeratedShapeIsAShareOfAllSplits) {
    const std::vector<TestResult> results =
        test_pairs(small_clouds(4), std::vector<Pair>{{0, 1}, {2, 3}, {0, 3}}, options(Statistic::plain));
    for (const TestResult& result : results) {
        ASSERT_TRUE(result.exact);
        const double splits = 70 * *result.p_max_t;
        EXPECT_NEAR(splits, std::round(splits), 1e-9);
        EXPECT_GE(*result.p_max_t, result.p);
    }
}

TEST(MaxT, IsNeverBelowThePOfAnEnumeratedTestAmongDrawnOnes) {
    std::vector<Cloud> clouds = small_clouds(2);
    std::mt19937 random(8);
    std::normal_distribution<double> normal;
    std::vector<double> values;
    for (std::size_t k = 0; k < 30 * 6; ++k) values.push_back(1 + 0.5 * normal(random));
    clouds.emplace_back("large", std::move(values), 6);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        TestOptions with = options(Statistic::plain);
        with.seed = seed;
        for (const TestResult& result : test_pairs(clouds, std::vector<Pair>{{0, 1}, {0, 2}}, with))
            EXPECT_GE(*result.p_max_t, result.p);
    }
}

TEST(MaxT, TakesStatisticsOfOneScale) {
    Family family = Families(9).draw(Dependence::none, 0);
    std::vector<std::uint64_t> labels;
    for (std::size_t i = 0; i < family.clouds[0].size(); ++i) labels.push_back(i / 2);
    for (const std::size_t i : {0, 1}) family.clouds[i].set_blocks(labels);
    const std::vector<TestResult> results =
        test_pairs(family.clouds, std::vector<Pair>{{0, 1}, {2, 3}}, options(Statistic::automatic));
    EXPECT_EQ(results[0].statistic, Statistic::blocks);
    EXPECT_EQ(results[1].statistic, Statistic::robust);
}

TEST(MaxT, LeavesOutPairsThatHaveNoTest) {
    Family family = Families(10).draw(Dependence::none, 0);
    for (const std::size_t i : {0, 1, 2, 3})
        family.clouds[i].set_blocks(std::vector<std::uint64_t>(family.clouds[i].size(), 0));
    std::vector<std::uint64_t> labels;
    for (std::size_t i = 0; i < family.clouds[0].size(); ++i) labels.push_back(i);
    for (const std::size_t i : {0, 1}) family.clouds[i].set_blocks(labels);
    const std::vector<TestResult> results =
        test_pairs(family.clouds, std::vector<Pair>{{0, 1}, {2, 3}}, options(Statistic::blocks));
    EXPECT_EQ(results[0].p_max_t, results[0].p);
    EXPECT_FALSE(results[1].undefined.empty());
    EXPECT_TRUE(std::isnan(adjusted_p(results, Adjustment::max_t)[1]));
}

TEST(MaxT, ShowsProgressToTheEndAndCanBeStopped) {
    const Family family = Families(11).draw(Dependence::all_pairs, 0);
    TestOptions with = options();
    std::vector<double> shown;
    with.execution.progress = [&](double done) { shown.push_back(done); };
    (void)test_pairs(family.clouds, family.pairs, with);
    EXPECT_TRUE(std::ranges::is_sorted(shown));
    EXPECT_EQ(shown.back(), 1);
    std::stop_source stop;
    with.execution.stop = stop.get_token();
    with.execution.progress = [&](double done) {
        if (done > 0.5) stop.request_stop();  // while the maxima are counted
    };
    EXPECT_THROW((void)test_pairs(family.clouds, family.pairs, with), Cancelled);
}

WordStudyOptions study_options() {
    WordStudyOptions with{.test = options_of_many_tests(Alternative::two_sided)};
    with.test.permutations = 500;
    with.adjustment = Adjustment::max_t;
    return with;
}

TEST(MaxT, OfACompareIsThatOfItsPairs) {
    const TwoStores stores;
    const Store a(stores.a()), b(stores.b());
    const WordStudyOptions with = study_options();
    const Comparison found = compare(a, b, with);
    std::vector<Cloud> clouds;
    std::vector<Pair> pairs;
    for (const ComparedWord& word : found.words) {
        pairs.push_back({clouds.size(), clouds.size() + 1});
        for (const Store* store : {&a, &b})
            clouds.push_back(*study::cut_cloud({store, store->find(word.word), word.test.n}, with.test.seed).cloud);
    }
    TestOptions of_pairs = with.test;
    of_pairs.max_t = true;
    const std::vector<TestResult> expected = test_pairs(clouds, pairs, of_pairs);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(found.words[i].q, expected[i].p_max_t);
        EXPECT_EQ(found.words[i].test.p, expected[i].p);
        EXPECT_FALSE(found.words[i].test.stopped_early);
    }
    EXPECT_EQ(found.options.test.adaptive, 0U);
}

TEST(MaxT, OfATriageIsThatOfItsPairs) {
    const TwoStores stores;
    const Store store(stores.a());
    const WordStudyOptions with = study_options();
    const Triage found = triage(store, {{"even", "loose"}, "list.txt", {"only", "tight"}, "more.txt"}, with);
    std::vector<Cloud> clouds;
    const auto add = [&](const std::string& word) {
        clouds.push_back(*study::cut_cloud({&store, store.find(word), found.common_size}, with.test.seed).cloud);
    };
    for (const ReferenceWord& reference : found.references) add(reference.word);
    std::vector<Pair> pairs;
    for (const Candidate& candidate : found.candidates) {
        for (std::size_t k = 0; k < found.references.size(); ++k) pairs.push_back({clouds.size(), k});
        add(candidate.word);
    }
    TestOptions of_pairs = with.test;
    of_pairs.alternative = Alternative::greater;
    of_pairs.max_t = true;
    const std::vector<TestResult> expected = test_pairs(clouds, pairs, of_pairs);
    std::size_t next = 0;
    for (const Candidate& candidate : found.candidates)
        for (const ReferenceTest& test : candidate.tests) EXPECT_EQ(test.q, expected[next++].p_max_t);
    EXPECT_EQ(next, 4U);
}

}  // namespace
}  // namespace wordbreadth
