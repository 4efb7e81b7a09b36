#include "report/study/law.h"

#include <gtest/gtest.h>

#include <cmath>

#include "study/experiment_parts.h"

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

}  // namespace
}  // namespace wordbreadth::report
