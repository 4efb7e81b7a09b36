// The breadth of one cloud: how widely its vectors spread.
#pragma once

#include <cstddef>

#include "wordbreadth/cloud.h"

namespace wordbreadth {

struct Breadth {
    std::size_t n = 0;
    std::size_t d = 0;
    double r = 0;      // mean resultant length, 0 (spread evenly) to 1 (all alike)
    double kappa = 0;  // von Mises-Fisher concentration
    double v = 0;      // 1 / kappa: larger is broader. r, kappa and v are the paper's, biased in small clouds
    // v from the mean cosine of pairs of rows, of different blocks where the cloud has any, which has no such bias.
    // NaN where that is not positive: the cloud cannot be told from a uniform one.
    double breadth = 0;
    // Of `breadth`, by the delete-one jackknife of rows or blocks. NaN with fewer than 4 of them.
    double log_v_standard_error = 0;
    double v_standard_error = 0;
    std::size_t blocks = 0;    // such as documents; 0 where the cloud has none
    double design_effect = 1;  // how many times larger the variance is than of as many independent rows
};

[[nodiscard]] Breadth breadth(const Cloud& cloud);

}  // namespace wordbreadth
