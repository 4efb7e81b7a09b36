// What triage, compare and rank look like: tables, JSON, tab-separated values, pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <tuple>

#include "report/results.h"
#include "support/text.h"

namespace wordbreadth::report {
namespace {

constexpr const char* hostile = "<script>alert(1)</script>";

ConcordanceLine usage(const std::string& text, std::uint64_t start, std::uint64_t end, double influence = 0.1) {
    return {{0, "/folder/document.txt", 3, text, start, end}, influence};
}

// Five words: w0 and w1 broader in A, w4 and w3 in B, the lower number always the clearer.
Comparison comparison() {
    Comparison found;
    found.options.test = options_of_many_tests(Alternative::two_sided);
    found.device = "cpu";
    const std::vector<std::pair<std::string, double>> words = {
        {"w0", 1.0}, {"w4", -0.9}, {"w1", 0.5}, {"w3", -0.4}, {"w2", 0.1}};
    for (std::size_t i = 0; i < words.size(); ++i) {
        ComparedWord word;
        word.word = words[i].first;
        word.test.n = word.test.m = 100;
        word.test.T = words[i].second;
        word.test.v_x = 0.001 * std::exp(word.test.T);
        word.test.v_y = 0.001;
        word.test.ratio = std::exp(word.test.T);
        word.q = i < 4 ? 0.001 * static_cast<double>(i + 1) : 0.6;
        found.words.push_back(word);
    }
    found.words[0].concordance_a = {usage("the bank of\na river", 4, 8)};
    found.words[0].concordance_b = {usage("a bank", 2, 6)};
    found.left_out = {{"few", "has 1 row in B"}};
    return found;
}

Triage triage() {
    Triage found;
    found.options.test = options_of_many_tests(Alternative::greater);
    found.device = "cpu";
    found.common_size = 12;
    found.median_v = 0.001;
    found.missing = {{"absent", "too rare"}};
    for (const char* word : {"r1", "r2", "r3"})
        found.references.push_back({word, 10, {12, 8, 0.5, 1000, 0.001, 0.1, 0.0001}});
    for (const std::size_t above : {3U, 2U, 1U, 0U}) {
        Candidate candidate{
            "above" + std::to_string(above), 99, 20, {12, 8, 0.5, 500, 0.002, 0.1, 0.0001}, {}, above, 0, {}};
        for (std::size_t k = 0; k < 3; ++k) candidate.tests.push_back({0.3, 0.01, 0.02, k >= 3 - above});
        candidate.attention = static_cast<double>(above) / 3;
        candidate.concordance = {usage("the bank", 4, 8)};
        found.candidates.push_back(candidate);
    }
    return found;
}

TEST(ComparisonTable, HasTheClearestOfEitherSideAtItsEnds) {
    const std::string text = text_of(comparison(), {"scripture", "manuals"}, 1, {});
    EXPECT_TRUE(contains(text, "Broader in scripture: 2 of 5 shared words; in manuals: 2 (q <= 0.05)")) << text;
    EXPECT_TRUE(contains(text, "⋮"));
    EXPECT_LT(text.find("\nw0 "), text.find("\nw4 "));
    EXPECT_NE(text.find("\nw4 "), std::string::npos);
    for (const char* word : {"\nw1 ", "\nw2 ", "\nw3 "}) EXPECT_FALSE(contains(text, word)) << word;
    EXPECT_TRUE(contains(text, "left out: few (has 1 row in B)"));
    EXPECT_TRUE(contains(text, "fewer where 100 as extreme are found earlier"));
}

TEST(ComparisonTable, FitsEightyColumns) {
    Comparison long_words = comparison();
    for (ComparedWord& word : long_words.words) word.word += std::string(60, 'x');
    const std::string text =
        text_of(long_words, {"a name that is far too long", "another of the kind"}, 9, {false, 80});
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        EXPECT_LE(display_width(text.substr(at, end - at)), 80U) << text.substr(at, end - at);
        at = end + 1;
    }
}

TEST(ComparisonJson, HasEverything) {
    const nlohmann::ordered_json json = json_of(comparison(), {"scripture", "manuals"});
    EXPECT_EQ(json["a"]["name"], "scripture");
    ASSERT_EQ(json["results"].size(), 5U);
    EXPECT_EQ(json["results"][0]["usages_a"][0]["text"], "the bank of\na river");
    EXPECT_FALSE(json["results"][1].contains("usages_a"));
    EXPECT_EQ(json["settings"]["adaptive"], 100);
    EXPECT_EQ(json["left_out"][0]["word"], "few");
}

TEST(ComparisonTsv, HasALineAWord) {
    const Comparison found = comparison();
    const std::string lines = tsv_of(table_of(found, {"A", "B"}));
    EXPECT_TRUE(lines.starts_with("word\tn\tv_a\tv_b\tratio\tT\t"));
    EXPECT_EQ(std::ranges::count(lines, '\n'), 6);
}

TEST(ComparisonPage, TextFromOutsideStaysText) {
    Comparison found = comparison();
    found.words[0].word = hostile;
    const std::string html = html_of(page_of(found, {hostile, hostile}));
    EXPECT_FALSE(contains(html, hostile));
    EXPECT_TRUE(contains(html, "&lt;script&gt;"));
}

TEST(ComparisonPage, ShowsUsagesOfBothCorpora) {
    const Page page = page_of(comparison(), {"scripture", "manuals"});
    ASSERT_EQ(page.concordances.size(), 1U);
    ASSERT_EQ(page.concordances[0].lines.size(), 2U);
    EXPECT_EQ(page.concordances[0].lines[0].source, "scripture: document.txt");
    EXPECT_EQ(page.concordances[0].lines[1].source, "manuals: document.txt");
}

// Where the point of a word stands in a figure: the pixel of its y.
double height_of(const std::string& body, const std::string& word) {
    std::smatch match;
    const std::regex point("d=\"M[^ ]* ([0-9.]+)m[^>]*><title>" + word + "\n");
    return std::regex_search(body, match, point) ? std::stod(match[1]) : NAN;
}

const Figure& figure_of(const Page& page, std::size_t section, std::size_t block) {
    return std::get<Figure>(page.sections[section].blocks[block]);
}

TEST(ComparisonPage, WordsThatNoPermutationReachesAreSpreadByTheSizeOfT) {
    Comparison found = comparison();
    for (ComparedWord& word : found.words) {
        word.q = 0.001;
        word.test.exceedances = word.word == "w2" ? 40 : 0;
    }
    const Page page = page_of(found, {"scripture", "manuals"});
    const Figure& volcano = figure_of(page, 1, 0);
    const std::string& body = volcano.svg.wide.body;
    for (const auto& [higher, lower] :
         {std::pair("w0", "w4"), std::pair("w4", "w1"), std::pair("w1", "w3"), std::pair("w3", "w2")})
        EXPECT_LT(height_of(body, higher) + 4, height_of(body, lower)) << higher;
    EXPECT_TRUE(contains(body, "no permutation as extreme"));
    EXPECT_TRUE(contains(volcano.caption.html(), "are 4 words whose q is as small as it can be"))
        << volcano.caption.html();
    for (ComparedWord& word : found.words) word.test.exceedances = 1;
    EXPECT_FALSE(contains(figure_of(page_of(found, {"a", "b"}), 1, 0).svg.wide.body, "no permutation as extreme"));
}

// What all words have in common is taken off: only w2, which lags behind, is a finding.
Comparison centered() {
    Comparison found = comparison();
    found.median_effect = 0.5;
    for (ComparedWord& word : found.words) {
        word.test.effect = word.test.T;
        word.centered = {word.test.T - 0.5, 0.1, 0.5, word.word == "w2" ? 0.01 : 0.7};
    }
    return found;
}

TEST(ComparisonPage, GoesByTheMedianAndHasBoth) {
    const Page page = page_of(centered(), {"scripture", "manuals"});
    const std::string html = html_of(page);
    EXPECT_TRUE(contains(html, "broader in manuals, beyond the median")) << html;
    EXPECT_TRUE(contains(html, "Against equal breadth, by permutations, 2 words are broader in scripture and 2"));
    EXPECT_TRUE(contains(html, "The median word is 1.65 times as broad in scripture"));
    EXPECT_FALSE(contains(figure_of(page, 1, 0).svg.wide.body, "no permutation as extreme"));
    const std::string raw = html_of(page_of(centered(), {"scripture", "manuals"}, Center::none));
    EXPECT_FALSE(contains(raw, "beyond the median</"));
}

TEST(ComparisonTable, GoesByTheMedianOnRequest) {
    const std::string text = text_of(centered(), {"scripture", "manuals"}, 5, {}, Center::median);
    EXPECT_TRUE(contains(text, "Beyond the median, broader in scripture: 0 of 5 shared words; in manuals: 1")) << text;
    EXPECT_TRUE(contains(text, "the median word, 1.65, p from Student's t")) << text;
    EXPECT_EQ(json_of(centered(), {"a", "b"}, Center::median)["results"][0]["word"], "w2");
    EXPECT_EQ(json_of(centered(), {"a", "b"})["results"][0]["word"], "w0");
}

TEST(TriageTable, SaysWhichReferencesInFewWords) {
    const Triage found = triage();
    const std::vector<std::string> expected = {"all", "all but r1", "r3", "none"};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(broader_than(found, found.candidates[i]), expected[i]);
}

TEST(TriageTable, ShowsTheEndsTheUsagesAndWhatIsMissing) {
    const std::string text = text_of(triage(), 1, {});
    EXPECT_TRUE(contains(text, "Broader than all of the 3 references: 1 of 4 words; than none: 1 (q <= 0.05)")) << text;
    EXPECT_TRUE(contains(text, "above3") && contains(text, "above0") && contains(text, "⋮"));
    EXPECT_TRUE(contains(text, "+0.1000  the bank")) << text;
    EXPECT_TRUE(contains(text, "reference words that the store does not have: absent")) << text;
}

TEST(TriageJson, HasEveryTest) {
    const Triage found = triage();
    const nlohmann::ordered_json json = json_of(found);
    ASSERT_EQ(json["results"].size(), 4U);
    EXPECT_EQ(json["results"][1]["tests"][2]["reference"], "r3");
    EXPECT_EQ(json["results"][1]["tests"][2]["broader"], true);
    EXPECT_EQ(json["missing"][0], "absent");
    EXPECT_TRUE(contains(tsv_of(table_of(found)), "2\tabove2\t0.6666666666666666\t2\t3\t"));
}

TEST(TriagePage, ShowsBreadthGivenFrequencyAndSensesWhereTheyWereAskedFor) {
    Triage found = triage();
    EXPECT_FALSE(contains(html_of(page_of(found)), "for its frequency"));
    EXPECT_FALSE(contains(text_of(found, 5, {}), "senses"));
    found.order = TriageOrder::given_frequency;
    found.matched_by_senses = true;
    for (Candidate& candidate : found.candidates) candidate.given_frequency = {0.1, 0.05, 0.2};
    for (const std::string& shown : {html_of(page_of(found)), text_of(found, 5, {})})
        for (const char* const part : {"for its frequency", "1.11 (1.05–1.22)", "senses"})
            EXPECT_TRUE(contains(shown, part)) << part;
    const std::string tsv = tsv_of(table_of(found));
    EXPECT_TRUE(
        contains(tsv, "\tbroader_than_words\tsenses\tgiven_frequency\tgiven_frequency_low\tgiven_frequency_high\n"))
        << tsv;
}

TEST(TriagePage, OpensEveryWordToItsUsages) {
    const Page page = page_of(triage());
    EXPECT_EQ(page.concordances.size(), 4U);
    EXPECT_TRUE(contains(html_of(page), "data-concordance=\"above3\""));
}

TEST(RankingPage, OpensTheWordsThatHaveUsages) {
    Ranking ranking;
    for (const char* word : {"broad", "middle", "narrow"})
        ranking.words.push_back({word, 10, 12, {12, 8, 0.5, 1000, 0.001, 0.1, 0.0001}});
    const Page page = page_of(ranking, {{"broad", {usage("the bank", 4, 8)}}});
    const std::string html = html_of(page);
    EXPECT_TRUE(contains(html, "data-concordance=\"broad\""));
    EXPECT_FALSE(contains(html, "data-concordance=\"middle\""));
    EXPECT_EQ(page.sections.size(), 4U);
}

int number_of(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
}

TEST(StudyPages, EveryPointOfAWordLeadsToItsLinesOrToItsRow) {
    Ranking ranking;
    for (const char* word : {"broad", "middle", "narrow"})
        ranking.words.push_back({word, 10, 12, {12, 8, 0.5, 1000, 0.001, 0.1, 0.0001}});
    const Page rank = page_of(ranking, {{"broad", {usage("the bank", 4, 8)}}});
    const Page compare = page_of(comparison(), {"scripture", "manuals"});
    for (const auto& [figure, lines, rows] :
         {std::tuple(figure_of(rank, 1, 1), 1, 2), std::tuple(figure_of(compare, 1, 0), 1, 4),
          std::tuple(figure_of(compare, 1, 1), 1, 4), std::tuple(figure_of(page_of(triage()), 1, 0), 4, 3)}) {
        const std::string& body = figure.svg.wide.body;
        EXPECT_EQ(number_of(body, "data-concordance="), lines);
        EXPECT_EQ(number_of(body, "data-row="), rows);
    }
}

TEST(PageLines, StandOnOneLineAndGiveInfluenceAsAShare) {
    const std::vector<ConcordanceLine> usages = {usage("the\n bank of\na river", 5, 9, std::log(2.0))};
    const PageLine line = lines_of(usages).front();
    EXPECT_EQ(line.left, "the");
    EXPECT_EQ(line.node, "bank");
    EXPECT_EQ(line.right, "of a river");
    EXPECT_EQ(line.source, "document.txt");
    EXPECT_NEAR(line.influence, 0.5, 1e-12);
}

}  // namespace
}  // namespace wordbreadth::report
