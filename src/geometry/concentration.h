// From the length of a cloud's mean to its breadth, plainly and debiased. The formulas of the method, nothing else.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "geometry/vector_math.h"

namespace wordbreadth::geometry {

// Below this distance from 1, r^2 is 1 but for rounding: the rows are all the same. Without the snap, 0/0 would
// come out as the ratio of two rounding errors.
inline constexpr double all_the_same = 1e-13;

// log v = log((1 - r^2) / (r (d - r^2))); -inf at r = 1, inf at r = 0.
inline double log_v(double r, double d) {
    const double r2 = r * r;
    if (1 - r2 < all_the_same) return -std::numeric_limits<double>::infinity();
    return std::log((1 - r2) / (r * (d - r2)));
}

// d log kappa / d R at R = r^2.
inline double log_kappa_slope(double R, double d) {
    const double r = std::sqrt(R);
    return (1 / r - 2 * r / (d - R) + 2 * r / (1 - R)) / (2 * r);
}

// A group's log v from the unbiased mean pairwise cosine R, and the variance of it. NaN where R <= 0.
struct Debiased {
    double log_v = std::numeric_limits<double>::quiet_NaN();
    double variance_of_log_v = std::numeric_limits<double>::quiet_NaN();
};

// From |s|^2 and the sample variance of the rows' products x_i . s, for n rows.
inline Debiased debiased(double squared_sum, double variance_of_products, double n, double d) {
    const double R = (squared_sum - n) / (n * (n - 1));
    if (!(R > 0)) return {};
    const double variance_of_R = 4 * variance_of_products / ((n - 1) * (n - 1) * n);
    if (1 - R < all_the_same) return {-std::numeric_limits<double>::infinity(), std::nan("")};
    const double slope = log_kappa_slope(R, d);
    return {log_v(std::sqrt(R), d), slope * slope * variance_of_R};
}

// The same from a cloud's rows (n, d) and their sum (d).
inline Debiased debiased(std::span<const double> rows, std::span<const double> sum, double d) {
    const std::size_t n = rows.size() / sum.size();
    const double squared_sum = dot(sum, sum);
    const double mean = squared_sum / static_cast<double>(n);
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double off = dot(rows.subspan(i * sum.size(), sum.size()), sum) - mean;
        squares += off * off;
    }
    return debiased(squared_sum, squares / static_cast<double>(n - 1), static_cast<double>(n), d);
}

}  // namespace wordbreadth::geometry
