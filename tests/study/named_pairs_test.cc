#include "wordbreadth/cloud_source.h"

#include <gtest/gtest.h>

#include <cmath>

#include "study/random_clouds.h"
#include "support/array_testing.h"
#include "wordbreadth/adjust.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

NamedCloud named(const Cloud& cloud) {
    return {cloud.name(), cloud.origin(), cloud.size(), cloud.dimension(), cloud, {}};
}

TEST(NamedPairs, ThatDoNotGoTogetherDoNotStopTheOthers) {
    const Cloud x = testing::random_cloud("x", {.n = 9, .d = 6}, 1),
                y = testing::random_cloud("y", {.n = 8, .d = 6}, 2);
    const Cloud other = testing::random_cloud("other", {.n = 9, .d = 7}, 3);
    const std::vector<NamedCloud> clouds = {
        named(other), {"none", "a file", 1, 6, {}, "none: 1 row"}, named(x), named(y)};
    const std::vector<Pair> pairs = {{2, 0}, {2, 3}, {1, 3}};
    TestOptions options;
    options.permutations = 100;
    options.seed = 5;
    const std::vector<TestResult> results = test_named_pairs(clouds, pairs, options);
    ASSERT_EQ(results.size(), 3U);
    EXPECT_EQ(results[0].undefined, "x has 6 dimensions and other has 7; both must come from the same model and layer");
    EXPECT_EQ(results[2].undefined, "none: 1 row");
    EXPECT_EQ(results[2].x_source, "a file");
    EXPECT_EQ(results[2].n, 1U);
    for (const std::size_t i : {0, 2}) {
        EXPECT_TRUE(std::isnan(results[i].p));
        EXPECT_EQ(results[i].device, results[1].device);
        EXPECT_EQ(results[i].seed, 5U);
    }
    EXPECT_EQ(results[1].p, test(x, y, options).p);
    EXPECT_EQ(results[1].x, "x");
}

TEST(NamedPairs, ThatAreManyHaveTheSameResultsOneByOne) {
    std::vector<NamedCloud> clouds = {{"none", "a file", 1, 6, {}, "none: 1 row"}};
    for (std::uint64_t k = 0; k < 6; ++k)
        clouds.push_back(named(testing::random_cloud("c" + std::to_string(k), {.n = 9 + k / 3, .d = 6}, k)));
    std::vector<Pair> pairs;
    for (std::size_t x = 0; x < clouds.size(); ++x)
        for (std::size_t y = x + 1; y < clouds.size(); ++y) pairs.push_back({x, y});
    TestOptions options;
    options.permutations = 200;
    options.tail_estimate = true;
    for (const bool max_t : {false, true}) {
        options.max_t = max_t;
        const std::vector<TestResult> expected = test_named_pairs(clouds, pairs, options);
        const TestResults found = test_many_named_pairs(clouds, pairs, options);
        ASSERT_EQ(found.size(), pairs.size());
        EXPECT_EQ(found.p_max_t.size(), max_t ? pairs.size() : 0);
        for (std::size_t i = pairs.size(); i-- > 0;) {  // in any order
            const TestResult result = found.result(i);
            EXPECT_EQ(result.x, clouds[pairs[i].x].name);
            EXPECT_EQ(result.y, clouds[pairs[i].y].name);
            EXPECT_EQ(result.undefined, pairs[i].x == 0 ? "none: 1 row" : "");
            EXPECT_EQ(result.exceedances, expected[i].exceedances);
            EXPECT_EQ(result.tail.has_value(), expected[i].tail.has_value());
            if (pairs[i].x == 0) {
                EXPECT_TRUE(std::isnan(result.p) && std::isnan(found.p[i]));
                continue;
            }
            EXPECT_EQ(found.p[i], result.p);
            EXPECT_EQ(result.p, test(*clouds[pairs[i].x].cloud, *clouds[pairs[i].y].cloud, options).p);
            if (max_t) {
                EXPECT_EQ(found.p_max_t[i], expected[i].p_max_t);
            }
        }
        if (max_t) {
            EXPECT_TRUE(std::isnan(adjusted_p(found, Adjustment::max_t)[0]));
        }
    }
}

TEST(NamedClouds, ThatCannotBeReadSayWhy) {
    const CloudSource source(arrays::fixture("types.safetensors"));
    std::size_t good = 0;
    for (const std::string& name : source.names()) {
        const NamedCloud cloud = source.read(name, {});
        EXPECT_EQ(cloud.cloud.has_value(), cloud.reason.empty()) << name;
        EXPECT_EQ(cloud.name, name);
        good += cloud.cloud ? 1 : 0;
    }
    EXPECT_GT(good, 0U);
    EXPECT_LT(good, source.names().size());
    EXPECT_THROW((void)source.read("nothing", {}), InputError);
}

}  // namespace
}  // namespace wordbreadth
