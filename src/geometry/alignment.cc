#include "geometry/alignment.h"

#include "geometry/vector_math.h"

namespace wordbreadth::geometry {
namespace {

// Mean directions closer than this are equal up to the rounding of the sums; u would be made of rounding errors.
constexpr double equal_directions = 1e-12;

}  // namespace

std::vector<double> mirror(const Cloud& x, const Cloud& y, Alignment align) {
    if (align == Alignment::none) return {};
    const double length_x = norm(x.sum());
    const double length_y = norm(y.sum());
    std::vector<double> u(x.dimension());
    for (std::size_t k = 0; k < u.size(); ++k) u[k] = x.sum()[k] / length_x - y.sum()[k] / length_y;
    const double length = norm(u);
    if (length < equal_directions) return {};
    for (double& value : u) value /= length;
    return u;
}

std::vector<double> pooled_rows(const Cloud& x, const Cloud& y, const std::vector<double>& u) {
    std::vector<double> rows;
    rows.reserve(x.unit_rows().size() + y.unit_rows().size());
    rows.insert(rows.end(), x.unit_rows().begin(), x.unit_rows().end());
    rows.insert(rows.end(), y.unit_rows().begin(), y.unit_rows().end());
    if (u.empty()) return rows;
    for (std::size_t i = 0; i < x.size(); ++i)
        add_scaled({rows.data() + i * u.size(), u.size()}, -2 * dot(x.row(i), u), u);
    return rows;
}

}  // namespace wordbreadth::geometry
