// Breadth given frequency: frequent words tend to be broad; which are broader than their frequency suggests?
#pragma once

#include <limits>
#include <span>
#include <vector>

namespace wordbreadth {

// By how much the logarithm of a word's breadth exceeds what is usual at its frequency, and an interval for it; exp()
// of these is a ratio of breadths. NaN where undefined.
struct FrequencyResidual {
    double residual = std::numeric_limits<double>::quiet_NaN();
    double low = std::numeric_limits<double>::quiet_NaN();
    double high = std::numeric_limits<double>::quiet_NaN();
};

// What is usual is a smooth function of the logarithm of the frequency, fitted to the words themselves by weighted
// least squares: a natural cubic spline with 4 knots, a straight line with fewer than 30 words, a constant where all
// frequencies are equal. Weights are 1 / (standard error^2 + variance between words), the latter by Paule and Mandel.
// The interval takes in the standard error of the word and that of the fit, with quantiles of the normal distribution;
// where a standard error has few degrees of freedom, pass it times the ratio of Student's quantile to the normal one.
//
// One value per word in each span, frequencies in the corpus. A word without standard error (NaN) has a residual, but
// no interval, and takes no part in the fit; a word without breadth (NaN) has neither. All are NaN where too few words
// are left for a fit. Throws InputError when the spans differ in length or confidence is not between 0 and 1.
[[nodiscard]] std::vector<FrequencyResidual> breadth_given_frequency(std::span<const double> log_breadths,
                                                                     std::span<const double> standard_errors,
                                                                     std::span<const double> frequencies,
                                                                     double confidence = 0.95);

}  // namespace wordbreadth
