// Stores of several layers, as a user reads them: --layer of every command, and what changes from layer to layer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/tsv.h"
#include "support/program.h"
#include "support/snapshot.h"
#include "support/text.h"

namespace wordbreadth::cli {
namespace {

using extraction::Workshop;
using nlohmann::json;

// Made once: a store of layers 1, 2 and 3 of the tiny model, and one of each layer alone.
class Layers : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        workshop_ = new Workshop(extraction::random_lines(300));
        for (const char* const layers : {"1,2,3", "1", "2", "3"}) extract(layers);
    }
    static void TearDownTestSuite() {
        delete workshop_;
        workshop_ = nullptr;
    }

    static void extract(const std::string& layers) {
        const Outcome outcome =
            run({"extract", "--model", workshop_->path("model"), "--corpus", workshop_->path("corpus.txt"), "--out",
                 store_of(layers), "--max-tokens", "40", "--min-count", "20", "--device", "cpu", "--corpus-format",
                 "lines", "--layer", layers});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
    }

    static std::string store_of(const std::string& layers) { return workshop_->path("store-" + layers); }

    // What a command prints of the store with this folder, names of folders left out.
    static std::string printed(Arguments call, const std::string& folder, const Arguments& more) {
        for (std::string& word : call) {
            const std::size_t at = word.find("STORE");
            if (at != std::string::npos) word.replace(at, 5, folder);
        }
        call.insert(call.end(), more.begin(), more.end());
        const Outcome outcome = run(call);
        EXPECT_EQ(outcome.code, 0) << call.front() << ": " << outcome.err;
        std::string text = outcome.out;
        for (std::size_t at = 0; (at = text.find(folder)) != std::string::npos;)
            text.replace(at, folder.size(), "STORE");
        return text;
    }

    static Workshop* workshop_;
};

Workshop* Layers::workshop_ = nullptr;

TEST_F(Layers, OfACommandAreThoseOfAStoreOfTheLayerAlone) {
    const std::string words = workshop_->path("words");
    write_file(words, "river\n");
    const std::vector<Arguments> calls = {
        {"rank", "STORE", "--all", "--format", "tsv"},
        {"contexts", "STORE", "bank", "--sort", "influence", "--format", "tsv"},
        {"breadth", "STORE", "--format", "tsv"},
        {"breadth", "STORE:bank", "--format", "tsv"},
        {"breadth", "STORE:bank", "--by-size", "--format", "tsv"},
        {"triage", "STORE", "--reference", words, "--permutations", "99", "--format", "tsv"},
        {"compare", "STORE", store_of("1"), "--force", "--permutations", "99", "--format", "tsv"},
        {"calibrate", "STORE", "--count", "5", "--permutations", "39", "--format", "tsv"}};
    for (const Arguments& call : calls)
        for (const std::string layer : {"1", "3"}) {
            if (call.front() == "compare" && layer == "3") continue;  // its second store has layer 1 alone
            EXPECT_EQ(printed(call, store_of("1,2,3"), {"--layer", layer}), printed(call, store_of(layer), {}))
                << call.front() << " " << layer;
        }
}

TEST_F(Layers, OfATestAreThoseOfBothStores) {
    const Arguments call = {"test", "STORE:bank", "STORE:river", "--permutations", "99", "--format", "json"};
    const json among = json::parse(printed(call, store_of("1,2,3"), {"--layer", "3"}));
    const json alone = json::parse(printed(call, store_of("3"), {}));
    EXPECT_EQ(among["T"], alone["T"]);
    EXPECT_EQ(among["p"], alone["p"]);
    EXPECT_NE(among["T"], json::parse(printed(call, store_of("1"), {}))["T"]);
}

TEST_F(Layers, OfPairsAreThoseOfAStoreOfTheLayerAlone) {
    const std::string pairs = workshop_->path("pairs.tsv");
    write_file(pairs, "bank\triver\n");
    for (const Arguments& which : std::vector<Arguments>{{"--pairs", pairs}, {"--all"}, {"--gap", "1"}}) {
        Arguments call = {"pairs", "STORE", "--permutations", "99", "--format", "json"};
        call.insert(call.end(), which.begin(), which.end());
        const json among = json::parse(printed(call, store_of("1,2,3"), {"--layer", "3"}))["results"];
        const json alone = json::parse(printed(call, store_of("3"), {}))["results"];
        ASSERT_EQ(among.size(), alone.size());
        for (std::size_t i = 0; i < alone.size(); ++i) {
            EXPECT_EQ(among[i]["T"], alone[i]["T"]);
            EXPECT_EQ(among[i]["p"], alone[i]["p"]);
        }
    }
}

// Whether it was asked for or not.
TEST_F(Layers, OfAStudyAreInItsSettingsAndItsCommand) {
    const std::string wordnet = workshop_->path("senses.tab"), out = workshop_->path("study");
    write_file(wordnet, "00000001-n\tbank\thand\n");
    for (const std::string asked : {"", "3"}) {
        Arguments call = {"experiment",
                          store_of("1,2,3"),
                          "--out",
                          out,
                          "--wordnet",
                          wordnet,
                          "--gaps",
                          "1",
                          "--additional-gaps",
                          "1",
                          "--permutations",
                          "9",
                          "--additional-permutations",
                          "9"};
        if (!asked.empty()) call.insert(call.end(), {"--layer", asked});
        ASSERT_EQ(run(call).code, 0) << run(call).err;
        const std::string layer = asked.empty() ? "1" : asked;
        const json settings = json::parse(content_of(out + "/settings.json"));
        EXPECT_EQ(settings["layer"], layer);
        EXPECT_NE(settings["command"].get<std::string>().find(" --layer " + layer + " "), std::string::npos);
        EXPECT_NE(content_of(out + "/report.html").find(", layer " + layer + ","), std::string::npos);
    }
}

// So that another version, whose default may be another layer, computes the same again.
TEST_F(Layers, ThatAreTheDefaultAreRecordedAsSuch) {
    const std::string store = store_of("1,2,3"), path = workshop_->path("result.json");
    for (Arguments call : std::vector<Arguments>{{"rank", store},
                                                 {"contexts", store, "bank"},
                                                 {"breadth", store},
                                                 {"test", store + ":bank", store + ":river"},
                                                 {"compare", store, store}}) {
        SCOPED_TRACE(call.front());
        call.insert(call.end(), {"--format", "json"});
        json result = json::parse(run(call).out);
        EXPECT_EQ(result["provenance"]["defaults"].value("--layer", "none"), "1");
        call.insert(call.end(), {"--layer", "3"});
        result = json::parse(run(call).out);
        json& provenance = result["provenance"];
        EXPECT_FALSE(provenance["defaults"].contains("--layer"));
        auto command = provenance["command"].get<Arguments>();
        const auto given = std::ranges::find(command, "--layer");
        ASSERT_NE(given, command.end());
        command.erase(given, given + 2);
        provenance["command"] = command;
        provenance["defaults"]["--layer"] = "3";
        write_file(path, result.dump(1) + "\n");
        const Outcome verified = run({"verify", path});
        EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
    }
    const json study =
        json::parse(run({"calibrate", store, "--count", "10", "--permutations", "19", "--format", "json"}).out);
    EXPECT_FALSE(study["provenance"]["defaults"].contains("--layer"));
}

TEST_F(Layers, AreExportedOneAtATime) {
    const std::string file = workshop_->path("clouds.npz"), alone = workshop_->path("alone.npz");
    ASSERT_EQ(run({"export", store_of("1,2,3"), "--layer", "1", "--out", file}).code, 0);
    ASSERT_EQ(run({"export", store_of("1"), "--out", alone}).code, 0);
    EXPECT_EQ(content_of(file), content_of(alone));
}

TEST_F(Layers, WithoutAnOptionTheDefaultIsTakenAndSaid) {
    const Outcome outcome = run({"rank", store_of("1,2,3")});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err,
              "wordbreadth: note: " + store_of("1,2,3") + ": layer 1 of 1, 2, 3, the default; --layer takes another\n");
    EXPECT_EQ(run({"rank", store_of("1,2,3"), "--quiet"}).err, "");
    EXPECT_EQ(run({"rank", store_of("1,2,3"), "--layer", "1"}).err, "");
    EXPECT_EQ(run({"rank", store_of("2")}).err, "");
}

TEST_F(Layers, ThatAreNotThereAreAnErrorThatListsThem) {
    const std::string store = store_of("1,2,3");
    for (const Arguments& call : std::vector<Arguments>{{"rank", store},
                                                        {"contexts", store, "bank"},
                                                        {"breadth", store},
                                                        {"test", store + ":bank", store + ":river"},
                                                        {"pairs", store, "--all"},
                                                        {"calibrate", store},
                                                        {"compare", store, store},
                                                        {"export", store, "--out", workshop_->path("x.npz")},
                                                        {"experiment", store, "--out", workshop_->path("x")}}) {
        Arguments with_layer = call;
        with_layer.insert(with_layer.end(), {"--layer", "7"});
        const Outcome outcome = run(with_layer);
        EXPECT_EQ(outcome.code, 2) << call.front();
        EXPECT_EQ(outcome.err, "wordbreadth: " + store + ": has no layer \"7\"; it has layers 1, 2, 3\n");
    }
    const Outcome two = run({"rank", store, "--layer", "1,2"});
    EXPECT_EQ(two.err, "wordbreadth: " + store + ": has no layer \"1,2\"; it has layers 1, 2, 3\n");
}

TEST_F(Layers, OfAnImportedStoreAreCalledAsTheyWereNamed) {
    for (const auto& [given, asked] : std::map<std::string, std::string>{
             {"last", "last"}, {"2,4", "2,4"}, {"04", "4"}, {"4", "04"}, {"2-4", "2-4"}}) {
        const TemporaryFolder folder;
        folder.add("x.jsonl", "{\"word\": \"a\", \"vector\": [1, 2]}\n{\"word\": \"a\", \"vector\": [2, 1]}\n");
        const std::string store = folder.path() + "/store";
        ASSERT_EQ(run({"import", folder.path() + "/x.jsonl", "--layer", given, "--out", store}).code, 0);
        EXPECT_EQ(run({"rank", store, "--layer", asked}).code, 0) << given;
        EXPECT_NE(run({"rank", store, "--layer", "first"}).err.find("has no layer \"first\"; it has layer"),
                  std::string::npos);
    }
}

TEST_F(Layers, OfAFileOfCloudsThereAreNone) {
    const std::string file = workshop_->path("file.npz");
    ASSERT_EQ(run({"export", store_of("1"), "--out", file}).code, 0);
    const Outcome outcome = run({"breadth", file, "--layer", "1"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "wordbreadth: " + file + ": is not a store, and has no layer 1 or other; do not name one\n");
}

// ---- What changes from layer to layer

TEST_F(Layers, AreComparedWithEachOther) {
    const Arguments call = {"calibrate", store_of("1,2,3"), "--count", "40", "--permutations",
                            "99",        "--format",        "json"};
    const json found = json::parse(run(call).out);
    EXPECT_EQ(found["reference"], "1");
    ASSERT_EQ(found["layers"].size(), 3U);
    EXPECT_EQ(found["pairs"], 40);
    for (const json& layer : found["layers"]) {
        const std::string name = layer["layer"];
        EXPECT_NEAR(layer["correlations"][name].get<double>(), 1, 1e-12);
        EXPECT_EQ(layer["same_verdicts"][name], 1);
        EXPECT_EQ(layer["opposites"][name], 0);
        for (const json& other : found["layers"]) {
            EXPECT_EQ(layer["correlations"][other["layer"].get<std::string>()], other["correlations"][name]);
            EXPECT_EQ(layer["same_verdicts"][other["layer"].get<std::string>()], other["same_verdicts"][name]);
        }
        EXPECT_NEAR(layer["correlation"].get<double>(), layer["correlations"]["1"].get<double>(), 1e-15);
    }
    // The same on any number of threads.
    Arguments again = call;
    again.insert(again.end(), {"--threads", "3"});
    const json three = json::parse(run(again).out);
    EXPECT_EQ(three["layers"], found["layers"]);
}

TEST_F(Layers, AreTestedWithThePermutationsThatAreGivenAndElseWithFewer) {
    const Arguments call = {"calibrate", store_of("1,2,3"), "--count", "2", "--format", "json"};
    const auto permutations_of = [&](const Arguments& more) {
        Arguments all = call;
        all.insert(all.end(), more.begin(), more.end());
        return json::parse(run(all).out)["settings"]["permutations"].get<int>();
    };
    EXPECT_EQ(permutations_of({}), 1999);
    EXPECT_EQ(permutations_of({"--permutations", "99"}), 99);
    EXPECT_EQ(permutations_of({"--permutations", "20000"}), 20000);
}

// From the ranking's own breadths, by Spearman's definition.
TEST_F(Layers, CorrelateAsTheirRankingsDo) {
    const auto ranks = [&](const std::string& layer) {
        std::map<std::string, double> found;
        const json ranking = json::parse(run({"rank", store_of(layer), "--format", "json"}).out);
        for (const json& word : ranking["results"]) found[word["word"]] = word["rank"];
        return found;
    };
    const auto one = ranks("1"), three = ranks("3");
    const auto n = static_cast<double>(one.size());
    double squares = 0;
    for (const auto& [word, rank] : one) squares += (rank - three.at(word)) * (rank - three.at(word));
    const json found = json::parse(
        run({"calibrate", store_of("1,2,3"), "--count", "2", "--permutations", "9", "--format", "json"}).out);
    EXPECT_NEAR(found["layers"][0]["correlations"]["3"].get<double>(), 1 - 6 * squares / (n * (n * n - 1)), 1e-9);
}

TEST_F(Layers, ComeAsTextTableAndPageToo) {
    const std::string page = workshop_->path("layers.html"), picture = workshop_->path("layers.svg");
    const Outcome text = run({"calibrate", store_of("1,2,3"), "--count", "10", "--html", page, "--svg", picture});
    EXPECT_EQ(text.code, 0) << text.err;
    for (const char* const part : {"rank correlation of breadths", "pairs with the same verdict",
                                   "The rankings of two layers correlate at ", "--layer K"})
        EXPECT_NE(text.out.find(part), std::string::npos) << part;
    EXPECT_NE(content_of(page).find("What changes from layer to layer"), std::string::npos);
    const std::string html = content_of(page);
    for (const char* const part : {"Rank correlation of breadth with WordNet&#39;s senses, given frequency, at every",
                                   "Ranks and verdicts at every layer, beside those at layer 1", "1, 2, 3</"})
        EXPECT_NE(html.find(part), std::string::npos) << part;
    EXPECT_NE(content_of(picture).find("<svg"), std::string::npos);
    const Outcome tsv = run({"calibrate", store_of("1,2,3"), "--count", "10", "--format", "tsv"});
    EXPECT_EQ(tsv_titles(tsv.out).front(), "layer");
}

TEST_F(Layers, RefuseOptionsOfOneLayerAndOneLayerThoseOfSeveral) {
    const Outcome power = run({"calibrate", store_of("1,2,3"), "--power"});
    EXPECT_EQ(power.code, 2);
    EXPECT_NE(power.err.find("--power has no effect on layers; add --layer to calibrate one of them"),
              std::string::npos);
    const Outcome wordnet = run({"calibrate", store_of("1"), "--wordnet", "/usr/share/wordnet"});
    EXPECT_NE(wordnet.err.find("--wordnet has no effect on one layer"), std::string::npos) << wordnet.err;
}

}  // namespace
}  // namespace wordbreadth::cli
