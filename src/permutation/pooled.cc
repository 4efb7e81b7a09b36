#include "permutation/pooled.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/concentration.h"
#include "geometry/vector_math.h"

namespace wordbreadth::permutation {

Pooled::Pooled(const geometry::UnitRows& x, const geometry::UnitRows& y, Alignment align)
    : dimension_(x.dimension()), rows_(geometry::pooled_rows(x, y, geometry::mirror(x, y, align))) {
    for (const geometry::UnitRows* cloud : {&x, &y}) {
        const geometry::BlockSums* blocks = cloud->block_sums();
        if (blocks == nullptr) continue;
        counts_.insert(counts_.end(), blocks->counts.begin(), blocks->counts.end());
        squares_.insert(squares_.end(), blocks->squares.begin(), blocks->squares.end());
    }
}

double Pooled::statistic(Statistic which, std::span<const std::uint8_t> mask, std::vector<double>& scratch) const {
    scratch.assign(2 * dimension_, 0.0);
    const Sums sums{std::span{scratch}.first(dimension_), std::span{scratch}.last(dimension_)};
    double n = 0;
    for (std::size_t i = 0; i < mask.size(); ++i) {
        geometry::add(sums[mask[i] ? 0 : 1], row(i));
        n += mask[i];
    }
    if (which == Statistic::robust) return robust(mask, sums);
    if (which == Statistic::blocks) return blocks(mask, sums);
    const auto d = static_cast<double>(dimension_);
    const double m = static_cast<double>(mask.size()) - n;
    return geometry::log_v(std::min(geometry::norm(sums[0]) / n, 1.0), d) -
           geometry::log_v(std::min(geometry::norm(sums[1]) / m, 1.0), d);
}

double Pooled::robust(std::span<const std::uint8_t> mask, const Sums& sums) const {
    const auto d = static_cast<double>(dimension_);
    const auto n = static_cast<double>(std::count(mask.begin(), mask.end(), std::uint8_t{1}));
    const std::array<double, 2> sizes{n, static_cast<double>(mask.size()) - n};
    const std::array<double, 2> squared_sums{geometry::dot(sums[0], sums[0]), geometry::dot(sums[1], sums[1])};
    std::array<double, 2> squares{};  // of the products' distances from their mean, which is |s|^2 / n
    for (std::size_t i = 0; i < mask.size(); ++i) {
        const std::size_t group = mask[i] ? 0 : 1;
        const double off = geometry::dot(row(i), sums[group]) - squared_sums[group] / sizes[group];
        squares[group] += off * off;
    }
    return geometry::studentised(geometry::debiased_rows(squared_sums[0], squares[0] / (sizes[0] - 1), sizes[0], d),
                                 geometry::debiased_rows(squared_sums[1], squares[1] / (sizes[1] - 1), sizes[1], d));
}

double Pooled::blocks(std::span<const std::uint8_t> mask, const Sums& sums) const {
    std::array<geometry::BlockMoments, 2> groups;
    for (std::size_t k = 0; k < mask.size(); ++k) groups[mask[k] ? 0 : 1].add(counts_[k], squares_[k]);
    for (const std::size_t group : {0, 1}) groups[group].squared_sum = geometry::dot(sums[group], sums[group]);
    for (std::size_t k = 0; k < mask.size(); ++k) {
        const std::size_t group = mask[k] ? 0 : 1;
        groups[group].add_influence(geometry::dot(row(k), sums[group]), counts_[k], squares_[k]);
    }
    const auto d = static_cast<double>(dimension_);
    return geometry::studentised(groups[0].debiased(d), groups[1].debiased(d));
}

}  // namespace wordbreadth::permutation
