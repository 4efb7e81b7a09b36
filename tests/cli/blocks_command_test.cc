// --blocks: documents as blocks by default, rows on request, labels from a file.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/cloud_files.h"
#include "support/program.h"
#include "support/two_stores.h"

namespace wordbreadth::cli {
namespace {

using Json = nlohmann::ordered_json;

Arguments with(Arguments call, const Arguments& more) {
    call.insert(call.end(), more.begin(), more.end());
    return call;
}

Json json_from(const Arguments& call) {
    return Json::parse(output_of(with(call, {"--format", "json"})));
}

// Documents of four rows: "bank" is in 10, "river" in 8, "lone" in one.
class DocumentsOfAStore : public ::testing::Test {
  protected:
    DocumentsOfAStore() {
        store::write_store(store_, {{"bank", 40, 40, 1.0}, {"lone", 9, 4, 1.0}, {"river", 40, 30, 2.0}}, 8, 4);
    }

    TemporaryFolder folder_;
    std::string store_ = folder_.path() + "/store";
};

TEST_F(DocumentsOfAStore, ArePermutedUnlessRowsAreAskedFor) {
    const Arguments call = {"test", store_ + ":bank", store_ + ":river", "--permutations", "500"};
    const Json blocks = json_from(call), asked = json_from(with(call, {"--blocks", "document"}));
    EXPECT_EQ(blocks["statistic"], "blocks");
    EXPECT_EQ(blocks["blocks_x"], 10);
    EXPECT_EQ(blocks["blocks_y"], 8);
    EXPECT_EQ(blocks["p"], asked["p"]);
    EXPECT_TRUE(contains(output_of(call), "documents as blocks: 10 and 8"));
    const Json rows = json_from(with(call, {"--blocks", "none"})),
               plain = json_from(with(call, {"--statistic", "plain"}));
    EXPECT_EQ(rows["statistic"], "plain");
    EXPECT_EQ(rows["blocks_x"], 0);
    EXPECT_EQ(rows["p"], plain["p"]);
    EXPECT_FALSE(contains(output_of(with(call, {"--blocks", "none"})), "documents as blocks"));
    EXPECT_EQ(run(with(call, {"--blocks", "none", "--statistic", "robust"})).code, 2);
}

TEST_F(DocumentsOfAStore, OneOfThemHasNoTestAndTheMessageNamesTheWayOut) {
    const Arguments call = {"test", store_ + ":bank", store_ + ":lone", "--permutations", "500"};
    expect_one_line(run(call), 2, "lone (" + store_ + "): all 4 rows are of one document");
    EXPECT_TRUE(contains(run(call).err, "(--blocks none)"));
    EXPECT_EQ(json_from(with(call, {"--blocks", "none"}))["statistic"], "plain");
}

TEST_F(DocumentsOfAStore, OneOfThemDoesNotStopTheOtherPairs) {
    const Outcome outcome = run({"pairs", store_, "--all", "--permutations", "500", "--format", "json"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "2 of 3 pairs have no p-value")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "(--blocks none)")) << outcome.err;
    const Json results = Json::parse(outcome.out)["results"];
    EXPECT_TRUE(results[1]["p"].is_number());
    EXPECT_EQ(results[1]["blocks_y"], 8);
    for (const std::size_t i : {0, 2}) {
        EXPECT_TRUE(results[i]["p"].is_null());
        EXPECT_TRUE(contains(results[i]["undefined"].get<std::string>(), "lone"));
    }
    const Outcome text = run({"pairs", store_, "--all", "--permutations", "500"});
    EXPECT_TRUE(contains(text.out, "documents as blocks: 8 to 10 per cloud")) << text.out;
    EXPECT_EQ(run({"pairs", store_, "--all", "--permutations", "500", "--blocks", "none"}).code, 0);
}

TEST_F(DocumentsOfAStore, ArePermutedInPairsByGap) {
    const Arguments call = {"pairs", store_, "--gap", "1", "--permutations", "100", "--common-size", "30"};
    EXPECT_EQ(json_from(call)["results"][0]["statistic"], "blocks");
    EXPECT_EQ(json_from(with(call, {"--blocks", "none"}))["results"][0]["statistic"], "plain");
    EXPECT_TRUE(contains(output_of(call), "documents as blocks"));
}

TEST_F(DocumentsOfAStore, GiveTheBreadthOfPairsFromDifferentOnes) {
    const Json by_document = json_from({"breadth", store_})["results"];
    const Json by_row = json_from({"breadth", store_, "--blocks", "none"})["results"];
    EXPECT_EQ(by_document[0]["blocks"], 10);
    EXPECT_EQ(by_row[0]["blocks"], 0);
    EXPECT_EQ(by_row[0]["design_effect"], 1);
    EXPECT_EQ(by_document[0]["v"], by_row[0]["v"]);
    EXPECT_NE(by_document[0]["breadth"], by_row[0]["breadth"]);
    EXPECT_TRUE(by_document[1]["breadth"].is_null());  // one document
    EXPECT_TRUE(by_row[1]["breadth"].is_number());
    EXPECT_TRUE(contains(output_of({"breadth", store_}), "1 cloud of one document has no such pairs"));
}

TEST(FewDocuments, TheSmallestPossiblePIsStated) {
    const TemporaryFolder folder;
    store::write_store(folder.path() + "/s", {{"x", 9, 9, 1.0}, {"y", 9, 9, 1.0}}, 8, 3);
    const Arguments call = {"test", folder.path() + "/s:x", folder.path() + "/s:y"};
    EXPECT_TRUE(
        contains(output_of(call), "of all 20 permutations as extreme; with so few documents p cannot be below 0.1"))
        << output_of(call);
    EXPECT_EQ(json_from(call)["smallest_p"], 0.1);
    EXPECT_EQ(json_from(with(call, {"--alternative", "greater"}))["smallest_p"], 0.05);
}

class Labels : public ::testing::Test {
  protected:
    // So many labels for each cloud, four rows to a block.
    static std::string lines(const std::string& cloud, std::size_t rows) {
        std::string text;
        for (std::size_t i = 0; i < rows; ++i) text += cloud + "\tspeaker " + std::to_string(i / 4) + "\n";
        return text;
    }

    const TemporaryFile clouds_{".safetensors",
                                safetensors_bytes({{"bank", cloud_values(1, {.n = 20, .spread = 1.4})},
                                                   {"river", cloud_values(2, {.n = 24, .spread = 0.4})}},
                                                  8)};
    const std::string bank_ = clouds_.path() + ":bank", river_ = clouds_.path() + ":river";
};

TEST_F(Labels, AreTheBlocksOfCloudsFromArrays) {
    const TemporaryFile labels(".tsv", "# who spoke\n" + lines("river", 24) + lines("bank", 20));
    const Json test = json_from({"test", bank_, river_, "--blocks", labels.path(), "--permutations", "300"});
    EXPECT_EQ(test["statistic"], "blocks");
    EXPECT_EQ(test["blocks_x"], 5);
    EXPECT_EQ(test["blocks_y"], 6);
    const Json pairs =
        json_from({"pairs", clouds_.path(), "--all", "--blocks", labels.path(), "--permutations", "300"})["results"];
    EXPECT_EQ(pairs[0]["p"], test["p"]);
    EXPECT_EQ(json_from({"breadth", clouds_.path(), "--blocks", labels.path()})["results"][1]["blocks"], 6);
    // The sample takes its labels with it.
    EXPECT_LE(json_from({"test", bank_, river_, "--blocks", labels.path(), "--common-size", "8"})["blocks_x"], 5);
    EXPECT_EQ(json_from({"test", bank_, river_, "--permutations", "300"})["statistic"], "plain");
}

TEST_F(Labels, GoByTheFileWhereNamesRepeat) {
    const TemporaryFile x = npy_file(1, {.n = 8}), y = npy_file(2, {.n = 12});
    const TemporaryFile labels(".tsv", lines(x.path(), 8) + lines(y.path(), 12));
    EXPECT_EQ(json_from({"test", x.path(), y.path(), "--blocks", labels.path()})["blocks_y"], 3);
}

TEST_F(Labels, ThatDoNotFitNameTheFileTheLineAndBothNumbers) {
    const TemporaryFile few(".tsv", lines("river", 24) + lines("bank", 19)), none(".tsv", lines("river", 24)),
        bad(".tsv", "bank\t1\t2\n");
    expect_one_line(run({"test", bank_, river_, "--blocks", few.path()}), 2,
                    few.path() + ":25: 19 labels of the cloud bank (" + clouds_.path() +
                        "); expected 20, one for each of its rows");
    expect_one_line(run({"test", bank_, river_, "--blocks", none.path()}), 2,
                    none.path() + ": no labels of the cloud bank (" + clouds_.path() + "); expected 20");
    expect_one_line(run({"test", bank_, river_, "--blocks", bad.path()}), 2,
                    bad.path() + ":1: 3 fields; expected the name of a cloud and the label of its next row");
    expect_one_line(run({"test", bank_, river_, "--blocks", "documnet"}), 2,
                    "--blocks documnet: expected document|none|FILE.tsv (did you mean document?)");
    const Outcome pairs = run({"pairs", clouds_.path(), "--all", "--blocks", none.path(), "--format", "json"});
    EXPECT_EQ(pairs.code, 2);
    EXPECT_TRUE(contains(Json::parse(pairs.out)["results"][0]["undefined"].get<std::string>(), "no labels"));
}

TEST(StudiesOfDocuments, SaySoAndLeaveOutWordsOfOne) {
    const TwoStores stores(12);  // "only" is in one document
    const std::string list = stores.folder() + "/list.txt";
    std::ofstream(list) << "tight\n";
    const Arguments triage = {"triage", stores.a(), "--reference", list, "--permutations", "500"};
    const std::string text = output_of(triage);
    EXPECT_TRUE(contains(text, "test of documents as blocks")) << text;
    EXPECT_TRUE(contains(text, "only (has all its rows from one document)")) << text;
    EXPECT_TRUE(contains(text, "note: 1 word left out for lack of a second document; --blocks none")) << text;
    EXPECT_EQ(json_from(triage)["settings"]["statistic"], "blocks");
    EXPECT_EQ(json_from(with(triage, {"--blocks", "none"}))["settings"]["statistic"], "plain");
}

TEST(StudiesOfDocuments, CompareLeavesOutWordsOfOne) {
    const TemporaryFolder folder;
    const std::string a = folder.path() + "/a", b = folder.path() + "/b";
    for (const std::string& store : {a, b})
        store::write_store(store, {{"lone", 9, 4, 1.0}, {"word", 40, 40, 1.0}}, 8, 4);
    const Arguments call = {"compare", a, b, "--permutations", "500"};
    const Json found = json_from(call);
    ASSERT_EQ(found["results"].size(), 1U);
    EXPECT_EQ(found["left_out"][0]["reason"], "has all its rows from one document in " + a);
    EXPECT_TRUE(contains(output_of(call), "note: 1 word left out for lack of a second document; --blocks none"));
    EXPECT_EQ(json_from(with(call, {"--blocks", "none"}))["results"].size(), 2U);
    store::write_store(folder.path() + "/c", {{"word", 40, 40, 1.0}}, 8);  // one document: nothing to permute but rows
    EXPECT_EQ(json_from({"compare", a, folder.path() + "/c"})["settings"]["statistic"], "plain");
    expect_one_line(run({"compare", a, folder.path() + "/c", "--blocks", "document"}), 2, "(--blocks none)");
}

TEST(StudiesOfDocuments, CompareMeasuresAgainstTheMedianOnRequest) {
    const TwoStores stores(5);
    const Arguments compare = {"compare", stores.a(), stores.b(), "--permutations", "500"};
    const std::string text = output_of(compare), beyond = output_of(with(compare, {"--center", "median"}));
    EXPECT_TRUE(contains(text, "documents as blocks: 6 and 7 in the median")) << text;
    EXPECT_TRUE(text.starts_with("Broader in first: ")) << text;
    EXPECT_TRUE(beyond.starts_with("Beyond the median, broader in first: ")) << beyond;
    const Json found = json_from(compare);
    EXPECT_EQ(found["center"], "none");
    EXPECT_EQ(found["settings"]["statistic"], "blocks");
    for (const char* const key : {"effect", "blocks_a", "smallest_p", "centered_effect", "centered_p_adjusted"})
        EXPECT_TRUE(found["results"][0][key].is_number()) << key;
    const std::string rows = output_of(with(compare, {"--blocks", "none"}));
    EXPECT_TRUE(contains(rows, "T = log(v in first / v in second)")) << rows;
    EXPECT_FALSE(contains(rows, "documents as blocks")) << rows;
}

}  // namespace
}  // namespace wordbreadth::cli
