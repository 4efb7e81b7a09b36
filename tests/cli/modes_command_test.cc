// wordbreadth contexts --modes, compare --modes, and the section of pages on why words are broad.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/tsv.h"
#include "study/many_words.h"
#include "support/program.h"
#include "support/temporary.h"
#include "wordbreadth/modes.h"

namespace wordbreadth::cli {
namespace {

using Json = nlohmann::ordered_json;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

class ModesCommand : public ::testing::Test {
  protected:
    ModesCommand() {
        write_many_words(store_, 3, 20);
        write_many_words(few_, 2, 9);
    }

    const TemporaryFolder folder_;
    const std::string store_ = folder_.path() + "/a.store", few_ = folder_.path() + "/few.store";
};

TEST_F(ModesCommand, GivesTheNumbersOfTheLibrary) {
    const Outcome outcome = run({"contexts", store_, "w001", "--modes", "--seed", "2", "--format", "json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = Json::parse(outcome.out);
    const Store store(store_);
    ModesOptions options;
    options.seed = 2;
    const std::vector<std::size_t> words{1};
    const Explanation expected = explain(store, words, 5, options);
    const Modes& found = *expected.words[0].found.modes;
    EXPECT_EQ(json["word"], "w001");
    EXPECT_EQ(json["rows"], 20);
    EXPECT_EQ(json["modes"], found.modes.size());
    EXPECT_EQ(json["breadth"], found.v);
    EXPECT_EQ(json["between"], found.between);
    EXPECT_EQ(json["median_breadth"], expected.typical);
    EXPECT_EQ(json["p"], found.p);
    ASSERT_EQ(json["results"].size(), found.modes.size());
    EXPECT_EQ(json["results"][0]["usages"].size(), 5U);
    EXPECT_EQ(json["results"][0]["usages"][0]["row"], found.modes[0].rows[0]);
    EXPECT_TRUE(run({"contexts", store_, "w001", "--modes", "--format", "tsv"})
                    .out.starts_with("mode\tshare\trows\tdocuments\tlargest_document\tmean_cosine\tbreadth\t"
                                     "log_v_standard_error\n1\t"));
}

TEST_F(ModesCommand, SaysWhyAndShowsTypicalOccurrences) {
    const std::string text = run({"contexts", store_, "w000", "--modes", "--count", "3", "--width", "70"}).out;
    EXPECT_TRUE(text.starts_with("w000 is broad because it ")) << text;
    EXPECT_TRUE(contains(text, "mode 1, ")) << text;
    EXPECT_TRUE(contains(text, " of w000 right.")) << text;
    EXPECT_TRUE(contains(text, "A mode is a group of similar contexts, not a sense")) << text;
    EXPECT_TRUE(run({"contexts", store_, "w002", "--modes"}).out.starts_with("w002 is narrow"));
}

TEST_F(ModesCommand, OfAWordWithFewRowsIsAnError) {
    const Outcome outcome = run({"contexts", few_, "w001", "--modes"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "w001 has 9 rows; modes take at least 10")) << outcome.err;
    expect_one_line(run({"contexts", store_, "w001", "--modes", "--sort", "left"}), 2,
                    "--sort has no effect with --modes");
}

TEST_F(ModesCommand, PagesOfWordsSayWhyTheyAreBroad) {
    const std::string page = folder_.path() + "/page.html";
    ASSERT_EQ(run({"rank", store_, "--html", page}).code, 0);
    EXPECT_TRUE(contains(content_of(page), "Why words are broad</h2>"));
    EXPECT_TRUE(contains(content_of(page), "w002 is narrow"));
    EXPECT_TRUE(contains(content_of(page), "data-concordance=\"w001 (Why words are broad)\""));
    ASSERT_EQ(run({"compare", store_, few_, "--html", page, "--permutations", "99"}).code, 0);
    EXPECT_TRUE(contains(content_of(page), "Why words are broad in a.store</h2>"));
    EXPECT_TRUE(contains(content_of(page), "has 9 rows; modes take at least 10<"));
}

TEST_F(ModesCommand, CompareGivesTheShareBetweenModes) {
    const Arguments call = {"compare", store_, store_, "--names", "a,b", "--permutations", "99", "--format", "json"};
    const Json without = Json::parse(run(call).out);
    for (const Json& word : without["results"]) {
        EXPECT_TRUE(word["modes_a"].is_null());
        EXPECT_TRUE(word["between_b"].is_null());
    }
    Arguments with_modes = call;
    with_modes.push_back("--modes");
    const Store store(store_);
    const Json found = Json::parse(run(with_modes).out);
    for (const Json& word : found["results"]) {
        const std::vector<std::size_t> index{store.find(word["word"])};
        const Modes expected = *modes(store, index)[0].modes;
        EXPECT_EQ(word["modes_a"], expected.modes.size());
        EXPECT_EQ(word["between_a"], expected.between);
        EXPECT_EQ(word["between_b"], expected.between);
    }
}

}  // namespace
}  // namespace wordbreadth::cli
