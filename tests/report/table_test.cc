#include "report/table/table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/result.h"
#include "report/results.h"
#include "support/text.h"

namespace wordbreadth::report {
namespace {

using wordbreadth::lines_of;  // of a text: report has one of a concordance
using Kind = TextColumn::Kind;

TEST(TextTable, AlignsNamesLeftAndNumbersRight) {
    TextTable table{.columns = {{"word", Kind::name}, {"n"}}};
    table.rows.push_back({"a", "1"});
    table.rows.push_back({"bank", "200"});
    EXPECT_EQ(table.text({}),
              "word    n\n"
              "a       1\n"
              "bank  200\n");
}

TEST(TextTable, AlignsByWhatTheTerminalShows) {
    TextTable table{.columns = {{"word", Kind::name}, {"n"}}};
    table.rows.push_back({"银行", "1"});
    table.rows.push_back({"Fuß", "2"});
    EXPECT_EQ(table.text({}),
              "word  n\n"
              "银行  1\n"
              "Fuß   2\n");
}

TEST(TextTable, ShortensOnlyNamesToFitTheTerminal) {
    TextTable table{.columns = {{"word", Kind::name}, {"number"}}};
    table.rows.push_back({"a-name-that-is-rather-long", "1234567890"});
    for (const std::string& line : lines_of(table.text({.width = 24}))) EXPECT_LE(display_width(line), 24U) << line;
    EXPECT_NE(table.text({.width = 24}).find("1234567890"), std::string::npos);
    EXPECT_NE(table.text({.width = 3}).find("1234567890"), std::string::npos);
    EXPECT_NE(table.text({}).find("a-name-that-is-rather-long"), std::string::npos);
}

TEST(TextTable, BreaksTitlesBeforeItCutsNames) {
    TextTable table{.columns = {{"word", Kind::name}, {"false positives"}, {"n"}}};
    table.rows.push_back({"extraordinary", "0.25", "1"});
    EXPECT_FALSE(table.is_wider_than(33));
    EXPECT_TRUE(table.is_wider_than(32));
    EXPECT_FALSE(table.is_wider_than(0));
    EXPECT_EQ(table.text({.width = 27}),
              "                   false\n"
              "word           positives  n\n"
              "extraordinary       0.25  1\n");
    EXPECT_EQ(lines_of(table.text({.width = 32})).size(), 3U);
}

TEST(TextTable, BreaksNotesOverLines) {
    TextTable table{.columns = {{"pairs", Kind::note}, {"rate"}}};
    table.rows.push_back({"two halves of a word", "0.25"});
    table.rows.push_back({"halves", "0.5"});
    EXPECT_EQ(table.text({.width = 18}),
              "pairs         rate\n"
              "two halves    0.25\n"
              "of a word\n"
              "halves         0.5\n");
}

TEST(TextTable, GoesOnBelowWhereALineCannotHoldIt) {
    TextTable table{.columns = {{"rank"}, {"word", Kind::name}, {"first"}, {"second"}, {"third"}, {"fourth"}}};
    table.rows.push_back({"1", "bank", "0.25 (0.1–0.3)", "0.25 (0.1–0.3)", "0.25 (0.1–0.3)", "7"});
    EXPECT_EQ(table.text({.width = 44}),
              "rank  word           first          second\n"
              "   1  bank  0.25 (0.1–0.3)  0.25 (0.1–0.3)\n"
              "\n"
              "rank  word           third  fourth\n"
              "   1  bank  0.25 (0.1–0.3)       7\n");
    EXPECT_EQ(lines_of(table.text({})).size(), 2U);
}

TEST(TextTable, GoesOnBelowWithEnoughToTellRowsApart) {
    TextTable table{.columns = {{"model", Kind::note}, {"gap"}, {"first"}, {"second"}}};
    table.rows.push_back({"tiny", "50", "0.25 (0.1–0.3)", "0.25 (0.1–0.3)"});
    table.rows.push_back({"tiny", "100", "0.25 (0.1–0.3)", ""});
    EXPECT_EQ(table.text({.width = 32}),
              "model  gap           first\n"
              "tiny    50  0.25 (0.1–0.3)\n"
              "tiny   100  0.25 (0.1–0.3)\n"
              "\n"
              "model  gap          second\n"
              "tiny    50  0.25 (0.1–0.3)\n"
              "tiny   100\n");
}

// Tables of every shape: no line is wider than the terminal where words and numbers let it be, and nothing is lost.
TEST(TextTable, KeepsToTheTerminal) {
    for (const std::size_t width : {40U, 60U, 80U, 120U}) {
        TextTable table{.columns = {{"false positives at 5%", Kind::note},
                                    {"none, plain"},
                                    {"householder, plain"},
                                    {"none, robust"},
                                    {"householder, robust"},
                                    {"householder, documents as blocks"}}};
        const std::string rate = "14.1% (12.0–16.5)";
        table.rows.push_back({"neighbours in rank, cross-fitted, 25 and 25 rows", rate, rate, rate, rate, rate});
        table.rows.push_back({"two halves of a word, 50 and 50 rows", rate, rate, rate, rate, "-"});
        const std::string text = table.text({.width = width});
        std::size_t rates = 0;
        for (std::size_t at = text.find(rate); at != std::string::npos; at = text.find(rate, at + 1)) ++rates;
        EXPECT_EQ(rates, 9U) << text;
        for (const std::string& line : lines_of(text)) EXPECT_LE(display_width(line), width) << text;
    }
}

TEST(TextTable, HasColourOnlyWhereAsked) {
    TextTable table{.columns = {{"word", Kind::name}}};
    table.rows.push_back({"a"});
    EXPECT_EQ(table.text({}).find('\x1b'), std::string::npos);
    EXPECT_NE(table.text({.colour = true}).find('\x1b'), std::string::npos);
}

// The table and the reasons, without the line about the method.
std::string pairs_table(const std::vector<TestResult>& results, const std::vector<double>& adjusted, Adjustment method,
                        std::size_t shown, const Style& style) {
    const std::string text =
        text_of(TestedPairs{.results = TestResults(results), .adjustment = method, .adjusted = adjusted}, shown, style);
    return text.substr(0, text.rfind("\n\n") + 1);
}

TEST(PairsTable, SortsByPWithUndefinedPairsLastAndExplained) {
    std::vector<TestResult> results = {undefined_example(), example(), example()};
    results[1].x = "second";
    results[1].p = 0.5;
    results[2].x = "first";
    const std::vector<double> q = {std::nan(""), 0.5, 0.0008};
    const std::string text = pairs_table(results, q, Adjustment::benjamini_hochberg, 3, {});
    EXPECT_EQ(text,
              "x       y        n     m  ratio       T        p   q (bh)\n"
              "first   river  100  1200  1.258  0.2296  0.00040  0.00080\n"
              "second  river  100  1200  1.258  0.2296  0.50000  0.50000\n"
              "flat    river  100  1200      -       -        -        -\n"
              "\n"
              "no p-value for flat and river: flat: its rows cancel out\n");
}

TEST(PairsTable, HasNoAdjustedColumnWithoutAMethod) {
    const TestResult result = example();
    const std::vector<double> q = {result.p};
    EXPECT_TRUE(pairs_table({result}, q, Adjustment::none, 1, {})
                    .starts_with("x     y        n     m  ratio       T        p\n"));
    EXPECT_NE(pairs_table({result}, q, Adjustment::holm, 1, {}).find("p (holm)"), std::string::npos);
}

TEST(PairsTable, SaysEachReasonOnceAndOnlyTheFirstFew) {
    std::vector<TestResult> results(25, undefined_example());
    const std::vector<double> q(25, std::nan(""));
    const std::string once = pairs_table(results, q, Adjustment::none, 25, {});
    EXPECT_NE(once.find("\nno p-value for flat and river, and 24 pairs more: flat: its rows cancel out\n"),
              std::string::npos)
        << once;
    for (std::size_t i = 0; i < results.size(); ++i) results[i].undefined = "reason " + std::to_string(i);
    EXPECT_NE(pairs_table(results, q, Adjustment::none, 25, {}).find("and 15 more reasons"), std::string::npos);
}

TEST(PairsTable, ShowsOnlyTheFirst) {
    std::vector<TestResult> results(3, example());
    results[1].x = "least";
    results[1].p = 1e-9;
    const std::vector<double> q(3, 0.5);
    const std::string text = pairs_table(results, q, Adjustment::none, 1, {});
    EXPECT_EQ(std::ranges::count(text, '\n'), 2) << text;
    EXPECT_NE(text.find("\nleast "), std::string::npos) << text;
}

void expect_eighty_columns(const std::string& text) {
    for (const std::string& line : lines_of(text)) EXPECT_LE(display_width(line), 80U) << line;
}

TEST(PairsTable, FitsEightyColumns) {
    std::vector<TestResult> results = {example(), undefined_example()};
    for (TestResult& result : results) {
        result.x = std::string(40, 'x');
        result.y = "银行银行银行银行银行银行银行银行";
        result.n = result.m = 1'000'000;
        result.p = 4.1e-105;
        result.ratio = 1234.567;
        result.T = -7.1184;
    }
    const std::vector<double> q = {3.9e-104, std::nan("")};
    expect_eighty_columns(pairs_table(results, q, Adjustment::benjamini_hochberg, 2, {.width = 80}));
}

TEST(BreadthTable, FitsEightyColumnsAndShowsWhatTellsTheFilesApart) {
    const Breadth breadth{10000, 1024, 0.01234, 123456.7, 8.1e-06, 1.2e-08, 0.001};
    const std::vector<CloudBreadth> clouds = {
        {std::string(40, 'w'), "/a/rather/long/way/to/the/folder/of/scripture.store", breadth, {}},
        {"bank", "/a/rather/long/way/to/the/folder/of/manuals.store", {}, "bank: all 3 rows point the same way"}};
    const std::string text = text_of(clouds, {.width = 80});
    expect_eighty_columns(text);
    EXPECT_NE(text.find("manuals.store\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("/a/"), std::string::npos) << text;
    EXPECT_NE(text.find("\nno breadth: bank: all 3 rows point the same way\n"), std::string::npos) << text;
    EXPECT_NE(text_of(clouds, {}).find("/of/manuals.store\n"), std::string::npos);
}

TEST(DevicesTable, SaysWhyADeviceIsNotUsableAndWhatAutoTakes) {
    const std::vector<Device> devices = {{"cuda", "NVIDIA GPU", false, "no driver", {}, {}},
                                         {"cpu", "all cores", true, {}, {"avx2", "avx512"}, "avx512"}};
    EXPECT_EQ(text_of(devices, {}),
              "device\n"
              "cuda    NVIDIA GPU\n"
              "        not usable: no driver\n"
              "cpu     all cores\n"
              "        instruction sets: avx2, avx512 (used)\n"
              "\n"
              "auto takes the first usable one: cpu\n");
}

}  // namespace
}  // namespace wordbreadth::report
