#include "report/results.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/result.h"

namespace wordbreadth::report {
namespace {

TEST(Json, HoldsEveryNumberAtFullPrecision) {
    const TestResult result = example();
    const auto json = nlohmann::json::parse(text_of(json_of(result, "")));
    EXPECT_EQ(json["T"], result.T);
    EXPECT_EQ(json["p"], result.p);
    EXPECT_EQ(json["ci"][0], result.ci_low);
    EXPECT_EQ(json["ci"][1], result.ci_high);
    EXPECT_EQ(json["alternative"], "two-sided");
    EXPECT_EQ(json["align"], "householder");
    EXPECT_EQ(json["ci_low"], result.ci_low);
    EXPECT_EQ(json["ci_high"], result.ci_high);
    for (const char* key : {"t", "undefined", "tail", "tail_p", "forced", "x_source"})
        EXPECT_TRUE(json.at(key).is_null()) << key;
}

TEST(Json, WritesNullForNanAndInfinity) {
    const auto json = nlohmann::json::parse(text_of(json_of(undefined_example(), "")));
    for (const char* key : {"T", "p", "standard_error"}) EXPECT_TRUE(json[key].is_null()) << key;
    EXPECT_TRUE(json["ci"][0].is_null());
    EXPECT_EQ(json["undefined"], "flat: its rows cancel out");
}

TEST(Json, HoldsTheLargestSeed) {
    TestResult result = example();
    result.seed = 18446744073709551615U;
    EXPECT_EQ(nlohmann::json::parse(text_of(json_of(result, "")))["seed"], 18446744073709551615U);
}

TEST(Json, StaysValidForNamesThatAreNotUtf8) {
    TestResult result = example();
    result.x = "bank\xff\n\"";
    EXPECT_EQ(nlohmann::json::parse(text_of(json_of(result, "")))["x"], "bank\uFFFD\n\"");
}

TEST(Json, OfPairsCarriesTheAdjustedP) {
    const std::vector<TestResult> results = {example(), undefined_example()};
    const std::vector<double> q = {0.01, std::nan("")};
    const auto json = json_of(TestedPairs{.results = TestResults(results), .adjusted = q, .seconds = 1.5});
    EXPECT_EQ(json["seconds"], 1.5);
    EXPECT_EQ(json["results"][0]["p_adjusted"], 0.01);
    EXPECT_TRUE(json["results"][1]["p_adjusted"].is_null());
}

TEST(Json, ThatIsWrittenAsItIsMadeIsTheSameText) {
    for (const std::size_t size : {0U, 1U, 1300U}) {
        std::vector<TestResult> results(size, example());
        for (std::size_t i = 0; i < size; ++i) results[i].x = "\n  \"results\": []" + std::to_string(i);
        const TestedPairs pairs{.results = TestResults(results), .adjusted = std::vector<double>(size, 0.5)};
        const Table table = table_of(pairs);
        std::string written;
        write_json(
            json_without_results(pairs), "results", size, [&](std::size_t i) { return json_of(pairs, table, i); }, 3,
            [&](std::string_view text) { written += text; });
        EXPECT_EQ(written, text_of(json_of(pairs))) << size;
    }
}

}  // namespace
}  // namespace wordbreadth::report
