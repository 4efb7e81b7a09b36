// The standard normal distribution.
#pragma once

#include <cmath>

namespace wordbreadth::permutation {

inline double normal_cdf(double x) {
    return std::erfc(-x / std::sqrt(2.0)) / 2;
}

// The x with P(Z <= x) = p, 0 < p < 1, by bisection on the distribution function: to the last bits, and called
// once a result at most.
inline double normal_quantile(double p) {
    double low = -40;
    double high = 40;
    for (int step = 0; step < 200 && low < high; ++step) {
        const double middle = (low + high) / 2;
        (normal_cdf(middle) < p ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace wordbreadth::permutation
