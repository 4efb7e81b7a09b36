#include "wordbreadth/breadth.h"

#include <cmath>
#include <limits>

#include "geometry/concentration.h"
#include "geometry/vector_math.h"

namespace wordbreadth {

Breadth breadth(const Cloud& cloud) {
    Breadth result;
    result.n = cloud.size();
    result.d = cloud.dimension();
    const auto n = static_cast<double>(result.n);
    const auto d = static_cast<double>(result.d);
    const double squared_sum = geometry::dot(cloud.sum(), cloud.sum());
    result.r = std::sqrt(squared_sum) / n;
    result.v = std::exp(geometry::log_v(result.r, d));
    result.kappa = 1 / result.v;
    result.log_v_standard_error = std::sqrt(geometry::debiased(cloud.unit_rows(), cloud.sum(), d).variance_of_log_v);
    result.v_standard_error = result.v * result.log_v_standard_error;
    return result;
}

}  // namespace wordbreadth
