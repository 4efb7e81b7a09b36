// triage, compare and rank --html.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/two_stores.h"

namespace wordbreadth::cli {
namespace {

using nlohmann::json;

class StudyCommands : public ::testing::Test {
  protected:
    [[nodiscard]] std::string list(const std::string& words) const {
        std::string path = stores_.folder() + "/list.txt";
        std::ofstream(path) << words;
        return path;
    }

    [[nodiscard]] Arguments compare(const Arguments& more = {}) const {
        Arguments arguments = {"compare", stores_.a(), stores_.b(), "--permutations", "2000"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    TwoStores stores_;
    std::string page_ = stores_.folder() + "/page.html";
};

TEST_F(StudyCommands, CompareNamesTheStoresAfterTheirFolders) {
    EXPECT_TRUE(contains(output_of(compare()), "Broader in first: 1 of 3 shared words; in second: 1 "));
    EXPECT_TRUE(
        contains(output_of(compare({"--names", "old,new"})), "Broader in old: 1 of 3 shared words; in new: 1 "));
    expect_one_line(run(compare({"--names", "old"})), 2, "--names old: expected two names");
    EXPECT_TRUE(contains(output_of({"compare", stores_.a(), stores_.a() + "/"}),
                         "Broader in " + stores_.a() + ": 0 of 4 shared words"));
}

TEST_F(StudyCommands, CompareGivesProgramsEveryWord) {
    const json found = json::parse(output_of(compare({"--format", "json", "--top", "1"})));
    EXPECT_EQ(found["results"].size(), 3U);
    EXPECT_EQ(found["settings"]["adaptive"], 100);
    EXPECT_EQ(found["settings"]["modes"], false);
    EXPECT_EQ(json::parse(output_of(compare({"--format", "json", "--modes"})))["settings"]["modes"], true);
    EXPECT_TRUE(output_of(compare({"--format", "tsv"})).starts_with("word\tn\tv_a\t"));
}

TEST_F(StudyCommands, CompareRefusesStoresOfDifferentModels) {
    const std::string other = stores_.folder() + "/other";
    write_store_made_with(other, {{"model", "another model"}}, 8);
    expect_one_line(run({"compare", stores_.a(), other}), 2, "different models: a model and another model");
}

TEST_F(StudyCommands, RefuseOptionsThatHaveNoEffect) {
    const std::string without = " has no effect without ";
    expect_one_line(run(compare({"--top", "5", "--all"})), 2, "compare: --top has no effect with --all");
    expect_one_line(run(compare({"--lines", "5"})), 2, "--lines" + without + "--format json, or --html");
    expect_one_line(run(compare({"--concordances", "5", "--format", "tsv"})), 2, "--concordances" + without);
    expect_one_line(run(compare({"--confidence", "0.9"})), 2,
                    "--confidence" + without + "--format json, tsv or parquet, or --html");
    const Arguments triage = {"triage", stores_.a(), "--reference", list("tight")};
    const auto with = [&](const Arguments& more) {
        Arguments call = triage;
        call.insert(call.end(), more.begin(), more.end());
        return run(call);
    };
    expect_one_line(with({"--all", "--top", "5"}), 2, "triage: --top has no effect with --all");
    expect_one_line(with({"--lines", "5", "--format", "tsv"}), 2, "--lines" + without + "--format text or json");
    EXPECT_EQ(with({"--lines", "5"}).code, 0);
}

TEST_F(StudyCommands, TriageRanksTheCandidates) {
    const json found = json::parse(output_of(
        {"triage", stores_.a(), "--reference", list("tight\nabsent\n"), "--common-size", "20", "--format", "json"}));
    ASSERT_EQ(found["results"].size(), 2U);
    EXPECT_EQ(found["results"][0]["word"], "loose");
    EXPECT_EQ(found["missing"][0], "absent");
    EXPECT_TRUE(found["missing_because"][0].is_null());
    EXPECT_TRUE(contains(output_of({"triage", stores_.a(), "--reference", list("tight\nTight\n")}),
                         "does not have: Tight (did you mean \"tight\"?)"));
    EXPECT_TRUE(contains(output_of({"triage", stores_.a(), "--reference", list("tight")}), "of 1"));
    expect_one_line(run({"triage", stores_.a(), "--reference", list("absent")}), 2,
                    "list.txt: none of its 1 reference words is in");
}

TEST_F(StudyCommands, TheQuestionDecidesTheAlternative) {
    expect_one_line(run(compare({"--alternative", "less"})), 2, "unknown option --alternative");
}

TEST_F(StudyCommands, PagesSayHowToMakeThemAgain) {
    for (const Arguments& arguments : {compare({"--html", page_, "--names", "one word,two"}),
                                       Arguments{"rank", stores_.a(), "--all", "--html", page_},
                                       {"triage", stores_.a(), "--reference", list("tight"), "--html", page_}}) {
        EXPECT_TRUE(contains(output_of(arguments), "report: " + page_ + "\n"));
        const std::string html = content_of(page_);
        EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
        EXPECT_TRUE(contains(html, "<code>wordbreadth " + arguments[0] + " " + stores_.a())) << arguments[0];
        EXPECT_TRUE(contains(html, "--html " + page_));
        std::filesystem::remove(page_);
    }
    EXPECT_FALSE(contains(output_of(compare({"--html", page_, "--format", "tsv"})), "report:"));
}

TEST_F(StudyCommands, QuotesWhatAShellWouldNotReadAsAWord) {
    (void)output_of(compare({"--html", page_, "--names", "it's one,two"}));
    EXPECT_TRUE(contains(content_of(page_), "--names &#39;it&#39;\\&#39;&#39;s one,two&#39;"));
}

TEST_F(StudyCommands, WhatFailsLeavesNoPage) {
    expect_one_line(run({"triage", stores_.a(), "--reference", list("absent"), "--html", page_}), 2, "absent");
    expect_one_line(run({"rank", stores_.folder(), "--html", page_}), 2, "");
    expect_one_line(run(compare({"--html", stores_.folder() + "/page.txt"})), 2, "expected a name that ends in .html");
    expect_one_line(run(compare({"--html", stores_.folder() + "/none/page.html"})), 2, "/none/page.html");
    std::vector<std::string> left;
    for (const auto& entry : std::filesystem::directory_iterator(stores_.folder()))
        left.push_back(entry.path().filename().string());
    std::ranges::sort(left);
    EXPECT_EQ(left, (std::vector<std::string>{"first", "list.txt", "second"}));
}

}  // namespace
}  // namespace wordbreadth::cli
