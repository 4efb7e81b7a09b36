// Breadth given frequency.
#include "wordbreadth/frequency.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/errors.h"

namespace wordbreadth {
namespace {

struct Words {
    std::vector<double> log_breadths, errors, frequencies, truth;  // truth: what each is above the law
};

// Words on a law, each off it by `between` times a normal number, and measured with an error of its own.
template <class Law>
Words words_on(const Law& law, std::size_t count, double between, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    Words words;
    for (std::size_t i = 0; i < count; ++i) {
        const double frequency = std::floor(std::exp(4 + 6 * std::pow(uniform(generator), 2)));
        words.frequencies.push_back(frequency);
        words.errors.push_back(0.02 + 0.1 * uniform(generator));
        words.truth.push_back(between * normal(generator));
        words.log_breadths.push_back(law(std::log(frequency)) + words.truth.back() +
                                     words.errors.back() * normal(generator));
    }
    return words;
}

std::vector<FrequencyResidual> residuals_of(const Words& words) {
    return breadth_given_frequency(words.log_breadths, words.errors, words.frequencies);
}

TEST(BreadthGivenFrequency, OfALawWithoutErrorIsNothing) {
    for (const std::size_t count : {5U, 40U}) {
        Words words;
        for (std::size_t i = 0; i < count; ++i) {
            words.frequencies.push_back(static_cast<double>(10 + 7 * i * i));
            words.log_breadths.push_back(-7 + 0.3 * std::log(words.frequencies.back()));
            words.errors.push_back(0.1);
        }
        for (const FrequencyResidual& each : residuals_of(words)) EXPECT_NEAR(each.residual, 0, 1e-10);
    }
}

TEST(BreadthGivenFrequency, FollowsALawThatBends) {
    const auto law = [](double x) { return -7 + 0.4 * std::tanh(x - 6); };
    const Words words = words_on(law, 500, 0, 1);
    double largest = 0;
    const std::vector<FrequencyResidual> found = residuals_of(words);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double fitted = words.log_breadths[i] - found[i].residual;
        largest = std::max(largest, std::abs(fitted - law(std::log(words.frequencies[i]))));
    }
    EXPECT_LT(largest, 0.08);  // of a law that rises by 0.8
}

TEST(BreadthGivenFrequency, IntervalsCoverWhatAWordIsAboveTheLaw) {
    std::size_t covered = 0, all = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Words words = words_on([](double x) { return -7 + 0.1 * x; }, 100, 0.15, seed);
        const std::vector<FrequencyResidual> found = residuals_of(words);
        for (std::size_t i = 0; i < found.size(); ++i, ++all)
            covered += found[i].low <= words.truth[i] && words.truth[i] <= found[i].high ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(covered) / static_cast<double>(all), 0.95, 0.015);
}

TEST(BreadthGivenFrequency, LeavesOutOfTheFitWhatHasNoStandardError) {
    Words words = words_on([](double x) { return 0.1 * x; }, 60, 0, 3);
    const std::vector<FrequencyResidual> before = residuals_of(words);
    words.frequencies.insert(words.frequencies.end(), {500, 500, 0});
    words.log_breadths.insert(words.log_breadths.end(), {50, NAN, 1});
    words.errors.insert(words.errors.end(), {NAN, 0.1, 0.1});
    const std::vector<FrequencyResidual> after = residuals_of(words);
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(after[i].residual, before[i].residual);
    EXPECT_GT(after[60].residual, 45);
    EXPECT_TRUE(std::isnan(after[60].low));
    EXPECT_TRUE(std::isnan(after[61].residual));
    EXPECT_TRUE(std::isnan(after[62].residual));
}

TEST(BreadthGivenFrequency, OfEqualFrequenciesIsMeasuredFromTheMean) {
    const std::vector<double> y = {1, 2, 3}, errors(3, 0.1), frequencies(3, 50);
    const std::vector<FrequencyResidual> found = breadth_given_frequency(y, errors, frequencies);
    EXPECT_NEAR(found[0].residual, -1, 1e-12);
    EXPECT_NEAR(found[2].residual, 1, 1e-12);
}

TEST(BreadthGivenFrequency, OfTooFewWordsIsUndefined) {
    const std::vector<double> y = {1, 2}, errors(2, 0.1), frequencies = {50, 60};
    for (const FrequencyResidual& each : breadth_given_frequency(y, errors, frequencies))
        EXPECT_TRUE(std::isnan(each.residual));
    EXPECT_TRUE(breadth_given_frequency({}, {}, {}).empty());
}

TEST(BreadthGivenFrequency, WantsOneOfEachForEveryWord) {
    const std::vector<double> two(2, 1.0), three(3, 1.0);
    EXPECT_EQ(error_of([&] { (void)breadth_given_frequency(two, three, two); }),
              "breadth given frequency: 2 breadths, 3 standard errors and 2 frequencies; expected as many of each");
}

}  // namespace
}  // namespace wordbreadth
