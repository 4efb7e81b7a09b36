#include "report/results.h"

#include <gtest/gtest.h>

#include <cmath>
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
              "rank  word  breadth   s.e.  given freq.  v (paper)  frequency\n"
              "   1  w0    0.00100  10.0%            -    0.00100     12,345\n"
              "   2  w1    0.00100  10.0%            -    0.00100     12,345\n"
              "   ⋮\n"
              "   6  w5    0.00100  10.0%            -    0.00100     12,345\n"
              "   7  w6    0.00100  10.0%            -    0.00100     12,345\n"
              "\n"
              "7 words by breadth; 12 rows of each, the size of the smallest cloud, \"w1\"; seed 0\n"
              "given freq.: breadth over what is usual for words as frequent\n"
              "left out: few (has 3 rows)\n");
}

TEST(RankingTable, ShowsAllWhereTheEndsMeet) {
    const std::string text = text_of(example(4), nullptr, 2, {});
    EXPECT_EQ(text.find("⋮"), std::string::npos);
    for (const char* word : {"w0", "w1", "w2", "w3"}) EXPECT_NE(text.find(word), std::string::npos);
}

// A ranking with everything: intervals of ranks, documents, modes.
Ranking full_example() {
    Ranking ranking = example(3);
    ranking.documents = ranking.whole = ranking.modes = true;
    ranking.groups = 2;
    for (std::size_t i = 0; i < 3; ++i) {
        RankedWord& word = ranking.words[i];
        word.breadth.blocks = 30 + i;
        word.breadth.design_effect = 1.5;
        word.ranks = i < 2 ? RankInterval{1, 2, 1, i + 1, 2} : RankInterval{3, 3, 2, 3, 3};
        word.given_frequency = {std::log(1.25), std::log(1.125), std::log(1.5)};
        word.modes = {2, 0.375};
    }
    ranking.words[1].breadth.log_v_standard_error = NAN;
    return ranking;
}

TEST(RankingTable, ShowsHowFarRanksCanBeTrusted) {
    EXPECT_EQ(
        text_of(full_example(), nullptr, 2, {}),
        "rank  word  rank (95%)  breadth   s.e.  docs  given freq.  modes  between modes  v (paper)  frequency\n"
        "   1  w0           1–2  0.00100  10.0%    30         1.25      2           0.38    0.00100     12,345\n"
        "   2  w1           1–2  0.00100      -    31         1.25      2           0.38    0.00100     12,345\n"
        "   3  w2           3–3  0.00100  10.0%    32         1.25      2           0.38    0.00100     12,345\n"
        "\n"
        "3 words by breadth; breadth from pairs of rows of different documents; v (paper) from 12 rows of each, the "
        "size of the smallest cloud, \"w1\"; seed 0\n"
        "ranks: 95% intervals for all words at once; 2 groups of words that cannot be told apart; 1 word without a "
        "standard error (fewer than 4 documents) may have any rank\n"
        "given freq.: breadth over what is usual for words as frequent\n"
        "left out: few (has 3 rows)\n");
}

TEST(RankingTable, ShowsTheIntervalsOfNamedWordsAlone) {
    const Neighbourhood named{{0, 1}, {1}};
    const std::string text = text_of(full_example(), &named, 2, {});
    EXPECT_NE(text.find("rank (95%)  alone (95%)"), std::string::npos) << text;
    EXPECT_NE(text.find("1–2          2–2"), std::string::npos) << text;
    EXPECT_NE(text.find("for all words at once; alone: for a word that was chosen beforehand; 2 groups"),
              std::string::npos)
        << text;
}

TEST(RankingJson, HasIntervalsModesAndDocuments) {
    const nlohmann::ordered_json json = json_of(full_example());
    EXPECT_EQ(json["blocks"], "document");
    EXPECT_EQ(json["groups"], 2);
    const auto& word = json["results"][2];
    EXPECT_EQ(word["rank_low"], 3);
    EXPECT_EQ(word["rank_high"], 3);
    EXPECT_EQ(word["group"], 2);
    EXPECT_EQ(json["results"][0]["marginal_rank_low"], 1);
    EXPECT_EQ(json["results"][1]["marginal_rank_low"], 2);
    EXPECT_EQ(json["results"][1]["marginal_rank_high"], 2);
    EXPECT_EQ(word["documents"], 32);
    EXPECT_EQ(word["given_frequency"], std::log(1.25));
    EXPECT_EQ(word["modes"], 2);
    EXPECT_EQ(word["between"], 0.375);
    EXPECT_TRUE(json_of(example(1))["results"][0]["rank_low"].is_null());
}

TEST(RankingPage, DrawsTheIntervalsOfRanksAndShadesGroups) {
    const Page page = page_of(full_example(), {});
    ASSERT_EQ(page.sections.size(), 4U);
    EXPECT_EQ(page.sections[2].heading, "How far the ranks can be trusted");
    const std::string& body = std::get<Figure>(page.sections[2].blocks[1]).svg.wide.body;
    EXPECT_NE(body.find("class=\"interval s0\""), std::string::npos);
    EXPECT_NE(body.find("class=\"shade\""), std::string::npos);
    EXPECT_NE(body.find("breadth rank 3 (3 to 3)\ngroup 2"), std::string::npos);
    EXPECT_EQ(page_of(example(3), {}).sections.size(), 3U);
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
                    .starts_with("rank  word  breadth   s.e.  given freq.  v (paper)  frequency\n"
                                 "   ⋮\n"
                                 "   3  w2    0.00100  10.0%            -    0.00100     12,345\n"
                                 " → 4  w3    0.00100  10.0%            -    0.00100     12,345\n"
                                 "   5  w4    0.00100  10.0%            -    0.00100     12,345\n"
                                 "   ⋮\n"
                                 "   7  w6    0.00100  10.0%            -    0.00100     12,345\n"
                                 " → 8  w7    0.00100  10.0%            -    0.00100     12,345\n"
                                 "   9  w8    0.00100  10.0%            -    0.00100     12,345\n"
                                 "\n"
                                 "9 words by breadth;"))
        << text_of(ranking, &part, 0, {});
    const auto json = json_of(ranking, &part);
    EXPECT_EQ(json["words"], 9);
    ASSERT_EQ(json["results"].size(), 6U);
    EXPECT_EQ(json["results"][1]["rank"], 4);
    EXPECT_EQ(json["results"][1]["named"], true);
    EXPECT_EQ(json["results"][2]["named"], false);
    const Neighbourhood first = neighbourhood(ranking, {"w0"}, 0);
    const std::string tsv = tsv_of(table_of(ranking, &first));
    EXPECT_NE(tsv.find("\trows\tnamed\tbreadth\t"), std::string::npos);
    EXPECT_NE(tsv.find("\n1\tw0\t0.001\t1e-04\t0.1\t0.5\t1000\t12345\t12\t20\ttrue\t0.001\t"), std::string::npos);
}

TEST(RankingJson, HasAllWordsAndWhatWasLeftOut) {
    const nlohmann::ordered_json json = json_of(example(50));
    EXPECT_EQ(json["by"], "breadth");
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
    EXPECT_TRUE(tsv_of(table_of(ranking)).ends_with("\t1234\t\t\n"));
}

TEST(RankingTsv, HasALineAWord) {
    const Ranking ranking = example(2);
    const std::string text = tsv_of(table_of(ranking));
    EXPECT_EQ(text,
              "rank\tword\tv\tstandard_error\tlog_v_standard_error\tr\tkappa\tfrequency\tn\trows\tbreadth\t"
              "breadth_low\tbreadth_high\tdocuments\tdesign_effect\trank_low\trank_high\tgroup\tgiven_frequency\t"
              "given_frequency_low\tgiven_frequency_high\tmodes\tbetween\tduplicates\tmarginal_rank_low\t"
              "marginal_rank_high\n"
              "1\tw0\t0.001\t1e-04\t0.1\t0.5\t1000\t12345\t12\t20\t0.001\t\t\t\t1\t\t\t\t\t\t\t\t\t\t\t\n"
              "2\tw1\t0.001\t1e-04\t0.1\t0.5\t1001\t12345\t12\t21\t0.001\t\t\t\t1\t\t\t\t\t\t\t\t\t\t\t\n");
}

}  // namespace
}  // namespace wordbreadth::report
