#include "wordbreadth/paper.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/errors.h"

namespace wordbreadth {
namespace {

TEST(HasPrecision, WantsHalfOfTheWordsInWordNet) {
    Experiment study;
    study.ranking.words.resize(5);
    study.words.known = 2;
    EXPECT_FALSE(has_precision(study));
    study.words.known = 3;
    EXPECT_TRUE(has_precision(study));
    study.ranking.words.resize(6);
    EXPECT_TRUE(has_precision(study));
}

TEST(PapersSettings, AreTheDefaultsButForWhatIsBetterKnown) {
    EXPECT_TRUE(paper::deviations(paper::settings()).empty());
    const std::vector<std::string> of_defaults = paper::deviations(ExperimentOptions{});
    EXPECT_EQ(of_defaults,
              (std::vector<std::string>{
                  "Alternative of the pair tests: two-sided (the paper: greater).",
                  "Ranking of the additional experiment: v (the paper: frequency).",
                  "Split halves: the same number of rows of every word (the paper: all rows of a word).",
                  "Permuted units: occurrences and, in an additional test, documents (the paper: occurrences)."}));
    ExperimentOptions other = paper::settings();
    other.words = {"bank", "river"};
    other.pair = {"bank", "river"};
    EXPECT_EQ(
        paper::deviations(other),
        (std::vector<std::string>{"Words looked at one by one: 2 that were asked for (the paper: those of its tables).",
                                  "Pair that is drawn: bank and river (the paper: articulate and triple)."}));
    other = paper::settings();
    other.alpha = 0.05;
    other.gaps = {1, 2};
    EXPECT_EQ(paper::deviations(other),
              (std::vector<std::string>{"Gaps of the main experiment: 1,2 (the paper: 1,2,3,4,5,6,7,8,9,10).",
                                        "Level of the main experiment: 0.05 (the paper: 0.01)."}));
}

TEST(ExperimentOptions, AreCheckedBeforeAnyStoreIsRead) {
    const auto error = [](const ExperimentOptions& options) {
        return error_of([&] { (void)experiment({}, {}, options); });
    };
    ExperimentOptions options;
    options.alternative = Alternative::less;
    EXPECT_TRUE(error(options).starts_with("alternative = less; expected greater or two-sided")) << error(options);
    options = {};
    for (const auto& pair : std::vector<std::vector<std::string>>{{"bank"}, {"bank", "bank"}, {"a", "b", "c"}}) {
        options.pair = pair;
        EXPECT_EQ(error(options), "pair: expected two different words");
    }
}

// Not what was asked for.
TEST(PapersSettings, ListDocumentsAsPermutedWhereTheyWere) {
    Experiment study;
    study.options = paper::settings();
    study.options.blocks = true;
    study.options.count = study.options.additional_count = 300;
    const auto lists_documents = [&] {
        return std::ranges::any_of(paper::deviations(study),
                                   [](const std::string& each) { return each.starts_with("Permuted units"); });
    };
    study.main.methods = {methods[1]};
    EXPECT_FALSE(lists_documents());
    study.main.methods.push_back({Alignment::householder, Statistic::blocks});
    EXPECT_TRUE(lists_documents());
}

GapRates rates(std::size_t none, std::size_t householder, std::size_t right_none, std::size_t right_householder) {
    return {1,
            10,
            {rate_of(none, 10), rate_of(householder, 10)},
            {rate_of(right_none, none), rate_of(right_householder, householder)},
            {}};
}

TEST(GapScore, CountsGapsAtWhichTheProposalIsBetter) {
    const std::vector<GapRates> all = {rates(4, 3, 2, 3), rates(2, 2, 1, 1), rates(1, 2, 1, 1), rates(0, 1, 0, 1)};
    EXPECT_EQ(rejection_score(all), (GapScore{1, 1, 2}));
    EXPECT_EQ(precision_score(all), (GapScore{1, 1, 1}));  // without rejections there is no precision
}

TEST(MethodsOn, AreAllButOnTheDeviceOfThePapersAlgorithm) {
    EXPECT_EQ(methods_on({}), methods.size());
    Execution execution;
    execution.device = "cuda-paper";
    ASSERT_EQ(methods_on(execution), 2U);
    EXPECT_EQ(methods[0], (Method{Alignment::none, Statistic::plain}));
    EXPECT_EQ(methods[1], (Method{Alignment::householder, Statistic::plain}));
}

}  // namespace
}  // namespace wordbreadth
