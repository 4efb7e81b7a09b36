// The pooled, aligned rows of a pair in float64, and the statistic of one split of them: the definition that every
// engine's counts are held to. One split at a time, as the paper's Algorithm 1 writes it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/unit_rows.h"
#include "wordbreadth/test.h"

namespace wordbreadth::permutation {

class Pooled {
  public:
    // Of rows, or of the blocks that x and y are views of.
    Pooled(const geometry::UnitRows& x, const geometry::UnitRows& y, Alignment align);

    // T or t when the rows (blocks) marked 1 form the first group. NaN where undefined.
    // `scratch` is working space that the function sizes itself; keep it between calls.
    [[nodiscard]] double statistic(Statistic which, std::span<const std::uint8_t> mask,
                                   std::vector<double>& scratch) const;

    [[nodiscard]] std::size_t size() const { return rows_.size() / dimension_; }
    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] std::span<const double> rows() const { return rows_; }  // (N, d): x' first, then y
    [[nodiscard]] std::span<const double> row(std::size_t i) const {
        return rows().subspan(i * dimension_, dimension_);
    }
    [[nodiscard]] std::span<const double> counts() const { return counts_; }    // (N) rows of a block; blocks only
    [[nodiscard]] std::span<const double> squares() const { return squares_; }  // (N) squared lengths; blocks only

  private:
    using Sums = std::array<std::span<double>, 2>;
    [[nodiscard]] double robust(std::span<const std::uint8_t> mask, const Sums& sums) const;
    [[nodiscard]] double blocks(std::span<const std::uint8_t> mask, const Sums& sums) const;

    std::size_t dimension_;
    std::vector<double> rows_;
    std::vector<double> counts_, squares_;
};

}  // namespace wordbreadth::permutation
