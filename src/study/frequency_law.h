// The meaning-frequency law: frequent words are broader. Words in bins by frequency, and a straight line through the
// bins' means in logarithms.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "study/rank.h"

namespace wordbreadth {

struct FrequencyBin {
    std::size_t words = 0;
    double log_frequency = 0;  // means over the words
    double log_v = 0;
    std::string most_frequent;
};

// A line through fewer points meets them all: neither its fit nor its error can be told.
inline constexpr std::size_t least_points_of_a_fit = 3;

// Least squares of log v on log frequency.
struct LawFit {
    std::size_t points = 0;
    double slope = 0, intercept = 0;
    double slope_standard_error = 0;  // NaN with fewer than least_points_of_a_fit, like R^2
    double r_squared = 0;
};

struct FrequencyLaw {
    std::size_t bin_size = 0;
    std::vector<FrequencyBin> bins;  // the most frequent words first
    LawFit of_bins;
    LawFit of_words;  // for comparison: without bins
};

// A last bin that is less than half full joins the one before it.
[[nodiscard]] FrequencyLaw frequency_law(std::vector<RankedWord> words, std::size_t bin_size);

// All NaN with fewer than 2 points, or with equal x.
[[nodiscard]] LawFit fit_line(std::span<const double> x, std::span<const double> y);

}  // namespace wordbreadth
