// The count, however it is obtained: early or in full, with its null distribution or without, one pair or many.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stop_token>
#include <tuple>

#include "study/random_clouds.h"
#include "support/naive.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth {
namespace {

using testing::random_cloud;
using testing::Shape;

struct Clouds {
    // Equal breadth: p is far from both ends, and an adaptive test stops.
    Cloud x = random_cloud("x", {.n = 23, .d = 17, .noise = 1.0}, 1);
    Cloud y = random_cloud("y", {.n = 14, .d = 17, .noise = 1.0, .axis = 3}, 2);
};

TestOptions drawn(Statistic statistic = Statistic::plain, Alternative alternative = Alternative::two_sided) {
    TestOptions options;
    options.statistic = statistic;
    options.alternative = alternative;
    options.permutations = 2003;
    options.seed = 5;
    return options;
}

constexpr std::array alternatives{Alternative::greater, Alternative::less, Alternative::two_sided};
constexpr std::array statistics{Statistic::plain, Statistic::robust};

// Which values are at least as extreme, as docs/method.md ("The test: T and p") defines it.
std::vector<bool> exceedances_in_order(const TestResult& result) {
    std::vector<bool> order;
    for (const double value : result.null_distribution)
        order.push_back(naive::exceeds(value, result.t.value_or(result.T), result.alternative));
    return order;
}

TEST(NullDistribution, HoldsOneValueASplitAndAgreesWithTheCount) {
    const Clouds clouds;
    for (const Statistic statistic : statistics)
        for (const Alternative alternative : alternatives) {
            TestOptions options = drawn(statistic, alternative);
            options.null_distribution = true;
            const TestResult result = test(clouds.x, clouds.y, options);
            const auto order = exceedances_in_order(result);
            ASSERT_EQ(order.size(), 2003u);
            EXPECT_EQ(std::count(order.begin(), order.end(), true), static_cast<std::ptrdiff_t>(result.exceedances));
            EXPECT_EQ(result.p, (1.0 + static_cast<double>(result.exceedances)) / 2004);
        }
}

TEST(NullDistribution, OfAllSplitsBeginsWithTheObservedOne) {
    const Cloud x = random_cloud("x", {.n = 5, .d = 4, .noise = 0.7}, 1);
    const Cloud y = random_cloud("y", {.n = 6, .d = 4, .noise = 0.7, .axis = 1}, 2);
    TestOptions options = drawn();
    options.null_distribution = true;
    const TestResult result = test(x, y, options);
    ASSERT_TRUE(result.exact);
    ASSERT_EQ(result.null_distribution.size(), 462u);
    EXPECT_EQ(result.permutations, 462u);
    EXPECT_NEAR(result.null_distribution[0], result.T, 1e-12);
    EXPECT_EQ(result.p, static_cast<double>(result.exceedances) / 462);
    EXPECT_GE(result.exceedances, 1u);
}

TEST(NullDistribution, IsNotKeptUnasked) {
    const Clouds clouds;
    EXPECT_TRUE(test(clouds.x, clouds.y, drawn()).null_distribution.empty());
}

struct Stop {
    std::uint64_t exceedances = 0;
    std::uint64_t split = 0;  // the number of the last split looked at
};

// Besag and Clifford's rule by its definition: through the fixed sequence until the h-th exceedance.
Stop stop_by_definition(const std::vector<bool>& order, std::uint64_t h) {
    Stop stop;
    while (stop.exceedances < h && stop.split < order.size()) stop.exceedances += order[stop.split++];
    return stop;
}

TEST(Adaptive, StopsAtTheSplitThatTheSequenceSays) {
    const Clouds clouds;
    for (const Statistic statistic : statistics)
        for (const Alternative alternative : alternatives) {
            TestOptions options = drawn(statistic, alternative);
            options.null_distribution = true;
            const TestResult full = test(clouds.x, clouds.y, options);
            const auto order = exceedances_in_order(full);
            options.null_distribution = false;
            for (const std::uint64_t h : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{37}, full.exceedances}) {
                const Stop expected = stop_by_definition(order, h);
                ASSERT_EQ(expected.exceedances, h) << "the clouds must be alike enough for a stop";
                options.adaptive = h;
                for (const auto& [threads, block] : {std::pair{1U, 0U}, {2U, 1U}, {3U, 16U}, {2U, 333U}}) {
                    options.execution.threads = threads;
                    options.execution.block = block;
                    const TestResult result = test(clouds.x, clouds.y, options);
                    EXPECT_TRUE(result.stopped_early);
                    EXPECT_EQ(result.exceedances, h);
                    EXPECT_EQ(result.permutations, expected.split) << threads << " threads, block " << block;
                    EXPECT_EQ(result.p, static_cast<double>(h) / static_cast<double>(expected.split));
                }
            }
        }
}

TEST(Adaptive, DoesNotStopBeforeItsLimitIsReached) {
    const Clouds clouds;
    TestOptions options = drawn();
    const TestResult full = test(clouds.x, clouds.y, options);
    options.adaptive = full.exceedances + 1;
    const TestResult result = test(clouds.x, clouds.y, options);
    EXPECT_FALSE(result.stopped_early);
    EXPECT_EQ(result.exceedances, full.exceedances);
    EXPECT_EQ(result.permutations, 2003u);
    EXPECT_EQ(result.p, full.p);
}

TEST(Execution, NeitherThreadsNorBlocksChangeAResult) {
    const Clouds clouds;
    for (const Statistic statistic : statistics)
        for (const std::uint64_t adaptive : {0, 7}) {
            TestOptions options = drawn(statistic);
            options.adaptive = adaptive;
            options.null_distribution = true;
            const TestResult expected = test(clouds.x, clouds.y, options);
            for (const unsigned threads : {1, 2, 3, 8})
                for (const std::size_t block : {1, 16, 17, 640, 5000}) {
                    options.execution.threads = threads;
                    options.execution.block = block;
                    const TestResult result = test(clouds.x, clouds.y, options);
                    EXPECT_EQ(result.exceedances, expected.exceedances) << threads << " threads, block " << block;
                    EXPECT_EQ(result.permutations, expected.permutations) << threads << " threads, block " << block;
                    EXPECT_EQ(result.p, expected.p);
                    EXPECT_EQ(result.null_distribution, expected.null_distribution);
                }
        }
}

TEST(Execution, EveryDeviceAndInstructionSetCountsAlike) {
    const Clouds clouds;
    for (const Statistic statistic : statistics) {
        TestOptions options = drawn(statistic);
        options.execution.device = "reference";
        const std::uint64_t expected = test(clouds.x, clouds.y, options).exceedances;
        for (const Device& device : devices()) {
            if (!device.available || !device.exact) continue;
            options.execution.device = device.name;
            options.execution.instruction_set.clear();
            EXPECT_EQ(test(clouds.x, clouds.y, options).exceedances, expected) << device.name;
            for (const std::string& set : device.instruction_sets) {
                options.execution.instruction_set = set;
                const TestResult result = test(clouds.x, clouds.y, options);
                EXPECT_EQ(result.exceedances, expected) << device.name << ' ' << set;
                EXPECT_NE(result.device.find(set), std::string::npos) << "forced " << set << ", ran " << result.device;
            }
        }
    }
}

TEST(Execution, ProgressNeverFallsAndEndsAtOne) {
    const Clouds clouds;
    for (const std::uint64_t adaptive : {0, 3})
        for (const bool null_distribution : {false, true}) {
            std::vector<double> shares;
            TestOptions options = drawn();
            options.adaptive = adaptive;
            options.null_distribution = null_distribution;
            options.execution.block = 100;
            options.execution.progress = [&](double done) { shares.push_back(done); };
            (void)test(clouds.x, clouds.y, options);
            ASSERT_FALSE(shares.empty());
            EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
            EXPECT_GE(shares.front(), 0);
            EXPECT_EQ(shares.back(), 1);
        }
}

TEST(Execution, ARequestToStopBeforeTheStartCancels) {
    const Clouds clouds;
    std::stop_source source;
    TestOptions options = drawn();
    options.execution.stop = source.get_token();
    source.request_stop();
    EXPECT_THROW((void)test(clouds.x, clouds.y, options), Cancelled);
}

TEST(Execution, ARequestToStopOnTheWayCancels) {
    const Clouds clouds;
    std::stop_source source;
    TestOptions options = drawn();
    options.permutations = 10'000'000'000;  // more than anyone would wait for
    options.execution.stop = source.get_token();
    options.execution.progress = [&](double) { source.request_stop(); };
    EXPECT_THROW((void)test(clouds.x, clouds.y, options), Cancelled);
}

// Clouds of several sizes, so that some pairs share splits and others do not.
std::vector<Cloud> several() {
    std::vector<Cloud> clouds;
    for (std::size_t k = 0; k < 7; ++k)
        clouds.push_back(random_cloud(
            "c" + std::to_string(k),
            {.n = 12 + 5 * (k % 3), .d = 17, .noise = 0.8 + 0.1 * static_cast<double>(k), .axis = k}, 100 + k));
    return clouds;
}

void expect_equal(const TestResult& found, const TestResult& expected) {
    const auto fields = [](const TestResult& r) {
        return std::tie(r.x, r.y, r.n, r.m, r.d, r.r_x, r.r_y, r.v_x, r.v_y, r.T, r.ratio, r.t, r.standard_error,
                        r.ci_low, r.ci_high, r.p, r.exceedances, r.permutations, r.exact, r.stopped_early, r.seed,
                        r.device, r.undefined, r.null_distribution);
    };
    EXPECT_TRUE(fields(found) == fields(expected)) << expected.x << " and " << expected.y << ": " << found.exceedances
                                                   << " exceedances, alone " << expected.exceedances;
}

TEST(TestPairs, EqualsTheTestsOneByOne) {
    const std::vector<Cloud> clouds = several();
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < clouds.size(); ++i)
        for (std::size_t j = 0; j < clouds.size(); ++j)
            if (i != j) pairs.push_back({i, j});
    for (const Statistic statistic : statistics)
        for (const std::uint64_t adaptive : {0, 5}) {
            TestOptions options = drawn(statistic);
            options.permutations = 700;
            options.adaptive = adaptive;
            options.null_distribution = true;
            const auto results = test_pairs(clouds, pairs, options);
            ASSERT_EQ(results.size(), pairs.size());
            for (std::size_t k = 0; k < pairs.size(); ++k)
                expect_equal(results[k], test(clouds[pairs[k].x], clouds[pairs[k].y], options));
        }
}

TEST(TestPairs, OfNoPairsIsEmpty) {
    EXPECT_TRUE(test_pairs(several(), {}, drawn()).empty());
}

TEST(TestPairs, APairTwiceGivesItsResultTwice) {
    const std::vector<Cloud> clouds = several();
    const std::vector<Pair> pairs{{0, 1}, {0, 1}};
    const auto results = test_pairs(clouds, pairs, drawn());
    expect_equal(results[1], results[0]);
}

}  // namespace
}  // namespace wordbreadth
