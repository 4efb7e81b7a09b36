#include "report/results.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/text.h"

namespace wordbreadth::report {
namespace {

Ranking example(std::size_t words) {
    Ranking ranking;
    ranking.common_size = 12;
    ranking.smallest = "w1";
    for (std::size_t i = 0; i < words; ++i) {
        Breadth breadth{12, 8, 0.5, 1000.0 + static_cast<double>(i), 0.001, 0.001, 0.1, 0.0001};
        ranking.words.push_back({"w" + std::to_string(i), 12345, 20 + i, breadth});
    }
    ranking.left_out.push_back({"few", 9, 3, "has 3 rows"});
    return ranking;
}

TEST(RankingTable, ShowsBothEnds) {
    EXPECT_EQ(text_of(example(7), nullptr, 2, {}),
              "rank  word  breadth v  s.e. of v       r  kappa  frequency\n"
              "   1  w0     0.001000    0.00010  0.5000   1000     12,345\n"
              "   2  w1     0.001000    0.00010  0.5000   1001     12,345\n"
              "   ⋮\n"
              "   6  w5     0.001000    0.00010  0.5000   1005     12,345\n"
              "   7  w6     0.001000    0.00010  0.5000   1006     12,345\n"
              "\n"
              "7 words by v; 12 rows of each, the size of the smallest cloud, \"w1\"; seed 0\n"
              "left out: few (has 3 rows)\n");
}

TEST(RankingTable, ShowsAllWhereTheEndsMeet) {
    const std::string text = text_of(example(4), nullptr, 2, {});
    EXPECT_EQ(text.find("⋮"), std::string::npos);
    for (const char* word : {"w0", "w1", "w2", "w3"}) EXPECT_NE(text.find(word), std::string::npos);
}

TEST(RankingTable, ListsAFewOfTheWordsLeftOut) {
    Ranking ranking = example(2);
    ranking.left_out.assign(8, {"few", 9, 3, "has 3 rows"});
    EXPECT_NE(text_of(ranking, nullptr, 2, {}).find("and 3 more\n"), std::string::npos);
}

TEST(RankingTable, SaysWhatWasFilteredOut) {
    Ranking ranking = example(2);
    ranking.filtered = {{"not asked for", 610}, {"stop words", 12}};
    EXPECT_NE(text_of(ranking, nullptr, 2, {}).find("\nfiltered out: 610 not asked for, 12 stop words\n"),
              std::string::npos);
    EXPECT_EQ(json_of(ranking)["filtered"][1]["words"], 12);
    EXPECT_EQ(json_of(ranking)["filtered"][1]["reason"], "stop words");
}

TEST(RankingOfNamedWords, HasTheirNeighboursAndTheirRanksAmongAll) {
    const Ranking ranking = example(9);
    const Neighbourhood part = neighbourhood(ranking, {"w7", "w3", "w7"}, 1);
    EXPECT_TRUE(text_of(ranking, &part, 0, {})
                    .starts_with("rank  word  breadth v  s.e. of v       r  kappa  frequency\n"
                                 "   ⋮\n"
                                 "   3  w2     0.001000    0.00010  0.5000   1002     12,345\n"
                                 " → 4  w3     0.001000    0.00010  0.5000   1003     12,345\n"
                                 "   5  w4     0.001000    0.00010  0.5000   1004     12,345\n"
                                 "   ⋮\n"
                                 "   7  w6     0.001000    0.00010  0.5000   1006     12,345\n"
                                 " → 8  w7     0.001000    0.00010  0.5000   1007     12,345\n"
                                 "   9  w8     0.001000    0.00010  0.5000   1008     12,345\n"
                                 "\n"
                                 "9 words by v;"))
        << text_of(ranking, &part, 0, {});
    const auto json = json_of(ranking, &part);
    EXPECT_EQ(json["words"], 9);
    ASSERT_EQ(json["results"].size(), 6U);
    EXPECT_EQ(json["results"][1]["rank"], 4);
    EXPECT_EQ(json["results"][1]["named"], true);
    EXPECT_EQ(json["results"][2]["named"], false);
    const Neighbourhood first = neighbourhood(ranking, {"w0"}, 0);
    EXPECT_TRUE(
        tsv_of(table_of(ranking, &first))
            .ends_with("\trows\tnamed\tduplicates\n1\tw0\t0.001\t1e-04\t0.1\t0.5\t1000\t12345\t12\t20\ttrue\t\n"));
}

TEST(RankingJson, HasAllWordsAndWhatWasLeftOut) {
    const nlohmann::ordered_json json = json_of(example(50));
    EXPECT_EQ(json["by"], "v");
    EXPECT_EQ(json["common_size"], 12);
    ASSERT_EQ(json["results"].size(), 50U);
    EXPECT_EQ(json["results"][49]["rank"], 50);
    EXPECT_EQ(json["results"][49]["word"], "w49");
    EXPECT_EQ(json["results"][49]["n"], 12);
    EXPECT_EQ(json["left_out"][0]["reason"], "has 3 rows");
}

TEST(RankingTable, CountsOccurrencesInCopiesWhereThereAreAny) {
    Ranking ranking = example(2);
    ranking.words[0].duplicates = 0;
    EXPECT_FALSE(contains(text_of(ranking, nullptr, 2, {}), "in copies"));
    ranking.words[1].duplicates = 1234;
    EXPECT_TRUE(contains(text_of(ranking, nullptr, 2, {}), "  frequency  in copies\n"));
    EXPECT_EQ(json_of(ranking)["results"][1]["duplicates"], 1234);
    EXPECT_TRUE(tsv_of(table_of(ranking)).ends_with("\t21\t1234\n"));
}

TEST(RankingTsv, HasALineAWord) {
    const Ranking ranking = example(2);
    const std::string text = tsv_of(table_of(ranking));
    EXPECT_EQ(text,
              "rank\tword\tv\tstandard_error\tlog_v_standard_error\tr\tkappa\tfrequency\tn\trows\tduplicates\n"
              "1\tw0\t0.001\t1e-04\t0.1\t0.5\t1000\t12345\t12\t20\t\n"
              "2\tw1\t0.001\t1e-04\t0.1\t0.5\t1001\t12345\t12\t21\t\n");
}

}  // namespace
}  // namespace wordbreadth::report
