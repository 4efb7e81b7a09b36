#include "wordbreadth/cloud_source.h"

#include <gtest/gtest.h>

#include <cmath>

#include "study/random_clouds.h"
#include "support/array_testing.h"
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
