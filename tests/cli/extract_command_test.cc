// wordbreadth extract, as a user runs it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/snapshot.h"
#include "support/text.h"

namespace wordbreadth::cli {
namespace {

using extraction::Workshop;
using nlohmann::json;

class ExtractCommand : public ::testing::Test {
  protected:
    // With all that the tiny model needs.
    [[nodiscard]] Outcome extract(const Arguments& more) const {
        Arguments arguments = {"extract",
                               "--model",
                               workshop_.path("model"),
                               "--corpus",
                               workshop_.path("corpus.txt"),
                               "--out",
                               workshop_.path("store"),
                               "--max-tokens",
                               "40",
                               "--min-count",
                               "20",
                               "--device",
                               "cpu",
                               "--corpus-format",
                               "lines"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }

    [[nodiscard]] Outcome resume(const Arguments& more) const {
        Arguments arguments = {"extract", "--resume", "--out", workshop_.path("store")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }

    Workshop workshop_{extraction::random_lines(100) + "the banks of the river\n"};
};

TEST_F(ExtractCommand, ExtractsWhatItCanOfAListOfWords) {
    write_file(workshop_.path("words"), "Bank\nbanks\nmoon\nriver\n");
    const Outcome outcome = extract({"--words", workshop_.path("words"), "--format", "json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const json summary = json::parse(outcome.out);
    EXPECT_EQ(summary["words"], 2);
    EXPECT_EQ(summary["missing"][0]["word"], "banks");
    EXPECT_EQ(summary["missing"][1]["reason"], "not in the corpus");
    const Outcome info = run({"info", workshop_.path("store"), "--format", "json"});
    EXPECT_EQ(json::parse(info.out)["missing"], summary["missing"]);
}

TEST_F(ExtractCommand, ResumesOnlyWhatWasPlanned) {
    ASSERT_EQ(extract({"--plan-only", "--layer", "1", "--seed", "3"}).code, 0);
    const std::string planned = workshop_.path("store") + ": was planned with ";
    write_file(workshop_.path("words"), "bank\n");
    struct Case {
        Arguments given;
        std::string both;
    };
    for (const auto& [given, both] : std::vector<Case>{
             {{"--dtype", "f16"}, "precision \"f32\"; this call says \"f16\""},
             {{"--layer", "2"}, "layers \"1\"; this call says \"2\""},
             {{"--layers", "1-2"}, "layers \"1\"; this call says \"1-2\""},
             {{"--seed", "0"}, "seed \"3\"; this call says \"0\""},
             {{"--lemma"}, "lemmas \"no\"; this call says \"yes\""},
             {{"--pos", "NOUN,VERB"}, "parts of speech \"all\"; this call says \"NOUN,VERB\""},
             {{"--words", workshop_.path("words")}, "words \"all\"; this call says \"a list of 1, "},
             {{"--unit", "text"}, "unit \"word\"; this call says \"text\""},
             {{"--case", "keep"}, "case \"lower\"; this call says \"keep\""},
             {{"--subwords", "mean"}, "subwords \"single\"; this call says \"mean\""},
             {{"--max-tokens", "39"}, "max tokens \"40\"; this call says \"39\""},
             {{"--min-count", "21"}, "min count \"20\"; this call says \"21\""},
             {{"--per-word", "0"}, "per word \"100\"; this call says \"all\""},
             {{"--per-document", "1"}, "per document \"all\"; this call says \"1\""},
             {{"--sample", "documents"}, "sample \"rows\"; this call says \"documents\""},
             {{"--deduplicate", "none"}, "deduplicate \"exact\"; this call says \"none\""},
             {{"--shard-tokens", "77"}, "; this call says \"77\""},
             {{"--corpus-format", "text"}, "corpus format \"lines\"; this call says \"text\""},
             {{"--mecab-dictionary", "/dictionary"}, "mecab dictionary \"\"; this call says \"/dictionary\""},
             {{"--device", "cuda"}, "device \"cpu\"; this call says \"cuda\""},
             {{"--corpus", "elsewhere"}, "corpus \""}}) {
        const Outcome outcome = resume(given);
        expect_one_line(outcome, 2, both);
        EXPECT_NE(outcome.err.find(planned), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(resume({"--seed", "3", "--layer", "1", "--threads", "1", "--dtype", "auto"}).code, 0);
}

TEST_F(ExtractCommand, DropsCopiesAndTellsOfThem) {
    write_file(workshop_.path("corpus.txt"),
               content_of(workshop_.path("corpus.txt")) + "the banks of the river\nthe banks of The river!\n");
    const Outcome outcome = extract({"--deduplicate", "near"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "Copies    1 sentence dropped as exact copies, 1 as near copies")) << outcome.out;
    const json info = json::parse(run({"info", workshop_.path("store"), "--format", "json"}).out);
    EXPECT_EQ(info["settings"]["deduplicate"], "near (Jaccard 0.7)");
    EXPECT_EQ(info["settings"]["exact copies"], "1");
    EXPECT_EQ(info["most_copied"][0]["duplicates"], info["most_copied"][0]["exact_copies"].get<int>() * 2);
    const json ranking = json::parse(run({"rank", workshop_.path("store"), "--format", "json"}).out);
    for (const json& word : ranking["results"])
        EXPECT_EQ(word["duplicates"], word["word"] == "the"                             ? 4
                                      : word["word"] == "of" || word["word"] == "river" ? 2
                                                                                        : 0);
}

TEST_F(ExtractCommand, SaysWhatItDid) {
    const Outcome outcome = extract({});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("Format    1 file: lines (as asked)\nLayer     1 of 3: one third up, the default\n"),
              std::string::npos)
        << outcome.out;
}

}  // namespace
}  // namespace wordbreadth::cli
