// Small linear algebra on symmetric matrices, (m, m), row after row. One fixed order of operations.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wordbreadth::geometry {

struct Eigenpairs {
    std::vector<double> values;   // descending
    std::vector<double> vectors;  // (values, m): a unit vector per value
};

// All of them, by Jacobi's rotations: for m up to some dozens.
[[nodiscard]] Eigenpairs eigenpairs(std::vector<double> matrix, std::size_t m);

// The leading ones, as many as `start`, (count, m), has vectors, by `steps` steps of subspace iteration. `start` has to
// be of full rank. Where eigenvalues are nearly equal the vectors are some basis of what they span.
[[nodiscard]] Eigenpairs leading_eigenpairs(std::span<const double> matrix, std::size_t m, std::vector<double> start,
                                            std::size_t steps);

// Turns the lower triangle of a positive definite matrix into L, matrix = L L^T. False where it is not so: then the
// triangle is in part L.
[[nodiscard]] bool to_cholesky(std::span<double> matrix, std::size_t m);

// x with L x = b.
void solve_lower(std::span<const double> cholesky, std::span<const double> b, std::span<double> x);

// x with L^T x = b.
void solve_upper(std::span<const double> cholesky, std::span<const double> b, std::span<double> x);

}  // namespace wordbreadth::geometry
