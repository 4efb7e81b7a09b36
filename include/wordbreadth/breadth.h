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
    double v = 0;      // breadth, 1 / kappa: larger is broader
    // Standard errors by the delta method from the spread of each row's mean cosine to the others.
    // NaN when the mean pairwise cosine is not positive: the cloud cannot be told from a uniform one.
    double log_v_standard_error = 0;
    double v_standard_error = 0;
};

[[nodiscard]] Breadth breadth(const Cloud& cloud);

}  // namespace wordbreadth
