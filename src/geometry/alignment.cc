#include "geometry/alignment.h"

#include "geometry/tolerances.h"
#include "geometry/vector_math.h"

namespace wordbreadth::geometry {

std::vector<double> mirror(const UnitRows& x, const UnitRows& y, Alignment align) {
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

std::vector<double> pooled_rows(const UnitRows& x, const UnitRows& y, const std::vector<double>& u) {
    const std::size_t d = x.dimension();
    std::vector<double> rows((x.size() + y.size()) * d);
    x.write(0, x.size(), rows.data());
    y.write(0, y.size(), rows.data() + x.size() * d);
    if (u.empty()) return rows;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::span<double> row(rows.data() + i * d, d);
        add_scaled(row, -2 * dot(row, u), u);
    }
    return rows;
}

}  // namespace wordbreadth::geometry
