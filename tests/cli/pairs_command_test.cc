// wordbreadth pairs.
#include <gtest/gtest.h>
#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/cloud_files.h"
#include "support/program.h"

namespace wordbreadth::cli {
namespace {

using Json = nlohmann::ordered_json;

// Four clouds: "bank" is far broader than "river" and "银行", which are alike; "flat" has no mean direction, so no pair
// of it has a p-value.
class PairsCommand : public testing::Test {
  protected:
    const TemporaryFile clouds{".safetensors", safetensors_bytes({{"bank", cloud_values(1, {.n = 20, .spread = 1.4})},
                                                                  {"river", cloud_values(2, {.n = 22, .spread = 0.4})},
                                                                  {"银行", cloud_values(2, {.n = 24, .spread = 0.4})},
                                                                  {"flat", cancelling_values(8)}},
                                                                 8)};

    // The call with a pair list of that content.
    [[nodiscard]] Outcome run_list(const std::string& list, const std::string& format = "json") const {
        const TemporaryFile file(".tsv", list);
        return run({"pairs", clouds.path(), "--pairs", file.path(), "--permutations", "300", "--format", format});
    }
};

TEST_F(PairsCommand, GivesTheResultsOfTheSingleTestsInTheOrderOfTheList) {
    const Outcome outcome = run_list("river\t银行\nbank\triver\n");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json results = Json::parse(outcome.out)["results"];
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results[0]["x"], "river");
    EXPECT_EQ(results[0]["y"], "银行");
    const Json alone = Json::parse(
        run({"test", clouds.path() + ":bank", clouds.path() + ":river", "--permutations", "300", "--format", "json"})
            .out);
    for (const char* key : {"x", "y", "n", "m", "T", "p", "exceedances", "ci"})
        EXPECT_EQ(results[1][key], alone[key]) << key;
}

TEST_F(PairsCommand, AdjustsByMaxT) {
    const TemporaryFile list(".tsv", "bank\triver\nriver\t银行\nbank\t银行\n");
    Arguments call = {"pairs",  clouds.path(),    "--pairs", list.path(), "--statistic",
                      "robust", "--permutations", "300",     "--adjust",  "maxT"};
    const Outcome text = run(call);
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("p (maxT)"), std::string::npos) << text.out;
    call.insert(call.end(), {"--format", "json"});
    const Json json = Json::parse(run(call).out);
    EXPECT_EQ(json["adjust"], "maxT");
    for (const Json& result : json["results"]) EXPECT_GE(result["p_adjusted"], result["p"]);
    Arguments by_holm = call;
    std::ranges::replace(by_holm, "maxT", "holm");
    // The clearest of the three: Holm triples its p, maxT asks the permutations.
    const Json holm = Json::parse(run(by_holm).out);
    EXPECT_LT(json["results"][0]["p_adjusted"], holm["results"][0]["p_adjusted"]);
    call.insert(call.end(), {"--adaptive", "10"});
    expect_one_line(run(call), 2, "--adaptive has no effect with --adjust maxT, which looks at every permutation");
}

TEST_F(PairsCommand, AcceptsCommentsBlankLinesAndWindowsLineEnds) {
    const Outcome outcome = run_list("\xef\xbb\xbf# x\ty\r\n\r\nbank\triver\r\n\nriver\t银行");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out)["results"].size(), 2U);
}

TEST_F(PairsCommand, ReadsOnlyTheCloudsListed) {
    // "flat" is a cloud; one that cannot be a cloud at all must not matter either.
    const TemporaryFile file(".safetensors", safetensors_bytes({{"bank", cloud_values(1, {.n = 20})},
                                                                {"river", cloud_values(2, {.n = 22})},
                                                                {"zeros", std::vector<double>(16, 0.0)}},
                                                               8));
    const TemporaryFile list(".tsv", "bank\triver\n");
    EXPECT_EQ(run({"pairs", file.path(), "--pairs", list.path(), "--permutations", "100"}).code, 0);
    const Outcome all = run({"pairs", file.path(), "--all", "--permutations", "100"});
    EXPECT_EQ(all.code, 2);
    EXPECT_NE(all.err.find("2 of 3 pairs have no p-value: first: bank and zeros: zeros ("), std::string::npos);
}

TEST_F(PairsCommand, NamesFileAndLineOfABadList) {
    const std::vector<std::pair<std::string, std::string>> lists = {
        {"bank\triver\nbank river\n", ".tsv:2: 1 field; expected two cloud names"},
        {"bank\triver\textra\n", ".tsv:1: 3 fields; expected two cloud names"},
        {"# words\n\nbank\t\n", ".tsv:3: a cloud name is empty"},
        {"bank\triver\nbank\trivver\n", ".tsv:2: " + clouds.path() + ": has no array \"rivver\""},
        {"# nothing\n", "lists no pairs"},
    };
    for (const auto& [list, part] : lists) expect_one_line(run_list(list), 2, part);
}

TEST_F(PairsCommand, RefusesBadCallsInOneLine) {
    const std::string path = clouds.path();
    const TemporaryFile one = npy_file(1, {.n = 12});
    expect_one_line(run({"pairs"}), 2, "CLOUDS is required; see `wordbreadth pairs --help`");
    expect_one_line(run({"pairs", path}), 2, "expected one of --pairs FILE.tsv, --all and --gap");
    expect_one_line(run({"pairs", path, "--all", "--pairs", "x.tsv"}), 2,
                    "expected one of --pairs FILE.tsv, --all and --gap");
    expect_one_line(run({"pairs", path, "--pairs", "none.tsv"}), 2, "none.tsv: cannot be read");
    expect_one_line(run({"pairs", path, "--pairs", TESTS_DIR}), 2, "cannot be read");
    expect_one_line(run({"pairs", path, "--all", "--adjust", "all"}), 2, "--adjust all: expected bh|by|holm|maxT|none");
    expect_one_line(run({"pairs", path, "--all", "--permutations", "0"}), 2, "--permutations 0: expected");
    expect_one_line(run({"pairs", "none.npz", "--all"}), 2, "none.npz: no such file");
    expect_one_line(run({"pairs", one.path(), "--all"}), 2, "holds one cloud");
}

TEST_F(PairsCommand, PrintsAllResultsAndOneLineWhenSomeHaveNoPValue) {
    const Outcome outcome = run({"pairs", clouds.path(), "--all", "--permutations", "300", "--format", "json"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(outcome.err.starts_with("wordbreadth: 3 of 6 pairs have no p-value: first: bank and flat: "))
        << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
    const Json results = Json::parse(outcome.out)["results"];
    ASSERT_EQ(results.size(), 6U);
    for (const Json& result : results) {
        const bool flat = result["x"] == "flat" || result["y"] == "flat";
        EXPECT_EQ(result["p"].is_null(), flat) << result;
        EXPECT_EQ(result["p_adjusted"].is_null(), flat) << result;
        EXPECT_EQ(result["undefined"].is_string(), flat) << result;
    }
}

TEST_F(PairsCommand, AdjustsForTheNumberOfPairs) {
    const TemporaryFile list(".tsv", "bank\triver\nriver\t银行\n");
    for (const std::string method : {"none", "holm", "bh", "by"}) {
        const Json results = Json::parse(run({"pairs", clouds.path(), "--pairs", list.path(), "--permutations", "300",
                                              "--adjust", method, "--format", "json"})
                                             .out)["results"];
        const double p = results[0]["p"], adjusted = results[0]["p_adjusted"];
        EXPECT_DOUBLE_EQ(adjusted, p * (method == "none" ? 1 : method == "by" ? 3 : 2)) << method;
    }
}

TEST_F(PairsCommand, TextIsSortedByPAndTsvIsNot) {
    const std::string list = "river\t银行\nbank\triver\n";
    const std::string text = run_list(list, "text").out, tsv = run_list(list, "tsv").out;
    EXPECT_LT(text.find("\nbank "), text.find("\nriver ")) << text;
    EXPECT_LT(tsv.find("\nriver\t"), tsv.find("\nbank\t")) << tsv;
    EXPECT_NE(text.find("q (bh)"), std::string::npos);
    EXPECT_NE(tsv.find("\tp\tp_adjusted\t"), std::string::npos);
}

TEST_F(PairsCommand, ABadCloudGetsRowsThatSayWhyAndTheOthersAreComputed) {
    const TemporaryFile file(".safetensors", safetensors_bytes(bad_and_good_clouds(), 8));
    const Outcome outcome = run({"pairs", file.path(), "--all", "--permutations", "300", "--format", "json"});
    EXPECT_EQ(outcome.code, 2);
    const Json results = Json::parse(outcome.out)["results"];
    ASSERT_EQ(results.size(), 21U);
    for (const Json& result : results) {
        const bool good = result["x"] == "bank" && result["y"] == "river";
        EXPECT_EQ(result["undefined"].is_null(), good) << result;
        EXPECT_EQ(result["p"].is_number(), good) << result;
        EXPECT_EQ(result["p"], result["p_adjusted"]) << "one test needs no adjustment";
        EXPECT_FALSE(result["device"].get<std::string>().empty());
    }
    const std::string text = run({"pairs", file.path(), "--all", "--permutations", "300"}).out;
    EXPECT_NE(text.find("no p-value for alike and bank, and 5 pairs more: alike ("), std::string::npos) << text;
}

TEST_F(PairsCommand, ShowsTheFirstPairsAndGivesProgramsAll) {
    const Arguments call = {"pairs", clouds.path(), "--all", "--permutations", "300", "--top", "1"};
    const std::string text = run(call).out;
    EXPECT_NE(text.find("\nbank "), std::string::npos) << text;
    EXPECT_EQ(text.find("\nriver "), std::string::npos) << text;
    EXPECT_NE(text.find("1 of 6 pairs shown"), std::string::npos) << text;
    Arguments json = call;
    json.insert(json.end(), {"--format", "json"});
    EXPECT_EQ(Json::parse(run(json).out)["results"].size(), 6U);
    expect_one_line(run({"pairs", clouds.path(), "--all", "--top", "0"}), 2, "--top 0: expected a whole number from 1");
}

TEST_F(PairsCommand, RefusesOptionsThatHaveNoEffect) {
    const std::vector<std::pair<Arguments, std::string>> calls = {
        {{"--all", "--count", "5"}, "pairs: --count has no effect without --gap; see `wordbreadth pairs --help`"},
        {{"--all", "--cross-fit"}, "--cross-fit has no effect without --gap"},
        {{"--all", "--rank-by", "frequency"}, "--rank-by has no effect without --gap"},
        {{"--gap", "1", "--top", "5"}, "--top has no effect with --gap"},
        {{"--gap", "1", "--adjust", "holm"}, "--adjust has no effect on the table of --gap; add --format json, tsv or parquet"},
        {{"--all", "--confidence", "0.9"},
         "--confidence has no effect without --gap, where it sets the level, or --format json, tsv or parquet"},
        {{"--all", "--tail-estimate"}, "--tail-estimate has no effect without --format json, tsv or parquet"},
    };
    for (const auto& [more, part] : calls) {
        Arguments call = {"pairs", clouds.path()};
        call.insert(call.end(), more.begin(), more.end());
        expect_one_line(run(call), 2, part);
    }
}

}  // namespace
}  // namespace wordbreadth::cli
