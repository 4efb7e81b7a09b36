#include "permutation/pooled.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/alignment.h"
#include "geometry/concentration.h"
#include "geometry/vector_math.h"

namespace wordbreadth::permutation {

Pooled::Pooled(const geometry::UnitRows& x, const geometry::UnitRows& y, Alignment align)
    : dimension_(x.dimension()), rows_(geometry::pooled_rows(x, y, geometry::mirror(x, y, align))) {}

double Pooled::statistic(Statistic which, std::span<const std::uint8_t> mask, std::vector<double>& scratch) const {
    scratch.assign(2 * dimension_, 0.0);
    const std::array<std::span<double>, 2> sums{std::span{scratch}.first(dimension_),
                                                std::span{scratch}.last(dimension_)};
    double n = 0;
    for (std::size_t i = 0; i < mask.size(); ++i) {
        geometry::add(sums[mask[i] ? 0 : 1], rows().subspan(i * dimension_, dimension_));
        n += mask[i];
    }
    if (which == Statistic::robust) return robust(mask, sums[0], sums[1]);
    const auto d = static_cast<double>(dimension_);
    const double m = static_cast<double>(mask.size()) - n;
    return geometry::log_v(std::min(geometry::norm(sums[0]) / n, 1.0), d) -
           geometry::log_v(std::min(geometry::norm(sums[1]) / m, 1.0), d);
}

double Pooled::robust(std::span<const std::uint8_t> mask, std::span<const double> s1,
                      std::span<const double> s2) const {
    const auto d = static_cast<double>(dimension_);
    const auto n = static_cast<double>(std::count(mask.begin(), mask.end(), std::uint8_t{1}));
    const std::array<double, 2> sizes{n, static_cast<double>(mask.size()) - n};
    const std::array<double, 2> squared_sums{geometry::dot(s1, s1), geometry::dot(s2, s2)};
    std::array<double, 2> squares{};  // of the products' distances from their mean, which is |s|^2 / n
    for (std::size_t i = 0; i < mask.size(); ++i) {
        const std::size_t group = mask[i] ? 0 : 1;
        const double product = geometry::dot(rows().subspan(i * dimension_, dimension_), group == 0 ? s1 : s2);
        const double off = product - squared_sums[group] / sizes[group];
        squares[group] += off * off;
    }
    const geometry::Debiased x = geometry::debiased(squared_sums[0], squares[0] / (sizes[0] - 1), sizes[0], d);
    const geometry::Debiased y = geometry::debiased(squared_sums[1], squares[1] / (sizes[1] - 1), sizes[1], d);
    return (x.log_v - y.log_v) / std::sqrt(x.variance_of_log_v + y.variance_of_log_v);
}

}  // namespace wordbreadth::permutation
