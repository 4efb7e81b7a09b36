#include "report/results.h"

#include <gtest/gtest.h>

#include <cmath>

#include "study/many_tests.h"

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
    EXPECT_NE(uniformity_sentence(halves(0.01)).find("not uniform at 5%: none, plain, greater (p = 0.01);"),
              std::string::npos);
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
