// The pooled, aligned rows of a pair in float64, and the statistic of one split of them: the definition that every
// engine's counts are held to. One split at a time, as the paper's Algorithm 1 writes it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/unit_rows.h"
#include "wordbreadth/test.h"

namespace wordbreadth::permutation {

class Pooled {
  public:
    Pooled(const geometry::UnitRows& x, const geometry::UnitRows& y, Alignment align);

    // T (plain) or t (robust) when the rows marked 1 form the first group. NaN where undefined.
    // `scratch` is working space that the function sizes itself; keep it between calls.
    [[nodiscard]] double statistic(Statistic which, std::span<const std::uint8_t> mask,
                                   std::vector<double>& scratch) const;

    [[nodiscard]] std::size_t size() const { return rows_.size() / dimension_; }
    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] std::span<const double> rows() const { return rows_; }  // (N, d): x' first, then y

  private:
    [[nodiscard]] double robust(std::span<const std::uint8_t> mask, std::span<const double> s1,
                                std::span<const double> s2) const;

    std::size_t dimension_;
    std::vector<double> rows_;
};

}  // namespace wordbreadth::permutation
