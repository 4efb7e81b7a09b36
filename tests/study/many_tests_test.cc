#include "study/many_tests.h"

#include <gtest/gtest.h>

#include "study/random_clouds.h"

namespace wordbreadth {
namespace {

using testing::random_cloud;

std::vector<Cloud> clouds() {
    std::vector<Cloud> made;
    for (std::uint64_t i = 0; i < 6; ++i) made.push_back(random_cloud("c" + std::to_string(i), {}, i));
    return made;
}

const std::vector<Pair> pairs{{0, 1}, {2, 3}, {4, 5}, {1, 2}};

TEST(TestForRates, GivesEveryTestItsOwnSeedWhereSplitsAreFew) {
    TestOptions options;
    options.permutations = 500;
    options.seed = 3;
    const std::vector<Cloud> all = clouds();
    const std::vector<TestResult> results = test_for_rates(all, pairs, options);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        EXPECT_EQ(results[i].seed, study::test_seed(3, i));
        TestOptions own = options;
        own.seed = study::test_seed(3, i);
        EXPECT_EQ(results[i].p, test(all[pairs[i].x], all[pairs[i].y], own).p);
    }
}

TEST(TestForRates, SharesSplitsWhereTheyAreMany) {
    TestOptions options;
    options.seed = 3;
    for (const TestResult& result : test_for_rates(clouds(), pairs, options)) EXPECT_EQ(result.seed, 3U);
}

TEST(TestForRates, DoesNotDependOnThreads) {
    TestOptions options;
    options.permutations = 300;
    std::vector<std::vector<double>> p(2);
    for (unsigned threads = 1; threads <= 2; ++threads) {
        options.execution.threads = threads;
        for (const TestResult& result : test_for_rates(clouds(), pairs, options)) p[threads - 1].push_back(result.p);
    }
    EXPECT_EQ(p[0], p[1]);
}

TEST(HarmlessLimit, ChangesNoVerdict) {
    TestOptions options;
    options.permutations = 999;
    const std::vector<Cloud> all = clouds();
    for (const double alpha : {0.01, 0.2, 0.5})
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            options.seed = seed;
            options.adaptive = 0;
            const double full = test(all[0], all[1], options).p;
            options.adaptive = study::harmless_limit(alpha, options.permutations);
            EXPECT_EQ(full <= alpha, test(all[0], all[1], options).p <= alpha) << alpha << ", seed " << seed;
        }
}

TEST(HarmlessLimit, IsTheFirstCountThatCannotReject) {
    EXPECT_EQ(study::harmless_limit(0.01, 20000), 201U);
    EXPECT_EQ(study::harmless_limit(0.05, 99), 6U);
}

TEST(RejectionRate, LeavesOutTestsThatAreUndefined) {
    const std::vector<double> p{0.01, 0.05, 0.051, NAN};
    const Rate rate = rejection_rate(p, 0.05);
    EXPECT_EQ(rate.hits, 2U);
    EXPECT_EQ(rate.trials, 3U);
}

}  // namespace
}  // namespace wordbreadth
