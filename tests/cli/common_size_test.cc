// --common-size: every command takes the rows that rank takes.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/small_store.h"

namespace wordbreadth::cli {
namespace {

using nlohmann::json;

class CommonSize : public ::testing::Test {
  protected:
    CommonSize() {
        store::write_store(
            store_, {{"broad", 500, 30, 2.0}, {"few", 9, 12, 1.0}, {"middle", 400, 25, 1.0}, {"same", 300, 28, 0.0}},
            8);
        (void)run({"export", store_, "--out", file_});
        const json ranked =
            json::parse(run({"rank", store_, "--common-size", "20", "--seed", "3", "--format", "json"}).out);
        for (const json& word : ranked["results"]) v_[word["word"]] = word["v"];
    }

    // The call on a store or a file, with the common size and the seed of the ranking.
    static Outcome run_cut(Arguments call) {
        call.insert(call.end(), {"--common-size", "20", "--seed", "3", "--format", "json"});
        return run(call);
    }

    TemporaryFolder folder_;
    std::string store_ = folder_.path() + "/store", file_ = folder_.path() + "/clouds.npz";
    std::map<std::string, double> v_;
};

TEST_F(CommonSize, OfBreadthGivesTheNumbersOfRank) {
    ASSERT_EQ(v_.size(), 2U);
    for (const std::string& from : {store_, file_}) {
        const Outcome outcome = run_cut({"breadth", from});
        EXPECT_EQ(outcome.code, 2) << "two clouds have no breadth";
        const json results = json::parse(outcome.out)["results"];
        ASSERT_EQ(results.size(), 4U);
        EXPECT_EQ(results[0]["v"], v_["broad"]);
        EXPECT_EQ(results[0]["n"], 20);
        EXPECT_EQ(results[2]["v"], v_["middle"]);
        EXPECT_TRUE(results[1]["v"].is_null());
        EXPECT_EQ(results[1]["n"], 12);
        EXPECT_EQ(results[1]["undefined"], "few (" + from + "): has 12 rows, fewer than the common size of 20");
        EXPECT_NE(results[3]["undefined"].get<std::string>().find("all 20 rows point the same way"), std::string::npos);
    }
}

TEST_F(CommonSize, OfTestGivesTheNumbersOfRank) {
    for (const std::string& from : {store_, file_}) {
        const json found = json::parse(run_cut({"test", from + ":broad", from + ":middle"}).out);
        EXPECT_EQ(found["n"], 20);
        EXPECT_EQ(found["m"], 20);
        EXPECT_EQ(found["v_x"], v_["broad"]);
        EXPECT_EQ(found["v_y"], v_["middle"]);
    }
    expect_one_line(run_cut({"test", store_ + ":broad", store_ + ":few"}), 2,
                    "has 12 rows, fewer than the common size of 20");
}

TEST_F(CommonSize, OfPairsGivesTheNumbersOfRank) {
    const TemporaryFile list(".tsv", "broad\tmiddle\nbroad\tfew\n");
    for (const std::string& from : {store_, file_})
        for (const Arguments& which : {Arguments{"--all"}, {"--pairs", list.path()}}) {
            Arguments call = {"pairs", from, "--permutations", "200"};
            call.insert(call.end(), which.begin(), which.end());
            const Outcome outcome = run_cut(call);
            EXPECT_EQ(outcome.code, 2);
            const json found = json::parse(outcome.out);
            for (const json& pair : found["results"]) {
                const bool good = pair["x"] == "broad" && pair["y"] == "middle";
                EXPECT_EQ(pair["undefined"].is_null(), good) << pair;
                if (!good) continue;
                EXPECT_EQ(pair["n"], 20);
                EXPECT_EQ(pair["v_x"], v_["broad"]);
                EXPECT_EQ(pair["v_y"], v_["middle"]);
            }
        }
    const json gap = json::parse(run_cut({"pairs", store_, "--gap", "1", "--permutations", "200"}).out)["results"];
    ASSERT_EQ(gap.size(), 1U);
    EXPECT_EQ(gap[0]["v_x"], v_["broad"]);
}

}  // namespace
}  // namespace wordbreadth::cli
