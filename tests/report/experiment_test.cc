#include "report/experiment_parts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "study/many_tests.h"
#include "support/array_testing.h"
#include "support/temporary.h"
#include "support/text.h"

namespace wordbreadth::report {
namespace {

std::string sentence(std::size_t words) {
    std::vector<RankedWord> all(words);
    for (std::size_t i = 0; i < words; ++i) {
        all[i].frequency = i + 1;
        all[i].breadth.v = std::pow(static_cast<double>(i + 1), 0.25);
    }
    return law_sentence(study::frequency_law(std::move(all), 100));
}

TEST(LawSentence, GivesSlopeAndFit) {
    EXPECT_EQ(
        sentence(300),
        "log v on log frequency: slope 0.250 (s.e. 0.000), R² 1.00 over 3 bins; slope 0.250 (s.e. 0.000), R² 1.00 "
        "over single words.");
}

TEST(LawSentence, SaysWhyTwoBinsHaveNoRSquared) {
    EXPECT_EQ(
        sentence(200),
        "log v on log frequency: slope 0.250 over 2 bins; slope 0.250 (s.e. 0.000), R² 1.00 over single words. R² "
        "is not available for the bins: a line fits one or two points whatever they are; at least 3 bins of 100 "
        "words are needed.");
    EXPECT_TRUE(sentence(50).starts_with("log v on log frequency: no slope over 1 bin; ")) << sentence(50);
}

std::string absent(const std::string& reason, const std::vector<std::string>& asked) {
    Experiment study;
    study.options.words = asked;
    study.absent = {{"acne", reason}};
    return absent_sentence(study);
}

TEST(AbsentSentence, AdvisesOnTokensWhereTheyMayBeTheReasonThatThePapersWordsAreMissing) {
    const std::string advice = "extract with --subwords mean", rule = "words of several tokens are not in it";
    EXPECT_TRUE(contains(absent(rule, {}), "Not in this study: acne (" + rule + "). Under an uncased BERT"));
    EXPECT_TRUE(contains(absent(rule, {}), advice));
    EXPECT_FALSE(contains(absent(rule, {"acne"}), advice));
    EXPECT_FALSE(contains(absent("has 7 rows of the 12 needed", {}), advice));
}

using Names = std::vector<std::string>;

TEST(StoreNames, HaveWhatTellsThemApart) {
    EXPECT_EQ(store_names(Names{"/a/x.store", "/b/x.store/", "c/y"}), (Names{"a/x.store", "b/x.store", "y"}));
    EXPECT_EQ(store_names(Names{"/k/a/x", "/l/a/x", "/l/b/x"}), (Names{"k/a/x", "l/a/x", "b/x"}));
    EXPECT_EQ(store_names(Names{"/x", "/a/x"}), (Names{"x", "a/x"}));
    EXPECT_EQ(store_names(Names{"x", "./x"}), (Names{"x", "x-2"}));
}

TEST(StoreNames, AreThoseOfFoldersWhateverTheyWereGivenAs) {
    const std::string here = std::filesystem::current_path().filename().string();
    EXPECT_EQ(store_names(Names{"."}), Names{here});
    EXPECT_EQ(store_names(Names{"../" + here + "/x/.."}), Names{here});
}

// Before hours of work.
TEST(StudyFolder, RefusesAFolderThatIsNoneAndLeavesNothing) {
    const TemporaryFolder folder;
    const std::string out = folder.path() + "/out";
    { const StudyFolder made(out, {"/s/a", "/s/b"}); }
    EXPECT_FALSE(std::filesystem::exists(out));
    folder.add("out/b", "a file");
    EXPECT_TRUE(contains(error_of([&] { const StudyFolder made(out, {"/s/a", "/s/b"}); }), "/out/b: cannot be made"));
    EXPECT_FALSE(std::filesystem::exists(out + "/report.html"));
}

SplitHalf halves(double p) {
    SplitHalf found;
    found.words = {"bank", "river"};
    for (std::size_t k = 0; k < methods.size(); ++k)
        found.greater_uniformity[k].p = found.two_sided_uniformity[k].p = p;
    return found;
}

TEST(UniformitySentence, SaysWhatTheTestsFound) {
    EXPECT_EQ(uniformity_sentence(halves(0.5)),
              "Kolmogorov-Smirnov over 2 words: the p-values of every method are uniform as far as can be told.");
    EXPECT_TRUE(contains(uniformity_sentence(halves(0.01)), "not uniform at 5%: none, plain, greater (p = 0.01);"));
}

TEST(UniformitySentence, KnowsHowManyTestsThereWere) {
    SplitHalf found = halves(0.01);
    EXPECT_TRUE(
        contains(uniformity_sentence(found),
                 "Of 8 such tests, all of the same halves, at least one fails by chance 5 to 34% of the time."));
    found.tested = 2;  // of the device that has the plain tests alone
    EXPECT_TRUE(
        contains(uniformity_sentence(found),
                 "Of 4 such tests, all of the same halves, at least one fails by chance 5 to 19% of the time."));
}

TEST(UniformitySentence, DoesNotTakeAnUndefinedPForUniform) {
    EXPECT_EQ(uniformity_sentence(halves(NAN)),
              "Kolmogorov-Smirnov over 2 words: not available, since no test is defined.");
    SplitHalf one = halves(0.5);
    one.greater_uniformity[0].p = NAN;
    EXPECT_EQ(uniformity_sentence(one),
              "Kolmogorov-Smirnov over 2 words: the p-values of all others are uniform as far as can be told. Not "
              "available, since no test is defined: none, plain, greater.");
}

}  // namespace
}  // namespace wordbreadth::report
