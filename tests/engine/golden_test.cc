// The answers that came with the method.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/gpu.h"
#include "wordbreadth/wordbreadth.h"

namespace wordbreadth {
namespace {

const std::string folder = std::string(TESTS_DIR) + "/data/golden/";

TestOptions options_of(const nlohmann::json& golden, const std::string& device) {
    TestOptions options;
    options.align = golden["align"] == "none" ? Alignment::none : Alignment::householder;
    options.statistic = golden.value("statistic", "") == "robust" ? Statistic::robust : Statistic::plain;
    options.alternative = golden["alternative"] == "greater" ? Alternative::greater
                          : golden["alternative"] == "less"  ? Alternative::less
                                                             : Alternative::two_sided;
    options.seed = golden["seed"];
    options.permutations = golden["permutations"];
    options.execution.device = device;
    return options;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, CountsStatisticsAndPValuesAreThoseOfTheMethod) {
    if (GetParam() == "cuda") WORDBREADTH_NEEDS_GPU();
    const nlohmann::json cases = nlohmann::json::parse(std::ifstream(folder + "cases.json"))["cases"];
    ASSERT_EQ(cases.size(), 96U);
    for (const nlohmann::json& golden : cases) {
        const Cloud x = load_cloud(folder + golden["x"].get<std::string>());
        const Cloud y = load_cloud(folder + golden["y"].get<std::string>());
        const TestResult result = test(x, y, options_of(golden, GetParam()));
        EXPECT_EQ(result.exceedances, golden["exceedances"].get<std::uint64_t>()) << golden;
        EXPECT_DOUBLE_EQ(result.p, golden["p"].get<double>()) << golden;
        EXPECT_NEAR(result.t.value_or(result.T), golden["value"].get<double>(), 1e-10) << golden;
    }
}

TEST_P(Golden, BlocksCountAsInTheMethod) {
    if (GetParam() == "cuda") WORDBREADTH_NEEDS_GPU();
    const nlohmann::json cases = nlohmann::json::parse(std::ifstream(folder + "blocks.json"))["cases"];
    ASSERT_EQ(cases.size(), 72U);
    for (const nlohmann::json& golden : cases) {
        Cloud x = load_cloud(folder + golden["x"].get<std::string>());
        Cloud y = load_cloud(folder + golden["y"].get<std::string>());
        x.set_blocks(golden["blocks_x"].get<std::vector<std::uint64_t>>());
        y.set_blocks(golden["blocks_y"].get<std::vector<std::uint64_t>>());
        TestOptions options = options_of(golden, GetParam());
        options.statistic = Statistic::automatic;
        const TestResult result = test(x, y, options);
        EXPECT_EQ(result.statistic, Statistic::blocks);
        EXPECT_EQ(result.exceedances, golden["exceedances"].get<std::uint64_t>()) << golden;
        EXPECT_DOUBLE_EQ(result.p, golden["p"].get<double>()) << golden;
        EXPECT_NEAR(result.effect, golden["T"].get<double>(), 1e-10) << golden;
        EXPECT_NEAR(result.t.value(), golden["t"].get<double>(), 1e-10) << golden;
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, Golden, testing::Values("cpu", "cuda", "reference"));

}  // namespace
}  // namespace wordbreadth
