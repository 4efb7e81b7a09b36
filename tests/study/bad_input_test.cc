// What docs/method.md refuses ("What is refused"): an error says where and why; a number is never returned.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "study/random_clouds.h"
#include "support/errors.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth {
namespace {

using testing::random_cloud;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

void expect_parts(const std::string& message, const std::vector<std::string>& parts) {
    for (const std::string& part : parts)
        EXPECT_NE(message.find(part), std::string::npos) << '"' << part << "\" is missing in: " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

struct BadCloud {
    const char* what;
    std::vector<double> values;
    std::size_t dimension;
    std::vector<std::string> message;  // parts of it, besides the cloud's name and file
};

class BadCloudTest : public ::testing::TestWithParam<BadCloud> {};

TEST_P(BadCloudTest, IsRefusedByNameAndFile) {
    const BadCloud& bad = GetParam();
    const std::string message = error_of([&] { Cloud("bank", bad.values, bad.dimension, "clouds.npz"); });
    expect_parts(message, {"bank", "clouds.npz"});
    expect_parts(message, bad.message);
}

const std::vector<BadCloud> bad_clouds{
    {"NoRows", {}, 3, {"0 rows", "at least 2"}},
    {"OneRow", {1, 2, 3}, 3, {"1 row", "at least 2"}},
    {"NoDimension", {1, 2, 3, 4}, 0, {"0 dimensions"}},
    {"OneDimension", {1, 2, 3, 4}, 1, {"1 dimension"}},
    {"HalfARow", {1, 2, 3, 4, 5}, 2, {"5 values"}},
    {"Nan", {1, 2, 3, nan}, 2, {"row 1", "nan"}},
    {"Infinity", {1, inf, 3, 4}, 2, {"row 0", "inf"}},
    {"MinusInfinity", {1, 2, -inf, 4}, 2, {"row 1", "inf"}},
    {"ZeroRow", {1, 2, 3, 4, 0, 0}, 2, {"row 2", "zero"}},
    {"EqualRows", {1, 2, 1, 2, 1, 2}, 2, {"all 3 rows", "r = 1"}},
    {"EqualRowsOfDifferentLengths", {1, 2, 3, 6, 0.1, 0.2}, 2, {"all 3 rows", "r = 1"}},
    {"RowsThatCancelOut", {1, 2, 3, -1, -2, -3, 4, 0, 1, -4, 0, -1}, 3, {"4 rows cancel out", "no mean direction"}},
    {"RowsThatCancelOutButForRounding", {0.1, 0.7, 0.3, -0.2, -1.4, -0.6}, 3, {"2 rows cancel out"}},
};

INSTANTIATE_TEST_SUITE_P(Cloud, BadCloudTest, ::testing::ValuesIn(bad_clouds),
                         [](const auto& tested) { return std::string(tested.param.what); });

Cloud good(const std::string& name, std::size_t d = 6) {
    return random_cloud(name, {.n = 9, .d = d}, 3);
}

// Rows that point away from each other, without cancelling: mean pairwise cosine -0.2.
Cloud scattered(const std::string& name) {
    return {name, {1, 0, 0, -0.6, 0.8, 0, 0, 0, 1}, 3};
}

TEST(BadPair, DifferentDimensionsNameBothClouds) {
    const std::string message = error_of([] { (void)test(good("bank", 6), good("river", 7)); });
    expect_parts(message, {"bank", "river", "6", "7"});
}

TEST(BadPair, AnUndefinedRobustStatisticNamesItsCloud) {
    TestOptions options;
    options.statistic = Statistic::robust;
    options.permutations = 50;
    expect_parts(error_of([&] { (void)test(scattered("dust"), good("bank", 3), options); }), {"dust", "robust"});
    expect_parts(error_of([&] { (void)test(good("bank", 3), scattered("dust"), options); }), {"dust", "robust"});
}

TEST(BadPair, WithoutARobustStatisticMayHaveAPlainOne) {
    TestOptions options;
    options.permutations = 50;
    const TestResult result = test(scattered("dust"), good("bank", 3), options);
    EXPECT_GT(result.p, 0);
    EXPECT_TRUE(std::isnan(result.standard_error));
    EXPECT_TRUE(std::isnan(breadth(scattered("dust")).log_v_standard_error));
}

TEST(BadPair, MoreRowsThanTheLimitNameTheLimit) {
    const std::size_t half = limits::rows_of_a_pair / 2 + 1;
    const Cloud x = random_cloud("bank", {.n = half, .d = 2}, 1);
    const Cloud y = random_cloud("river", {.n = half, .d = 2}, 2);
    expect_parts(error_of([&] { (void)test(x, y); }),
                 {"bank", "river", std::to_string(2 * half), std::to_string(limits::rows_of_a_pair)});
}

TEST(BadPair, AmongOthersKeepsItsReasonAndTheOthersTheirResults) {
    const std::vector<Cloud> clouds{good("bank", 3), scattered("dust"), random_cloud("river", {.n = 9, .d = 3}, 4)};
    const std::vector<Pair> pairs{{0, 2}, {0, 1}, {2, 0}};
    TestOptions options;
    options.statistic = Statistic::robust;
    options.permutations = 50;
    const auto results = test_pairs(clouds, pairs, options);
    ASSERT_EQ(results.size(), 3u);
    EXPECT_TRUE(std::isnan(results[1].p));
    expect_parts(results[1].undefined, {"dust"});
    for (const std::size_t k : {0, 2}) {
        EXPECT_TRUE(results[k].undefined.empty());
        EXPECT_GT(results[k].p, 0);
    }
}

TEST(BadPair, OutsideTheCloudsIsRefused) {
    const std::vector<Cloud> clouds{good("bank"), good("river")};
    const std::vector<Pair> pairs{{0, 2}};
    expect_parts(error_of([&] { (void)test_pairs(clouds, pairs); }), {"2"});
}

struct BadOption {
    const char* what;
    std::function<void(TestOptions&)> set;
    std::vector<std::string> message;
};

class BadOptionTest : public ::testing::TestWithParam<BadOption> {};

TEST_P(BadOptionTest, IsRefusedWithTheValueFound) {
    TestOptions options;
    options.permutations = 50;
    GetParam().set(options);
    expect_parts(error_of([&] { (void)test(good("bank"), good("river"), options); }), GetParam().message);
}

const std::vector<BadOption> bad_options{
    {"NoPermutations", [](TestOptions& o) { o.permutations = 0; }, {"permutations", "0"}},
    {"TooManyPermutations",
     [](TestOptions& o) { o.permutations = limits::permutations + 1; },
     {"permutations", std::to_string(limits::permutations)}},
    {"TooManyNullValues",
     [](TestOptions& o) {
         o.null_distribution = true;
         o.permutations = limits::null_distribution + 1;
     },
     {"null distribution", std::to_string(limits::null_distribution)}},
    {"ConfidenceZero", [](TestOptions& o) { o.confidence = 0; }, {"confidence"}},
    {"ConfidenceOne", [](TestOptions& o) { o.confidence = 1; }, {"confidence"}},
    {"ConfidenceInPercent", [](TestOptions& o) { o.confidence = 95; }, {"confidence", "95"}},
    {"ConfidenceNegative", [](TestOptions& o) { o.confidence = -0.5; }, {"confidence", "-0.5"}},
    {"ConfidenceNan", [](TestOptions& o) { o.confidence = nan; }, {"confidence", "nan"}},
    {"UnknownDevice", [](TestOptions& o) { o.execution.device = "abacus"; }, {"abacus", "cpu"}},
    {"UnknownInstructionSet",
     [](TestOptions& o) {
         o.execution.device = "cpu";
         o.execution.instruction_set = "mmx";
     },
     {"mmx"}},
    {"TooManyThreads",
     [](TestOptions& o) { o.execution.threads = limits::threads + 1; },
     {"threads", std::to_string(limits::threads)}},
};

INSTANTIATE_TEST_SUITE_P(Option, BadOptionTest, ::testing::ValuesIn(bad_options),
                         [](const auto& tested) { return std::string(tested.param.what); });

}  // namespace
}  // namespace wordbreadth
