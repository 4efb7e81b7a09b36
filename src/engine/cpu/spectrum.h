// Bounds of what is left of a symmetric matrix, and the few directions worth taking out of it first.
//
// Nothing here needs to be accurate to be right: whatever columns are found, the bound is computed for what they
// leave, rounding included.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/cpu/kernels.h"

namespace wordbreadth::engine::cpu {

// An orthonormal basis (size, rank), row-major, that nearly spans the leading eigenvectors of the symmetric positive
// matrix `a` (size, size): a few steps of block power iteration from fixed starting vectors.
[[nodiscard]] std::vector<float> leading_basis(std::span<const float> a, std::size_t size, std::size_t rank);

// Columns L (size, rank) with L L^T close to the leading part of `a` (Nystrom: L L^T = a Q (Q^T a Q)^-1 Q^T a).
[[nodiscard]] std::vector<float> leading_columns(std::span<const float> a, std::size_t size, std::size_t rank);

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
[[nodiscard]] GramBound tall_gram_bound(std::span<const float> a, std::size_t columns);

}  // namespace wordbreadth::engine::cpu
