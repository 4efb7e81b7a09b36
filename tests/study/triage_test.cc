#include "wordbreadth/triage.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.h"
#include "support/small_store.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

using Words = std::vector<std::string>;

WordStudyOptions options() {
    WordStudyOptions options{.test = options_of_many_tests(Alternative::greater)};
    options.test.permutations = 2000;
    return options;
}

class TriageTest : public ::testing::Test {
  protected:
    TriageTest() {
        store::write_store(folder_.path(),
                           {{"broad", 500, 30, 3.0},
                            {"few", 3, 1, 1.0},
                            {"high", 100, 30, 1.0},
                            {"low", 100, 30, 0.2},
                            {"middle", 400, 30, 0.7},
                            {"narrow", 300, 30, 0.2}},
                           8);
    }

    [[nodiscard]] Triage run(const Words& references, const Words& candidates = {}) const {
        return triage(Store(folder_.path()), {references, "list.txt", candidates, "more.txt"}, options());
    }

    [[nodiscard]] std::string complaint(const Words& references, const Words& candidates = {}) const {
        return error_of([&] { (void)run(references, candidates); });
    }

    TemporaryFolder folder_;
};

TEST_F(TriageTest, SortsByTheShareOfReferencesThenByBreadth) {
    const Triage found = run({"low", "high"});
    ASSERT_EQ(found.candidates.size(), 3U);
    EXPECT_EQ(found.references[0].word, "high");
    const Words expected = {"broad", "middle", "narrow"};
    const std::vector<double> attention = {1, 0.5, 0};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(found.candidates[i].word, expected[i]);
        EXPECT_EQ(found.candidates[i].attention, attention[i]) << expected[i];
    }
    EXPECT_FALSE(found.candidates[1].tests[0].broader);
    EXPECT_TRUE(found.candidates[1].tests[1].broader);
    EXPECT_EQ(found.tests, 6U);
    EXPECT_DOUBLE_EQ(found.median_v, (found.references[0].breadth.v + found.references[1].breadth.v) / 2);
}

TEST_F(TriageTest, AdjustsOverAllItsTests) {
    const Triage found = run({"low", "high"});
    std::vector<double> p, q;
    for (const Candidate& candidate : found.candidates)
        for (const ReferenceTest& test : candidate.tests) {
            p.push_back(test.p);
            q.push_back(test.q);
        }
    EXPECT_EQ(q, adjust(p, Adjustment::benjamini_hochberg));
}

TEST_F(TriageTest, TellsWhichReferencesAreMissingAndWhatWasLeftOut) {
    const Triage found = run({"low", "absent", "low"}, {"broad", "low", "nowhere", "few"});
    ASSERT_EQ(found.missing.size(), 1U);
    EXPECT_EQ(found.missing[0].word, "absent");
    EXPECT_EQ(found.references.size(), 1U);
    ASSERT_EQ(found.candidates.size(), 1U);
    ASSERT_EQ(found.left_out.size(), 3U);
    EXPECT_EQ(found.left_out[0].reason, "has 1 row");
    EXPECT_EQ(found.left_out[1].reason, "is a reference");
    EXPECT_EQ(found.left_out[2].reason, "is not in the store");
}

TEST_F(TriageTest, WantsAReferenceAndACandidate) {
    EXPECT_NE(complaint({"absent", "gone"}).find("list.txt: none of its 2 reference words is in " + folder_.path()),
              std::string::npos);
    EXPECT_NE(complaint({"low"}, {"nowhere"}).find("more.txt: none of its 1 words is a candidate: first: nowhere"),
              std::string::npos);
    EXPECT_NE(complaint({"broad", "few", "high", "low", "middle", "narrow"}).find("every word of it is a reference"),
              std::string::npos);
    EXPECT_NE(complaint({"few"}).find("has a cloud of 30 rows"), std::string::npos) << complaint({"few"});
}

TEST_F(TriageTest, CandidatesHaveUsagesWithTheirInfluence) {
    const Triage found = run({"low"});
    ASSERT_EQ(found.candidates[0].concordance.size(), 6U);
    for (const ConcordanceLine& usage : found.candidates[0].concordance) EXPECT_TRUE(std::isfinite(usage.influence));
}

TEST_F(TriageTest, ThreadsChangeNothing) {
    const Store store(folder_.path());
    WordStudyOptions one = options(), four = options();
    one.test.execution.threads = 1;
    four.test.execution.threads = 4;
    const Triage a = triage(store, {{"low", "high"}, "", {}, ""}, one),
                 b = triage(store, {{"low", "high"}, "", {}, ""}, four);
    for (std::size_t i = 0; i < a.candidates.size(); ++i)
        for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(a.candidates[i].tests[k].p, b.candidates[i].tests[k].p);
}

TEST_F(TriageTest, AWordOfOneDocumentDoesNotSetTheCommonSize) {
    const TemporaryFolder folder;  // documents of 5 rows
    store::write_store(folder.path(),
                       {{"broad", 500, 30, 3.0},
                        {"few", 100, 20, 1.0},
                        {"last", 9, 5, 1.0},
                        {"lone", 9, 5, 1.0},
                        {"low", 90, 30, 0.2}},
                       8, 5);
    const Store store(folder.path());
    const Triage found = triage(store, {{"low", "lone"}, "list.txt", {}, ""}, options());
    EXPECT_EQ(found.common_size, 20U);
    EXPECT_EQ(found.smallest, "few");
    EXPECT_EQ(found.references.size(), 1U);
    ASSERT_EQ(found.left_out.size(), 2U);
    EXPECT_EQ(found.left_out[0].reason, one_document);
    EXPECT_EQ(found.left_out[1].reason, "(reference) " + std::string(one_document));
    WordStudyOptions of_rows = options();
    of_rows.test.statistic = Statistic::plain;
    EXPECT_EQ(triage(store, {{"low"}, "list.txt", {}, ""}, of_rows).common_size, 5U);
    const std::string error = error_of([&] { (void)triage(store, {{"lone"}, "list.txt", {"last"}, ""}, options()); });
    EXPECT_TRUE(contains(error, std::string(one_document))) << error;
}

TEST_F(TriageTest, ASmallerSizeIsNoAdviceWhereAllRowsAreAlike) {
    const TemporaryFolder folder;
    store::write_store(folder.path(), {{"broad", 500, 30, 3.0}, {"same", 100, 30, 0.0}}, 8);
    const Store store(folder.path());
    const std::string error = error_of([&] { (void)triage(store, {{"same"}, "list.txt", {}, ""}, options()); });
    EXPECT_TRUE(contains(error, "all 30 rows point the same way")) << error;
    EXPECT_FALSE(contains(error, "smaller common size")) << error;
}

// The files of a WordNet of nouns with these numbers of senses.
void write_nouns(const TemporaryFolder& folder, const std::vector<std::pair<std::string, std::size_t>>& nouns) {
    std::size_t synset = 10000000;
    std::string index;
    for (const auto& [noun, senses] : nouns) {
        index += noun + " n " + std::to_string(senses) + " 1 @ " + std::to_string(senses) + " 0";
        for (std::size_t k = 0; k < senses; ++k) index += " " + std::to_string(synset++);
        index += "  \n";
    }
    folder.add("index.noun", index);
    folder.add("index.verb", "other v 1 1 @ 1 0 20000000  \n");
    folder.add("index.adj", "other a 1 1 @ 1 0 20000000  \n");
    folder.add("index.adv", "other r 1 1 @ 1 0 20000000  \n");
    for (const char* const part : {"noun", "verb", "adj", "adv"}) folder.add(std::string(part) + ".exc", "");
}

TEST_F(TriageTest, ComparesWordsWithAsManySenses) {
    const TemporaryFolder files;
    write_nouns(files, {{"broad", 10}, {"high", 8}, {"low", 1}, {"middle", 1}, {"few", 4}});
    const WordNet wordnet(files.path());
    const Triage found = triage(Store(folder_.path()), {{"low", "high"}, "list.txt", {}, ""}, options(), {&wordnet});
    EXPECT_TRUE(found.matched_by_senses);
    ASSERT_EQ(found.candidates.size(), 2U);
    EXPECT_EQ(found.references[0].senses, 8U);  // high, the broader one
    for (const Candidate& candidate : found.candidates) {
        const bool many = candidate.word == "broad";
        EXPECT_EQ(candidate.senses, many ? 10U : 1U);
        EXPECT_EQ(candidate.tests[0].matched, many);
        EXPECT_EQ(candidate.tests[1].matched, !many);
        EXPECT_TRUE(std::isnan(candidate.tests[many ? 1 : 0].p));
        EXPECT_EQ(candidate.attention, 1);  // broader than the one that it is compared with
    }
    EXPECT_EQ(found.tests, 2U);
    ASSERT_EQ(found.left_out.size(), 2U);
    EXPECT_EQ(found.left_out[0].reason, "has 4 senses, as many as no reference");
    EXPECT_EQ(found.left_out[1].reason, "is not in WordNet");
    EXPECT_TRUE(
        contains(error_of([&] {
                     (void)triage(Store(folder_.path()), {{"narrow"}, "list.txt", {}, ""}, options(), {&wordnet});
                 }),
                 "list.txt: none of its reference words is in WordNet"));
}

TEST_F(TriageTest, SortsByBreadthGivenFrequency) {
    std::vector<store::PlannedWord> words;
    for (std::size_t i = 0; i < 40; ++i)  // the more frequent, the broader
        words.push_back({"w" + std::to_string(10 + i), 20 * (i + 1), 30, 0.3 + 0.04 * static_cast<double>(i)});
    words[3].spread = 1.9;  // "w13" is rare, and as broad as the most frequent ones
    const TemporaryFolder folder;
    store::write_store(folder.path(), words, 8);
    const TriageWords list{{"w20", "w30"}, "list.txt", {}, ""};
    const Triage found = triage(Store(folder.path()), list, options(), {.order = TriageOrder::given_frequency});
    EXPECT_EQ(found.candidates.front().word, "w13");
    EXPECT_GT(found.candidates.front().given_frequency.low, 0);
    for (std::size_t i = 1; i < found.candidates.size(); ++i)
        EXPECT_GE(found.candidates[i - 1].given_frequency.low, found.candidates[i].given_frequency.low);
    const Triage usual = triage(Store(folder.path()), list, options());
    EXPECT_EQ(usual.candidates.size(), found.candidates.size());
    EXPECT_TRUE(std::isfinite(usual.candidates.front().given_frequency.residual));
}

}  // namespace
}  // namespace wordbreadth
