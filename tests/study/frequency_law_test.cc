#include "study/many_tests.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wordbreadth {
namespace {

RankedWord ranked(std::uint64_t frequency, double v) {
    RankedWord word;
    word.word = "w" + std::to_string(frequency);
    word.frequency = frequency;
    word.breadth.v = v;
    return word;
}

TEST(FitLine, IsLeastSquares) {
    const std::vector<double> x{1, 2, 3, 4}, y{2.1, 3.9, 6.2, 7.8};
    const LawFit fit = study::fit_line(x, y);
    EXPECT_NEAR(fit.slope, 1.94, 1e-12);
    EXPECT_NEAR(fit.intercept, 0.15, 1e-12);
    EXPECT_NEAR(fit.r_squared, 0.9956614, 1e-7);
    EXPECT_NEAR(fit.slope_standard_error, 0.0905539, 1e-7);
}

TEST(FitLine, OfOnePointIsNone) {
    const std::vector<double> one{1}, same{2, 2}, y{1, 3};
    EXPECT_TRUE(std::isnan(study::fit_line(one, one).slope));
    EXPECT_TRUE(std::isnan(study::fit_line(same, y).slope));
}

// Any two points lie on a line.
TEST(FitLine, OfTwoPointsHasNoRSquared) {
    const std::vector<double> x{1, 2}, y{1, 3};
    EXPECT_EQ(study::fit_line(x, y).slope, 2);
    EXPECT_TRUE(std::isnan(study::fit_line(x, y).r_squared));
    EXPECT_TRUE(std::isnan(study::fit_line(x, y).slope_standard_error));
}

TEST(FrequencyLaw, FindsAPowerLaw) {
    std::vector<RankedWord> words;
    for (std::uint64_t f = 1; f <= 400; ++f) words.push_back(ranked(f, 0.01 * std::pow(static_cast<double>(f), 0.3)));
    const FrequencyLaw law = study::frequency_law(words, 100);
    EXPECT_EQ(law.bins.size(), 4U);
    EXPECT_NEAR(law.of_bins.slope, 0.3, 1e-9);
    EXPECT_NEAR(law.of_bins.r_squared, 1, 1e-9);
    EXPECT_EQ(law.bins.front().most_frequent, "w400");
}

// As many broad words as narrow ones in either bin, though the broad ones come first.
TEST(FrequencyLaw, PutsEquallyFrequentWordsIntoBinsByTheirBytes) {
    std::vector<RankedWord> words;
    for (const double v : {2.0, 1.0})
        for (std::size_t i = 0; i < 100; ++i) {
            words.push_back(ranked(7, v));
            words.back().word = std::to_string(1000 + i) + (v > 1 ? "b" : "a");
        }
    const FrequencyLaw law = study::frequency_law(words, 100);
    ASSERT_EQ(law.bins.size(), 2U);
    EXPECT_EQ(law.bins[0].most_frequent, "1000a");
    EXPECT_EQ(law.bins[1].most_frequent, "1050a");
    EXPECT_DOUBLE_EQ(law.bins[0].v, law.bins[1].v);
}

// exp(log(110)) is not 110.
TEST(FrequencyLaw, OfEquallyFrequentWordsHasTheirFrequencyAndNoSlope) {
    std::vector<RankedWord> words;
    for (std::size_t i = 0; i < 300; ++i) {
        words.push_back(ranked(110, 1 + static_cast<double>(i)));
        words.back().word = std::to_string(i);
    }
    const FrequencyLaw law = study::frequency_law(words, 100);
    for (const FrequencyBin& bin : law.bins) EXPECT_EQ(bin.frequency, 110);
    EXPECT_TRUE(std::isnan(law.of_bins.slope));
    EXPECT_TRUE(std::isnan(law.of_words.slope));
}

TEST(FrequencyLaw, JoinsALastBinThatIsNotHalfFull) {
    const auto sizes = [](std::size_t words) {
        std::vector<RankedWord> all;
        for (std::size_t i = 1; i <= words; ++i) all.push_back(ranked(i, 1));
        std::vector<std::size_t> found;
        for (const FrequencyBin& bin : study::frequency_law(all, 100).bins) found.push_back(bin.words);
        return found;
    };
    EXPECT_EQ(sizes(249), (std::vector<std::size_t>{100, 149}));
    EXPECT_EQ(sizes(250), (std::vector<std::size_t>{100, 100, 50}));
    EXPECT_EQ(sizes(30), (std::vector<std::size_t>{30}));
}

}  // namespace
}  // namespace wordbreadth
