#include "study/influence.h"

#include <algorithm>
#include <cmath>

#include "geometry/concentration.h"
#include "geometry/vector_math.h"

namespace wordbreadth {

std::vector<double> influences(const Cloud& cloud) {
    const auto n = static_cast<double>(cloud.size());
    const auto d = static_cast<double>(cloud.dimension());
    const double squared_sum = geometry::dot(cloud.sum(), cloud.sum());
    const double all = geometry::log_v(std::sqrt(squared_sum) / n, d);
    std::vector<double> found;
    found.reserve(cloud.size());
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        const double others = squared_sum - 2 * geometry::dot(cloud.row(i), cloud.sum()) + 1;  // may round below 0
        found.push_back(all - geometry::log_v(std::sqrt(std::max(others, 0.0)) / (n - 1), d));
    }
    return found;
}

}  // namespace wordbreadth
