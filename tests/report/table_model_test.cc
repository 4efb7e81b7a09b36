#include "report/table/table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/experiment_parts.h"

namespace wordbreadth::report {
namespace {

struct Row {
    std::string word;
    std::optional<std::size_t> n;
    Rate rate;
    double p;
};

Table example() {
    return table_of<Row>("example", "An example.", {{"a\tb", 1234, rate_of(1, 4), 0.25}, {"c", {}, rate_of(0, 0), NAN}},
                         {{"word", "word", look::note, &Row::word},
                          {"n", "n", look::count, &Row::n},
                          {"rate", "rate", look::rate, &Row::rate},
                          {"p", "p", look::decimals(3), &Row::p}});
}

TEST(Table, AsTsvHasIntervalsInColumnsOfTheirOwn) {
    const std::string tsv = tsv_of(example());
    EXPECT_TRUE(tsv.starts_with("word\tn\trate\trate_low\trate_high\tp\na\\tb\t1234\t0.25\t0.0")) << tsv;
    EXPECT_TRUE(tsv.ends_with("\nc\t\t\t\t\t\n")) << tsv;
}

TEST(Table, AsJsonHasIntervalsAsObjects) {
    const auto json = json_of(example());
    EXPECT_EQ(json[0]["rate"]["value"], 0.25);
    EXPECT_EQ(json[0]["rate"]["hits"], 1);
    EXPECT_TRUE(json[1]["n"].is_null());
    EXPECT_TRUE(json[1]["rate"]["value"].is_null());
}

TEST(Table, AsTextIsForPeople) {
    const std::string text = text_of(example(), Style{});
    EXPECT_NE(text.find("1,234  0.250 (0.046 to 0.699)  0.250\n"), std::string::npos) << text;
}

TEST(Table, AsTextHasShorterIntervalsOnANarrowTerminal) {
    const std::string text = text_of(example(), Style{.colour = false, .width = 36});
    EXPECT_NE(text.find("0.250 (0.046–0.699)"), std::string::npos) << text;
}

TEST(Table, OnAPageSortsNumbersByTheirValue) {
    const std::string html = html_of(data_table(example()));
    EXPECT_NE(html.find("<th scope=\"col\" class=\"text\">word</th><th scope=\"col\" class=\"number\">n</th>"),
              std::string::npos)
        << html;
    EXPECT_NE(html.find("<td class=\"number\" data-value=\"1234\">1,234</td><td class=\"number\" data-value=\"0.25\""),
              std::string::npos)
        << html;
    EXPECT_NE(html.find("<td dir=\"auto\">c</td><td class=\"number\"></td>"), std::string::npos) << html;
}

TEST(Table, ShowsDotsWhereRowsAreLeftOut) {
    const Table table = table_of("", "", {{"n", "n"}}, {{1U}, {2U}, {3U}, {4U}, {5U}});
    EXPECT_EQ(text_of(table, {}, both_ends(5, 1)), "n\n1\n⋮\n5\n");
    EXPECT_EQ(text_of(table, {}, {1, 2}), "n\n⋮\n2\n3\n⋮\n");
    EXPECT_EQ(text_of(rows_of(table, {1, 2}), {}), "n\n2\n3\n");
    EXPECT_EQ(both_ends(5, 3).size(), 5U);
}

TEST(Table, ShowsPeopleAndProgramsTheirColumns) {
    const Table table = table_of("", "",
                                 {{"key", "", look::count},
                                  {"", "heading", look::count},
                                  {"rows", "rows", look::count, "", in::page | in::programs}},
                                 {{1U, Value(2U).shown_as("two"), 3U}});
    EXPECT_EQ(tsv_of(table), "key\trows\n1\t3\n");
    EXPECT_EQ(json_of(table).dump(), R"([{"key":1,"rows":3}])");
    EXPECT_EQ(text_of(table, {}), "heading\n    two\n");
    const std::string html = html_of(data_table(table));
    EXPECT_EQ(html.find(">key<"), std::string::npos);
    EXPECT_NE(html.find(">heading</th><th scope=\"col\" class=\"number\">rows</th>"), std::string::npos) << html;
}

TEST(Table, HasListsAndTruthsAndNoInfinities) {
    const Table table = table_of("", "", {{"list"}, {"truth"}, {"real"}, {"none"}},
                                 {{std::vector<std::string>{"a", "b"}, true, HUGE_VAL, {}}});
    EXPECT_EQ(tsv_of(table), "list\ttruth\treal\tnone\na,b\ttrue\t\t\n");
    EXPECT_EQ(json_of(table).dump(), R"([{"list":["a","b"],"truth":true,"real":null,"none":null}])");
}

TEST(PaperFigures, AreThoseOfThePaper) {
    EXPECT_EQ(std::size(paper::gaps), 10U);
    EXPECT_EQ(paper::gap_of(10)->baseline, 0.040);
    EXPECT_EQ(paper::gap_of(10)->proposed_precision, 0.625);
    EXPECT_EQ(paper::gap_of(11), nullptr);
    EXPECT_EQ(std::size(paper::halves), 20U);
    EXPECT_EQ(paper::halves[5].proposed_greater, 0.0342);
}

TEST(ShortPath, IsTheLastPart) {
    EXPECT_EQ(short_path("/a/b/store"), "store");
    EXPECT_EQ(short_path("/a/b/store/"), "store");
    EXPECT_EQ(short_path("store"), "store");
    EXPECT_EQ(short_path("/"), "/");
}

TEST(ModelName, IsWhatPeopleCallIt) {
    EXPECT_EQ(model_name("/models/bert-tiny"), "bert-tiny");
    EXPECT_EQ(model_name("/packages/minilm/model"), "minilm");
    EXPECT_EQ(model_name("model"), "model");
    EXPECT_EQ(model_name("/cache/models--org--name-v2/snapshots/0a1b"), "org/name-v2");
    EXPECT_EQ(model_name("/cache/models--bert-base-uncased/snapshots/0a1b"), "bert-base-uncased");
}

TEST(Table, HasParts) {
    const Table part = part_of(example(), {"p", "word"}, "A part.");
    EXPECT_EQ(part.columns[0].key, "p");
    EXPECT_EQ(part.row(0)[1].text, "a\tb");
    EXPECT_EQ(part.row(0).size(), 2U);
}

TEST(Table, OfManyRowsIsWrittenInTheirOrderByAnyNumberOfThreads) {
    for (const std::size_t size : {0U, 1U, 511U, 512U, 513U, 10'000U}) {
        Table table{.columns = {{"number"}, {"half"}}, .size = size};
        table.row = [](std::size_t i) { return Cells{i, static_cast<double>(i) / 2}; };
        std::string expected = "number\thalf\n";
        for (std::size_t i = 0; i < size; ++i) expected += std::to_string(i) + "\t" + field(double(i) / 2) + "\n";
        for (const unsigned threads : {1U, 2U, 5U}) {
            std::string written;
            write_tsv(table, threads, [&](std::string_view text) { written += text; });
            EXPECT_EQ(written, expected) << size << " rows, " << threads << " threads";
        }
    }
}

TEST(Table, ThatCannotBeWrittenSaysSo) {
    Table table{.columns = {{"number"}}, .size = 10'000};
    table.row = [](std::size_t i) { return Cells{i}; };
    std::size_t bytes = 0;
    const auto until_full = [&](std::string_view text) {
        if ((bytes += text.size()) > 20'000) throw std::runtime_error("full");
    };
    EXPECT_THROW(write_tsv(table, 3, until_full), std::runtime_error);
}

}  // namespace
}  // namespace wordbreadth::report
