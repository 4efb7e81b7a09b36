#include "engine/cpu/low_rank.h"

#include <algorithm>
#include <cmath>

#include "engine/cpu/spectrum.h"

namespace wordbreadth::engine::cpu {
namespace {

constexpr int limb_bits = 22;  // three signed limbs of eight bits hold it with room
constexpr std::size_t limb_count = 3;

}  // namespace

std::size_t low_rank_columns(std::size_t N, bool robust) {
    // One column of L for every 16 rows, in whole panels.
    const std::size_t panels = std::clamp<std::size_t>((N / 16 + panel_columns - 1) / panel_columns, 1, 4);
    return (robust ? 2 : 1) * panels * panel_columns;
}

LowRank::LowRank(const PairGeometry& pair, const NearMatrix& gram, bool robust, const MaskProduct& product,
                 const Kernels& kernels)
    : N_(pair.N),
      columns_(low_rank_columns(N_, robust)),
      half_(robust ? columns_ / 2 : columns_),
      rank_(half_ - limb_count),
      q2_(pair.q2()),
      int8_(N_ * columns_, 0),
      scale_(columns_, 0.0),
      sums_(columns_, 0.0) {
    if (gram.values.empty()) {
        add_scatter_columns(pair, kernels);
    } else {
        add_columns(leading_columns(gram.values, N_, rank_));
        bound_by_gram(gram, kernels);
    }
    // The sums of c themselves are rounded at the 1e-16th of their size, some thousand times.
    double largest = 0;
    for (const double value : pair.c) largest = std::max(largest, std::abs(value));
    const double rounding = 1e-13 * static_cast<double>(N_) * (largest + pair.tt / static_cast<double>(N_));
    c_error_ = add_limbs(pair.c, rank_, c_unit_) + rounding;
    if (robust) add_cross_columns(pair);
    matrix_ = product.pack(int8_.data());
    int8_ = {};
}

LowRankLayout LowRank::layout() const {
    return {.half = half_,
            .columns = columns_,
            .scale = scale_.data(),
            .column_sum = sums_.data(),
            .c_unit = c_unit_,
            .centre = centre_ * q2_,
            .cross_sum = cross_sums_.data(),
            .c2_unit = c2_unit_,
            .cross_error = cross_error_,
            .c_error = c_error_,
            .c2_error = c2_error_,
            .c2_total = c2_total_,
            .gram_bound = gram_bound_.data()};
}

// Rounds to the column's scale and returns the value that stands there now.
double LowRank::quantise(double value, std::size_t row, std::size_t column) {
    const auto units = static_cast<std::int8_t>(std::lrint(value / scale_[column]));
    int8_[row * columns_ + column] = units;
    sums_[column] += units;
    return units * scale_[column];
}

// A column's largest magnitude becomes 127. `columns` is (N, rank).
void LowRank::choose_scales(const std::vector<float>& columns, std::size_t first) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
        double& scale = scale_[first + i % rank_];
        scale = std::max(scale, std::abs(static_cast<double>(columns[i])));
    }
    for (std::size_t j = first; j < first + rank_; ++j) scale_[j] = scale_[j] > 0 ? scale_[j] / 127 : 1;
}

// L, (N, rank_), into the first columns. From here on L is what was rounded.
void LowRank::add_columns(const std::vector<float>& columns) {
    choose_scales(columns, 0);
    std::vector<float> rounded(columns.size());
    for (std::size_t i = 0; i < N_; ++i)
        for (std::size_t j = 0; j < rank_; ++j)
            rounded[i * rank_ + j] = static_cast<float>(quantise(columns[i * rank_ + j], i, j));
    GramBound bound = tall_gram_bound(rounded, rank_);
    gram_norm_ = bound.norm;
    gram_bound_ = std::move(bound.diagonal);
    gram_bound_.resize(half_, 0.0);
}

void LowRank::bound_by_gram(const NearMatrix& gram, const Kernels& kernels) {
    std::vector<float> L(N_ * rank_);
    for (std::size_t i = 0; i < N_; ++i)
        for (std::size_t j = 0; j < rank_; ++j)
            L[i * rank_ + j] = static_cast<float>(int8_[i * columns_ + j] * scale_[j]);
    std::vector<float> rest = gram.values;
    multiply({.rows = N_, .columns = N_, .inner = rank_, .transpose_b = true, .alpha = -1, .beta = 1}, L.data(), rank_,
             L.data(), rank_, rest.data(), N_);
    const Range range = eigenvalue_range(rest, N_, kernels);
    centre_ = (range.high + range.low) / 2;
    // |K| and |L| |L|^T, entry by entry, have at most the norms of their traces.
    double trace = 0;
    for (std::size_t i = 0; i < N_; ++i) trace += gram.values[i * N_ + i];
    const double rounding =
        static_cast<double>(rank_ + 4) * float_rounding * (trace + static_cast<double>(rank_) * gram_norm_);
    radius_ = (range.high - range.low) / 2 + gram.error + rounding;
}

// N above d: L = Z U with the leading directions U of the scatter matrix S.
void LowRank::add_scatter_columns(const PairGeometry& pair, const Kernels& kernels) {
    NearMatrix S = scatter(pair, kernels);
    double trace = 0;
    for (std::size_t k = 0; k < pair.d; ++k) trace += S.values[k * pair.d + k];
    const std::vector<float> U = leading_basis(S.values, pair.d, rank_);
    const std::vector<float> L = centred_rows_times(pair, U, rank_);
    add_columns(L);
    std::vector<float> off(L.size());
    for (std::size_t i = 0; i < N_; ++i)
        for (std::size_t j = 0; j < rank_; ++j)
            off[i * rank_ + j] = static_cast<float>(L[i * rank_ + j] - int8_[i * columns_ + j] * scale_[j]);
    const double product_rounding =
        1.01 * static_cast<double>(pair.d + 8) * float_rounding * std::sqrt(trace * static_cast<double>(rank_));
    const double rounded_off = std::sqrt(tall_gram_bound(off, rank_).norm) + product_rounding;
    const double L_norm = std::sqrt(gram_norm_) + rounded_off;
    // What Z U leaves is Z (I - U U^T) Z^T, with eigenvalues from 0 to those of (I - U U^T) S (I - U U^T), give or take
    // U's distance from an orthonormal basis.
    const double largest = largest_eigenvalue_beside(S.values, pair.d, U, rank_, kernels) + S.error;
    centre_ = largest / 2;
    radius_ = largest / 2 + 3 * skewness(U, pair.d, rank_, kernels) * trace + 2 * L_norm * rounded_off +
              rounded_off * rounded_off;
}

// diag(c) L and c^2: what the robust statistic needs besides.
void LowRank::add_cross_columns(const PairGeometry& pair) {
    std::vector<float> cross(N_ * rank_);
    std::vector<float> off(N_ * rank_);
    cross_sums_.assign(half_, 0.0);
    const auto value = [&](std::size_t i, std::size_t j) { return pair.c[i] * int8_[i * columns_ + j] * scale_[j]; };
    for (std::size_t i = 0; i < N_; ++i)
        for (std::size_t j = 0; j < rank_; ++j) {
            cross[i * rank_ + j] = static_cast<float>(value(i, j));
            cross_sums_[j] += value(i, j);
        }
    choose_scales(cross, half_);
    for (std::size_t i = 0; i < N_; ++i)
        for (std::size_t j = 0; j < rank_; ++j)
            off[i * rank_ + j] = static_cast<float>(value(i, j) - quantise(value(i, j), i, half_ + j));
    cross_error_ = std::sqrt(tall_gram_bound(off, rank_).norm * q2_);
    std::vector<double> squares(N_);
    for (std::size_t i = 0; i < N_; ++i) {
        squares[i] = pair.c[i] * pair.c[i];
        c2_total_ += squares[i];
    }
    c2_error_ = add_limbs(squares, half_ + rank_, c2_unit_) + 1e-12 * c2_total_;
}

// Values as three columns of int8, value = unit (65536 a + 256 b + c). Returns a bound for the error of a sum of any
// of them.
double LowRank::add_limbs(const std::vector<double>& values, std::size_t column, double& unit) {
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    unit = largest > 0 ? largest / (1 << limb_bits) : 1;
    double error = 0;
    for (std::size_t i = 0; i < N_; ++i) {
        std::int64_t units = std::llrint(values[i] / unit);
        error += std::abs(values[i] - static_cast<double>(units) * unit);
        for (std::size_t limb = limb_count; limb-- > 0;) {
            const auto low = static_cast<std::int8_t>(((units + 128) & 255) - 128);
            int8_[i * columns_ + column + limb] = low;
            units = (units - low) / 256;
        }
    }
    return error;
}

}  // namespace wordbreadth::engine::cpu
