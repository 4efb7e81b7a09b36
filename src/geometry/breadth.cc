#include "wordbreadth/breadth.h"

#include <cmath>
#include <vector>

#include "geometry/concentration.h"
#include "geometry/vector_math.h"

namespace wordbreadth::geometry {

Summary summarise(const UnitRows& rows) {
    const auto n = static_cast<double>(rows.size());
    const auto d = static_cast<double>(rows.dimension());
    const double squared_sum = dot(rows.sum(), rows.sum());
    double squares = 0;
    std::vector<double> scratch;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double off = dot(rows.row(i, scratch), rows.sum()) - squared_sum / n;
        squares += off * off;
    }
    const double r = std::sqrt(squared_sum) / n;
    return {r, log_v(r, d), debiased(squared_sum, squares / (n - 1), n, d)};
}

Breadth breadth_of(const UnitRows& rows, const Summary& summary) {
    Breadth result;
    result.n = rows.size();
    result.d = rows.dimension();
    result.r = summary.r;
    result.v = std::exp(summary.log_v);
    result.kappa = 1 / result.v;
    result.log_v_standard_error = std::sqrt(summary.debiased.variance_of_log_v);
    result.v_standard_error = result.v * result.log_v_standard_error;
    return result;
}

}  // namespace wordbreadth::geometry

namespace wordbreadth {

Breadth breadth(const Cloud& cloud) {
    return geometry::breadth_of(cloud, geometry::summarise(cloud));
}

}  // namespace wordbreadth
