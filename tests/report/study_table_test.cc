#include "report/study/study_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/study/experiment_tables.h"
#include "report/study/paper_figures.h"

namespace wordbreadth::report {
namespace {

StudyTable example() {
    StudyTable table{"example", "An example.", {{"word", "word"}, {"n", "n"}, {"rate", "rate"}, {"p", "p"}}};
    table.rows.push_back({std::string("a\tb"), std::uint64_t{1234}, rate_of(1, 4), 0.25});
    table.rows.push_back({std::string("c"), {}, rate_of(0, 0), NAN});
    return table;
}

TEST(StudyTable, AsTsvHasIntervalsInColumnsOfTheirOwn) {
    const std::string tsv = tsv_of(example());
    EXPECT_TRUE(tsv.starts_with("word\tn\trate\trate_low\trate_high\tp\na\\tb\t1234\t0.25\t0.0")) << tsv;
    EXPECT_TRUE(tsv.ends_with("\nc\t\t\t\t\t\n")) << tsv;
}

TEST(StudyTable, AsJsonHasIntervalsAsObjects) {
    const auto json = json_of(example());
    EXPECT_EQ(json[0]["rate"]["value"], 0.25);
    EXPECT_EQ(json[0]["rate"]["hits"], 1);
    EXPECT_TRUE(json[1]["n"].is_null());
    EXPECT_TRUE(json[1]["rate"]["value"].is_null());
}

TEST(StudyTable, AsTextIsForPeople) {
    const std::string text = text_of(example(), Style{});
    EXPECT_NE(text.find("1,234  0.250 (0.046 to 0.699)  0.250\n"), std::string::npos) << text;
}

TEST(StudyTable, AsTextHasShorterIntervalsOnANarrowTerminal) {
    const std::string text = text_of(example(), Style{.colour = false, .width = 36});
    EXPECT_NE(text.find("0.250 (0.046–0.699)"), std::string::npos) << text;
}

TEST(StudyTable, OnAPageSortsNumbersByTheirValue) {
    const DataTable data = data_table(example());
    EXPECT_EQ(data.columns[0].kind, TableColumn::Kind::text);
    EXPECT_EQ(data.columns[2].kind, TableColumn::Kind::number);
    EXPECT_EQ(data.rows[0][2].value, 0.25);
    EXPECT_TRUE(std::isnan(data.rows[1][1].value));
}

TEST(PaperFigures, AreThoseOfThePaper) {
    EXPECT_EQ(papers_gaps().size(), 10U);
    EXPECT_EQ(papers_gap(10)->baseline, 0.040);
    EXPECT_EQ(papers_gap(10)->proposed_precision, 0.625);
    EXPECT_EQ(papers_gap(11), nullptr);
    EXPECT_EQ(papers_halves().size(), 20U);
    EXPECT_EQ(papers_halves()[5].proposed_greater, 0.0342);
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

TEST(StudyTable, HasParts) {
    const StudyTable part = part_of(example(), {"p", "word"}, "A part.");
    EXPECT_EQ(part.columns[0].key, "p");
    EXPECT_EQ(part.rows[0][1].text, "a\tb");
    EXPECT_EQ(part.rows[0].size(), 2U);
}

}  // namespace
}  // namespace wordbreadth::report
