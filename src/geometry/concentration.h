// From the length of a cloud's mean to its breadth, plainly and debiased. The formulas of the method, nothing else.
#pragma once

#include <cmath>
#include <limits>

#include "geometry/tolerances.h"
#include "geometry/unit_rows.h"
#include "wordbreadth/breadth.h"

namespace wordbreadth::geometry {

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

// A cloud's share in every test that it stands in.
struct Summary {
    double r = 0;
    double log_v = 0;
    Debiased debiased;
};

[[nodiscard]] Summary summarise(const UnitRows& rows);

[[nodiscard]] Breadth breadth_of(const UnitRows& rows, const Summary& summary);

}  // namespace wordbreadth::geometry
