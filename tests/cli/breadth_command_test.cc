// wordbreadth breadth.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/cloud_files.h"
#include "support/program.h"
#include "wordbreadth/breadth.h"
#include "wordbreadth/files.h"

namespace wordbreadth::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string two_clouds() {
    return safetensors_bytes(
        {{"narrow", cloud_values(1, {.n = 20, .spread = 0.2})}, {"wide", cloud_values(2, {.n = 30, .spread = 0.9})}},
        8);
}

TEST(BreadthCommand, GivesTheNumbersOfTheLibrary) {
    const TemporaryFile file = npy_file(1, {.n = 12});
    const Outcome outcome = run({"breadth", file.path(), "--format", "json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json result = Json::parse(outcome.out)["results"][0];
    const Breadth expected = breadth(load_cloud(file.path()));
    EXPECT_EQ(result["file"], file.path());
    EXPECT_EQ(result["n"], 12);
    EXPECT_EQ(result["d"], 8);
    EXPECT_EQ(result["r"], expected.r);
    EXPECT_EQ(result["kappa"], expected.kappa);
    EXPECT_EQ(result["v"], expected.v);
    EXPECT_EQ(result["standard_error"], expected.v_standard_error);
    EXPECT_EQ(result["log_v_standard_error"], expected.log_v_standard_error);
}

TEST(BreadthCommand, TakesAllCloudsOfAFileOrTheOneNamed) {
    const TemporaryFile file(".safetensors", two_clouds());
    const Json all = Json::parse(run({"breadth", file.path(), "--format", "json"}).out)["results"];
    const Json one = Json::parse(run({"breadth", file.path() + ":wide", "--format", "json"}).out)["results"];
    ASSERT_EQ(all.size(), 2U);
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one[0], all[1]);
}

TEST(BreadthCommand, TsvHasOneLineACloudUnderItsTitles) {
    const TemporaryFile file(".safetensors", two_clouds());
    const auto lines = lines_of(run({"breadth", file.path(), "--format", "tsv"}).out);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0],
              "name\tfile\tn\td\tr\tkappa\tv\tstandard_error\tlog_v_standard_error\tundefined\tbreadth\t"
              "blocks\tdesign_effect");
    EXPECT_TRUE(lines[1].starts_with("narrow\t" + file.path() + "\t20\t8\t")) << lines[1];
    EXPECT_TRUE(lines[2].starts_with("wide\t" + file.path() + "\t30\t8\t")) << lines[2];
}

TEST(BreadthCommand, NamesTheFilesOnlyWhereThereAreSeveral) {
    const TemporaryFile x = npy_file(1, {.n = 12}), y = npy_file(2, {.n = 12});
    EXPECT_EQ(run({"breadth", x.path()}).out.find(x.path()), std::string::npos);
    const std::string both = run({"breadth", x.path(), y.path()}).out;
    EXPECT_NE(both.find(x.path()), std::string::npos);
    EXPECT_NE(both.find(y.path()), std::string::npos);
}

TEST(BreadthCommand, PrintsNothingWhenOneOfTheFilesIsBad) {
    const TemporaryFile good = npy_file(1, {.n = 12}), bad(".npy", "not an array");
    expect_one_line(run({"breadth", good.path(), bad.path()}), 2, bad.path());
}

TEST(BreadthCommand, ABadCloudGetsARowThatSaysWhyAndTheOthersAreComputed) {
    const TemporaryFile file(".safetensors", safetensors_bytes(bad_and_good_clouds(), 8));
    const Outcome outcome = run({"breadth", file.path(), "--format", "json"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(outcome.err.starts_with("wordbreadth: 5 of 7 clouds have no breadth: first: alike (")) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
    const Json results = Json::parse(outcome.out)["results"];
    ASSERT_EQ(results.size(), 7U);
    for (const Json& result : results) {
        const std::string name = result["name"];
        const bool good = name == "bank" || name == "river";
        EXPECT_EQ(result["undefined"].is_null(), good) << result;
        for (const char* key : {"r", "kappa", "v", "standard_error", "log_v_standard_error"})
            EXPECT_EQ(result[key].is_number(), good) << result;
        EXPECT_EQ(result["d"], 8);
    }
    EXPECT_EQ(results[0]["n"], 3);
    EXPECT_NE(results[0]["undefined"].get<std::string>().find("all 3 rows point the same way"), std::string::npos);

    const std::string text = run({"breadth", file.path()}).out;
    EXPECT_NE(text.find("\nno breadth: flat ("), std::string::npos) << text;
    EXPECT_NE(text.find("rows cancel out (r = 0)"), std::string::npos) << text;
}

TEST(BreadthCommand, DrawsRowsOnlyWithACommonSize) {
    const TemporaryFile file = npy_file(1, {.n = 12});
    expect_one_line(
        run({"breadth", file.path(), "--seed", "3"}), 2,
        "breadth: --seed has no effect without --common-size or --by-size; see `wordbreadth breadth --help`");
    expect_one_line(run({"breadth", file.path(), "--common-size", "1"}), 2, "expected a whole number from 2");
}

}  // namespace
}  // namespace wordbreadth::cli
