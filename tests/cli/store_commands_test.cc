// The commands that read a store: info, rank, contexts, export, and those that take clouds from anywhere.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "store/layout.h"
#include "support/program.h"
#include "support/small_store.h"
#include "wordbreadth/cloud_source.h"
#include "wordbreadth/files.h"

namespace wordbreadth::cli {
namespace {

using nlohmann::json;

class StoreCommands : public ::testing::Test {
  protected:
    StoreCommands() {
        store::write_store(store_, {{"broad", 500, 30, 2.0}, {"middle", 400, 25, 1.0}, {"narrow", 300, 20, 0.3}}, 8);
    }

    TemporaryFolder folder_;
    std::string store_ = folder_.path() + "/store";
};

TEST_F(StoreCommands, InfoTellsWhatIsInTheStore) {
    const std::string text = output_of({"info", store_});
    EXPECT_TRUE(contains(text, "3 words, 75 rows of 8 dimensions")) << text;
    EXPECT_TRUE(contains(text, "model  a model")) << text;
    const json found = json::parse(output_of({"info", store_, "--format", "json"}));
    EXPECT_EQ(found["rows"], 75);
    EXPECT_EQ(found["most_frequent"][0]["word"], "broad");
    expect_one_line(run({"info", store_, "--format", "tsv"}), 2, "expected text|json");
}

TEST_F(StoreCommands, InfoOfAnUnfinishedStoreIsNoError) {
    const std::string unfinished = folder_.path() + "/unfinished";
    store::write_small_plan(unfinished);
    store::write_small_shard(unfinished, 1);
    EXPECT_TRUE(contains(output_of({"info", unfinished}), "1 of 2 shards are done"));
    for (const Arguments& arguments : {Arguments{"rank", unfinished},
                                       {"contexts", unfinished, "bank"},
                                       {"export", unfinished, "--out", folder_.path() + "/x.npz"},
                                       {"breadth", unfinished},
                                       {"pairs", unfinished, "--all"},
                                       {"test", unfinished + ":bank", unfinished + ":river"}})
        expect_one_line(run(arguments), 2, "is not finished: 1 of its 2 shards are there");
}

TEST_F(StoreCommands, RankOrdersTheWords) {
    const std::string text = output_of({"rank", store_});
    EXPECT_LT(text.find("broad"), text.find("middle"));
    EXPECT_TRUE(contains(text, "20 rows of each, the size of the smallest cloud, \"narrow\"")) << text;
    const json found = json::parse(output_of({"rank", store_, "--format", "json", "--common-size", "25"}));
    ASSERT_EQ(found["results"].size(), 2U);
    EXPECT_EQ(found["results"][0]["word"], "broad");
    EXPECT_EQ(found["left_out"][0]["word"], "narrow");
    EXPECT_TRUE(output_of({"rank", store_, "--format", "tsv", "--by", "frequency"}).starts_with("rank\tword\tv\t"));
    EXPECT_FALSE(contains(output_of({"rank", store_, "--top", "1"}), "middle"));
    EXPECT_TRUE(contains(output_of({"rank", store_, "--all"}), "middle"));
}

TEST_F(StoreCommands, RankOfWholeCloudsIsTheirBreadth) {
    const json found = json::parse(output_of({"rank", store_, "--format", "json", "--common-size", "30"}));
    const json breadth = json::parse(output_of({"breadth", store_ + ":broad", "--format", "json"}));
    EXPECT_EQ(found["results"][0]["v"], breadth["results"][0]["v"]);
}

TEST_F(StoreCommands, RankTellsWhereAWordIs) {
    const std::string text = output_of({"rank", store_, "middle", "--neighbours", "0"});
    EXPECT_TRUE(contains(text, " → 2  middle ")) << text;
    EXPECT_FALSE(contains(text, "broad ")) << text;
    EXPECT_TRUE(contains(text, "3 words by breadth")) << text;
    const json found = json::parse(output_of({"rank", store_, "narrow", "--neighbours", "1", "--format", "json"}));
    EXPECT_EQ(found["words"], 3);
    ASSERT_EQ(found["results"].size(), 2U);
    EXPECT_EQ(found["results"][1]["rank"], 3);
    EXPECT_EQ(found["results"][1]["named"], true);
    EXPECT_TRUE(contains(output_of({"rank", store_, "narrow", "--format", "tsv"}), "\trows\tnamed\tbreadth\t"));
    const std::string page = folder_.path() + "/page.html";
    (void)output_of({"rank", store_, "middle", "--top", "1", "--html", page});
    EXPECT_TRUE(contains(content_of(page), "of middle right"));  // its usages
    expect_one_line(run({"rank", store_, "middel"}), 2, "has no word \"middel\"; did you mean \"middle\"?");
    expect_one_line(run({"rank", store_, "narrow", "--common-size", "25"}), 2, "narrow has no rank: has 20 rows");
}

TEST_F(StoreCommands, RankHasFiltersAndSaysWhatTheyTookAway) {
    const TemporaryFile list(".txt", "# these\nnarrow\nmiddle\nabsent\n"), stop(".txt", "Broad\n");
    const std::string text = output_of({"rank", store_, "--words", list.path()});
    EXPECT_TRUE(contains(text, "2 words by breadth")) << text;
    EXPECT_TRUE(contains(text, "filtered out: 1 not asked for\n")) << text;
    EXPECT_TRUE(contains(text, "left out: absent (is not in the store)")) << text;
    const json found = json::parse(
        output_of({"rank", store_, "--stop-words", stop.path(), "--max-frequency", "3.5e2", "--format", "json"}));
    ASSERT_EQ(found["results"].size(), 1U);
    EXPECT_EQ(found["results"][0]["word"], "narrow");
    EXPECT_EQ(found["filtered"][0]["words"], 2);
    EXPECT_TRUE(contains(output_of({"rank", store_, "--min-frequency", "400"}), "filtered out: 1 rarer than 400\n"));
    EXPECT_FALSE(contains(output_of({"rank", store_, "--stop-words", "english"}), "filtered"));
    const std::string page = folder_.path() + "/page.html";
    (void)output_of({"rank", store_, "--stop-words", stop.path(), "--html", page});
    EXPECT_TRUE(contains(content_of(page), "Filtered out: 1 stop words."));
    expect_one_line(run({"rank", store_, "broad", "--stop-words", stop.path()}), 2,
                    "broad has no rank: it is filtered out");
    expect_one_line(run({"rank", store_, "--min-frequency", "501"}), 2, "none of its 3 words is left to rank: 3 rarer");
    expect_one_line(run({"rank", store_, "--min-frequency", "5", "--max-frequency", "4"}), 2, "no word can have both");
    expect_one_line(run({"rank", store_, "--stop-words", "/none"}), 2, "/none: cannot be read");
}

TEST_F(StoreCommands, OptionsWithoutEffectAreErrors) {
    expect_one_line(run({"rank", store_, "--all", "--top", "3"}), 2, "rank: --top has no effect with --all; see");
    expect_one_line(run({"rank", store_, "broad", "--top", "3"}), 2, "--top has no effect where words are named");
    expect_one_line(run({"rank", store_, "broad", "--all"}), 2, "--all has no effect where words are named");
    expect_one_line(run({"rank", store_, "--neighbours", "3"}), 2, "--neighbours has no effect where no word is named");
    expect_one_line(run({"contexts", store_, "broad", "--width", "60", "--format", "tsv"}), 2, "--width has no effect");
    expect_one_line(run({"contexts", store_, "broad", "--seed", "1", "--sort", "influence"}), 2,
                    "--seed has no effect with --sort influence");
}

TEST_F(StoreCommands, ContextsShowsAConcordance) {
    const std::string text = output_of({"contexts", store_, "narrow", "--count", "3", "--width", "60"});
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5) << text;
    EXPECT_TRUE(contains(text, " of narrow right.\n")) << text;
    EXPECT_TRUE(contains(text, "3 of the 20 rows of narrow, which the corpus has 300 times; all from document;"))
        << text;
}

TEST_F(StoreCommands, ContextsGivesProgramsEveryRow) {
    const json found = json::parse(output_of({"contexts", store_, "middle", "--format", "json"}));
    EXPECT_EQ(found["word"], "middle");
    ASSERT_EQ(found["results"].size(), 25U);
    const json& row = found["results"][24];
    EXPECT_EQ(row["row"], 24);
    EXPECT_EQ(row["document"], "document");
    EXPECT_EQ(row["sentence"], 54);
    EXPECT_EQ(row["start"], 0);
    EXPECT_EQ(row["end"], 4);
    EXPECT_EQ(row["text"], "left 24 of middle right.");
    EXPECT_TRUE(row["influence"].is_number());
}

TEST_F(StoreCommands, ContextsByInfluenceFalls) {
    const json found = json::parse(
        output_of({"contexts", store_, "broad", "--sort", "influence", "--count", "5", "--format", "json"}));
    ASSERT_EQ(found["results"].size(), 5U);
    for (std::size_t i = 1; i < 5; ++i)
        EXPECT_GE(found["results"][i - 1]["influence"].get<double>(), found["results"][i]["influence"].get<double>());
}

TEST_F(StoreCommands, ExportWritesCloudsThatReadBack) {
    for (const std::string ending : {".npz", ".safetensors"}) {
        const std::string path = folder_.path() + "/out" + ending;
        EXPECT_TRUE(contains(output_of({"export", store_, "--out", path}), "3 clouds of 8 dimensions"));
        EXPECT_EQ(load_clouds(path).size(), 3U);
        const Cloud mine = cloud_at(store_ + ":middle", {}), theirs = load_cloud(path + ":middle");
        EXPECT_TRUE(std::ranges::equal(mine.unit_rows(), theirs.unit_rows()));
    }
}

TEST_F(StoreCommands, ExportTakesTheWordsAskedFor) {
    const std::string path = folder_.path() + "/out.npz";
    (void)output_of({"export", store_, "--words", "narrow,broad,narrow", "--out", path});
    EXPECT_EQ(load_clouds(path).size(), 2U);
    const TemporaryFile list(".txt", "\xEF\xBB\xBF# words\r\nmiddle\r\n\r\n");
    (void)output_of({"export", store_, "--words-file", list.path(), "--out", path});
    EXPECT_EQ(load_clouds(path).front().name(), "middle");
}

TEST_F(StoreCommands, ExportNeverWritesOverTheStore) {
    const std::string path = store::clouds_path(store_);
    expect_one_line(run({"export", store_, "--out", path}), 2, "is a file of the store itself");
    expect_one_line(run({"export", store_, "--out", folder_.path() + "/x.npy"}), 2, "ends in .npz or .safetensors");
    expect_one_line(run({"export", store_, "--out", "/no/folder/x.npz"}), 2, "cannot be written");
    (void)output_of({"info", store_});
}

TEST_F(StoreCommands, ExportLeavesNothingOfADamagedStore) {
    const std::string path = store::clouds_path(store_);
    std::string content = content_of(path);
    content.back() ^= 1;
    write_file(path, content);
    for (const std::string ending : {".npz", ".safetensors"}) {
        const std::string out = folder_.path() + "/out" + ending;
        expect_one_line(run({"export", store_, "--out", out}), 2, "narrow: is damaged");
        EXPECT_FALSE(std::filesystem::exists(out));
    }
}

TEST_F(StoreCommands, TheTestsTakeWordsOfAStore) {
    EXPECT_TRUE(contains(output_of({"test", store_ + ":broad", store_ + ":narrow", "--permutations", "199"}),
                         "broad is broader than narrow"));
    const json pairs = json::parse(output_of({"pairs", store_, "--all", "--permutations", "99", "--format", "json"}));
    EXPECT_EQ(pairs["results"].size(), 3U);
    EXPECT_TRUE(contains(output_of({"breadth", store_}), "middle"));
    const TemporaryFile list(".tsv", "broad\tnarow\n");
    expect_one_line(run({"pairs", store_, "--pairs", list.path()}), 2,
                    "has no word \"narow\"; did you mean \"narrow\"?");
}

TEST_F(StoreCommands, BadCallsAreOneLine) {
    expect_one_line(run({"rank", folder_.path() + "/none"}), 2, "no such folder; expected a store");
    expect_one_line(run({"info", folder_.path()}), 2, "is not a store");
    expect_one_line(run({"rank", store_, "--common-size", "1"}), 2, "--common-size 1: expected a whole number from 2");
    expect_one_line(run({"rank", store_, "--common-size", "31"}), 2, "no word has a cloud of 31 rows");
    expect_one_line(run({"rank", store_, "--by", "size"}), 2, "expected breadth|v|frequency");
    expect_one_line(run({"contexts", store_, "midle"}), 2, "has no word \"midle\"; did you mean \"middle\"?");
    expect_one_line(run({"contexts", store_}), 2, "WORD");
    expect_one_line(run({"contexts", store_, "middle", "--count", "0"}), 2,
                    "--count 0: expected a whole number from 1");
    expect_one_line(run({"export", store_}), 2, "--out");
    expect_one_line(run({"export", store_, "--words", "", "--out", "x.npz"}), 2, "--words is empty; expected A,B,C");
    expect_one_line(run({"export", store_, "--words-file", "", "--out", "x.npz"}), 2, "--words-file is empty");
    expect_one_line(run({"export", store_, "--words", "Broad", "--out", "x.npz"}), 2, "did you mean \"broad\"?");
    expect_one_line(run({"test", store_ + ":Broad", store_ + ":narrow"}), 2, "did you mean \"broad\"?");
    expect_one_line(run({"export", store_, "--words", "broad,,narrow", "--out", "x.npz"}), 2, "holds an empty word");
    expect_one_line(run({"export", store_, "--words", "a", "--words-file", "b", "--out", "x.npz"}), 2, "not both");
    expect_one_line(run({"export", store_, "--words-file", "/none", "--out", "x.npz"}), 2, "/none: cannot be read");
}

}  // namespace
}  // namespace wordbreadth::cli
