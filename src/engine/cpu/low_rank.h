// The first screen: the few leading directions of K, exactly in int8, and a bound for the rest.
//
//   Q = q^T K q = |L^T q|^2 + q^T E q,   E = K - L L^T,   |q^T (E - mu) q| <= radius |q|^2
//
// Measured on real clouds (MiniLM, N = 200, thirteen directions): 0.3% of the splits are left undecided with n = m,
// since an error in Q then moves both groups' breadths alike and cancels; 5% with n = 80, m = 120; 2.5% with n = m and
// the robust statistic. An int8 product with the whole of K costs N / 16 times as much.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/cpu/kernels.h"
#include "engine/cpu/onednn.h"
#include "engine/cpu/pair.h"

namespace wordbreadth::engine::cpu {

// Columns of the int8 product for N rows. More of them leave fewer splits to the later steps, which cost N times
// min(N, d) each: worth it for larger N.
[[nodiscard]] std::size_t low_rank_columns(std::size_t N, bool robust);

class LowRank {
  public:
    // `gram` is K, or empty when N is above d: the scatter matrix then serves instead.
    LowRank(const PairGeometry& pair, const NearMatrix& gram, bool robust, const MaskProduct& product,
            const Kernels& kernels);

    [[nodiscard]] LowRankLayout layout() const;
    [[nodiscard]] const PackedMatrix& matrix() const { return *matrix_; }
    [[nodiscard]] double A_error() const { return c_error_; }
    [[nodiscard]] double radius() const { return radius_; }

  private:
    void add_columns(const std::vector<float>& columns);
    void bound_by_gram(const NearMatrix& gram, const Kernels& kernels);
    void add_scatter_columns(const PairGeometry& pair, const Kernels& kernels);
    void add_cross_columns(const PairGeometry& pair);
    [[nodiscard]] double add_limbs(const std::vector<double>& values, std::size_t column, double& unit);
    void choose_scales(const std::vector<float>& columns, std::size_t first);
    [[nodiscard]] double quantise(double value, std::size_t row, std::size_t column);

    std::size_t N_;
    std::size_t columns_;  // of the product
    std::size_t half_;     // columns of L with the limbs of c
    std::size_t rank_;     // directions taken out of K
    double q2_;
    std::vector<std::int8_t> int8_;   // (N, columns), until packed
    std::vector<double> scale_;       // (columns)
    std::vector<double> sums_;        // (columns)
    std::vector<double> cross_sums_;  // (half)
    double c_unit_ = 0;
    double c2_unit_ = 0;
    double cross_error_ = 0;
    double c_error_ = 0;
    double c2_error_ = 0;
    double c2_total_ = 0;
    double centre_ = 0;  // mu
    double radius_ = 0;
    double gram_norm_ = 0;            // bound of |L|^2
    std::vector<double> gram_bound_;  // (half) row sums of |L^T L|, which bound it as a diagonal
    std::shared_ptr<const PackedMatrix> matrix_;
};

}  // namespace wordbreadth::engine::cpu
