// The two screens in int8 of the cascade, each with a bound for what it does not see.
//
// LowRank, the first: the few leading directions of K, exactly in int8.
//
//   Q = q^T K q = |L^T q|^2 + q^T E q,   E = K - L L^T,   |q^T (E - mu) q| <= radius |q|^2
//
// Measured on real clouds (MiniLM, N = 200, thirteen directions): 0.3% of the splits are left undecided with n = m,
// since an error in Q then moves both groups' breadths alike and cancels; 5% with n = 80, m = 120; 2.5% with n = m and
// the robust statistic. An int8 product with the whole of K costs N / 16 times as much.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/cpu/kernels.h"
#include "engine/cpu/onednn.h"
#include "engine/cpu/pair.h"

namespace wordbreadth::engine::cpu {

// ---- bounds of what is left of a symmetric matrix, and the few directions worth taking out of it first
//
// Nothing here needs to be accurate to be right: whatever columns are found, the bound is computed for what they
// leave, rounding included.

// An orthonormal basis (size, rank), row-major, that nearly spans the leading eigenvectors of the symmetric positive
// matrix `a` (size, size): a few steps of block power iteration from fixed starting vectors.
[[nodiscard]] std::vector<float> leading_basis(std::span<const float> a, std::size_t size, std::size_t rank,
                                               const Kernels& kernels);

// Columns L (size, rank) with L L^T close to the leading part of `a` (Nystrom: L L^T = a Q (Q^T a Q)^-1 Q^T a).
[[nodiscard]] std::vector<float> leading_columns(std::span<const float> a, std::size_t size, std::size_t rank,
                                                 const Kernels& kernels);

// All eigenvalues of the symmetric matrix `a` (size, size) lie in [low, high], rounding included: guessed by a few
// steps of Lanczos' iteration, proved by factorising what must be positive definite.
//
// Schatten norms prove as much with less code. Measured on real clouds, the one of order 4 (one matrix product, about
// the same time) was twice as wide and left 2.8 times as many splits undecided.
struct Range {
    double low, high;
};
[[nodiscard]] Range eigenvalue_range(std::span<const float> a, std::size_t size, const Kernels& kernels);

// The same upper bound for the part of the symmetric positive matrix `a` beside the nearly orthonormal columns U
// (size, rank): the largest eigenvalue of (I - U U^T) a (I - U U^T), never below 0. Overwrites `a`.
[[nodiscard]] double largest_eigenvalue_beside(std::span<float> a, std::size_t size, std::span<const float> U,
                                               std::size_t rank, const Kernels& kernels);

// |U^T U - I| of columns U (size, rank), columns of zeros left out.
[[nodiscard]] double skewness(std::span<const float> U, std::size_t size, std::size_t rank, const Kernels& kernels);

// Upper bounds of a^T a for a tall (rows, columns) matrix: of its spectral norm, and a diagonal matrix that is nowhere
// smaller than it.
struct GramBound {
    double norm;
    std::vector<double> diagonal;  // (columns)
};
[[nodiscard]] GramBound tall_gram_bound(std::span<const float> a, std::size_t columns, const Kernels& kernels);

// ---- the screens

// Columns of the int8 product for n + m rows. More of them leave fewer splits to the later steps, which cost N times
// min(N, d) each: worth it for larger N, and where sizes differ and an error of Q does not cancel.
[[nodiscard]] std::size_t low_rank_columns(std::size_t n, std::size_t m, bool robust);

// The same for K blocks, whose statistic needs more that is linear in a split.
[[nodiscard]] std::size_t block_columns(std::size_t K);

class LowRank {
  public:
    // The forms of the blocks, (K) each.
    using Forms = std::array<std::vector<double>, form::count>;

    // `gram` is K, or empty when N is above d: the scatter matrix then serves instead.
    LowRank(const PairGeometry& pair, const NearMatrix& gram, bool robust, const MaskProduct& product,
            const Kernels& kernels);

    // Of blocks: the leading directions of K~, the same times t (see BlockLayout), and the forms.
    LowRank(const NearMatrix& gram, double q2, std::span<const double> t, const Forms& forms,
            const MaskProduct& product, const Kernels& kernels);

    LowRank(const LowRank&) = delete;
    LowRank& operator=(const LowRank&) = delete;

    [[nodiscard]] const LowRankLayout& layout() const { return layout_; }
    [[nodiscard]] const PackedMatrix& matrix() const { return *matrix_; }
    [[nodiscard]] double A_error() const { return layout_.c_error; }
    [[nodiscard]] double radius() const { return radius_; }
    // Of blocks: the units of the forms' second limbs, (16), and third, (8); and bounds of the errors of their sums.
    [[nodiscard]] const double* second_units() const { return units_.data(); }
    [[nodiscard]] const double* third_units() const { return &units_[16]; }
    [[nodiscard]] const std::array<double, form::count>& errors() const { return errors_; }

  private:
    void finish(const MaskProduct& product);
    void add_columns(const std::vector<float>& columns, const Kernels& kernels);
    void bound_by_gram(const NearMatrix& gram, const Kernels& kernels);
    void add_scatter_columns(const PairGeometry& pair, const Kernels& kernels);
    void add_cross_columns(std::span<const double> weights, const Kernels& kernels);
    void add_forms(const Forms& forms, std::size_t first);
    [[nodiscard]] double add_limbs(std::span<const double> values, std::size_t column, double& unit,
                                   std::size_t limbs = 3, std::size_t to_next_limb = 1);
    void choose_scales(const std::vector<float>& columns, std::size_t first);
    [[nodiscard]] double quantise(double value, std::size_t row, std::size_t column);

    std::size_t N_;
    LowRankLayout layout_{};  // points to the vectors below
    std::size_t rank_;        // directions taken out of K
    double q2_;
    std::vector<std::int8_t> int8_;   // (N, columns), until packed
    std::vector<double> scale_;       // (columns)
    std::vector<double> sums_;        // (columns)
    std::vector<double> cross_sums_;  // (half)
    std::vector<double> units_;
    std::array<double, form::count> errors_{};
    double radius_ = 0;
    double gram_norm_ = 0;            // bound of |L|^2
    std::vector<double> gram_bound_;  // (half) row sums of |L^T L|, which bound it as a diagonal
    std::shared_ptr<const PackedMatrix> matrix_;
};

// The second screen: the whole of K in int8, product by product exact, with a bound for what rounding left out. Built
// for the pairs whose splits the first screen leaves undecided too often.
class Dense {
  public:
    // `alpha` is the first group's share of the rows, `c` c~, or nothing for blocks.
    Dense(const NearMatrix& gram, std::size_t N, double alpha, std::span<const double> c, const MaskProduct& product,
          const Kernels& kernels);

    [[nodiscard]] const PackedMatrix& matrix() const { return *matrix_; }
    [[nodiscard]] double radius() const { return radius_; }  // of K less what the screen sees, in spectral norm

    // Columns of the product, for N rows or blocks: in whole panels, which are a fifth faster.
    [[nodiscard]] static std::size_t width(std::size_t N) {
        return (N + dense_limbs + panel_columns - 1) / panel_columns * panel_columns;
    }

    // What makes e = K q of a row of products.
    [[nodiscard]] const DenseColumns& columns() const { return columns_; }

  private:
    double radius_ = 0;
    DenseColumns columns_{};
    std::vector<double> offset_;    // (N)
    std::vector<double> diagonal_;  // (N) kept apart: it is larger than the rest
    std::shared_ptr<const PackedMatrix> matrix_;
};

}  // namespace wordbreadth::engine::cpu
