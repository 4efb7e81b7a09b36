// From the length of a cloud's mean to its breadth, plainly and debiased. The formulas of the method, nothing else.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

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

// t: the difference of two groups' log v in units of its standard error.
inline double studentised(const Debiased& x, const Debiased& y) {
    return (x.log_v - y.log_v) / std::sqrt(x.variance_of_log_v + y.variance_of_log_v);
}

// From R and the variance of it.
inline Debiased debiased(double R, double variance_of_R, double d) {
    if (!(R > 0)) return {};
    if (1 - R < all_the_same) return {-std::numeric_limits<double>::infinity(), std::nan("")};
    const double slope = log_kappa_slope(R, d);
    return {log_v(std::sqrt(R), d), slope * slope * variance_of_R};
}

// Of n rows: from |s|^2 and the sample variance of the products x_i . s.
inline Debiased debiased_rows(double squared_sum, double variance_of_products, double n, double d) {
    return debiased((squared_sum - n) / (n * (n - 1)), 4 * variance_of_products / ((n - 1) * (n - 1) * n), d);
}

// Of blocks of rows: what is added up over them, in two passes, and what comes of it. R is the mean cosine of the pairs
// of rows from different blocks. With one row in every block it is that of debiased_rows.
struct BlockMoments {
    double blocks = 0;       // K
    double rows = 0;         // n
    double squares = 0;      // sum of c_k^2
    double lengths = 0;      // sum of |D_k|^2
    double squared_sum = 0;  // |S|^2
    double influences = 0;   // sum of e_k^2

    void add(double count, double squared_length) {
        blocks += 1;
        rows += count;
        squares += count * count;
        lengths += squared_length;
    }
    [[nodiscard]] double pairs() const { return rows * rows - squares; }
    [[nodiscard]] double R() const { return (squared_sum - lengths) / pairs(); }

    // A block's influence on R, from D_k . S.
    void add_influence(double product, double count, double squared_length) {
        const double e = product - squared_length - R() * count * (rows - count);
        influences += e * e;
    }
    [[nodiscard]] double variance_of_R() const { return 4 * blocks / (blocks - 1) * influences / (pairs() * pairs()); }
    [[nodiscard]] Debiased debiased(double d) const { return geometry::debiased(R(), variance_of_R(), d); }

    // R without one of the blocks.
    [[nodiscard]] double R_without(double product, double count, double squared_length) const {
        const double rest = rows - count;
        return (squared_sum - 2 * product - lengths + 2 * squared_length) / (rest * rest - squares + count * count);
    }
};

// A cloud's breadth from the pairs of its rows from different blocks, every row a block where there are none.
struct Pairwise {
    std::size_t blocks = 0;
    Debiased debiased;
    double variance_of_R = 0;
    // Of log v: delete-one jackknife. NaN with fewer than 4 blocks, or where R is not positive without one of them.
    double standard_error = std::numeric_limits<double>::quiet_NaN();
};

// A cloud's share in every test that it stands in.
struct Summary {
    double r = 0;
    double log_v = 0;
    Pairwise rows;
    std::optional<Pairwise> blocks;  // where the cloud has any, and they are wanted
    std::optional<BlockSums> sums;   // likewise
};

// `with_blocks`: also of its blocks.
[[nodiscard]] Summary summarise(const UnitRows& rows, bool with_blocks);

[[nodiscard]] Breadth breadth_of(const UnitRows& rows, const Summary& summary);

}  // namespace wordbreadth::geometry
