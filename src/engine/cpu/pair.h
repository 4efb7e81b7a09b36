// A pair in Gram space: what is linear in a split, exactly, and what is quadratic, nearly.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/cpu/clouds.h"
#include "engine/cpu/kernels.h"
#include "wordbreadth/test.h"

namespace wordbreadth::engine::cpu {

// Z stands for the aligned rows of both clouds, x's first: (N, d). They are never written down.
struct PairGeometry {
    const geometry::UnitRows* x = nullptr;
    const geometry::UnitRows* y = nullptr;
    std::size_t n = 0, m = 0, N = 0, d = 0;
    std::vector<double> mirror;        // (d) u of the reflection; empty when nothing is reflected
    std::vector<double> along_mirror;  // (N) rows before the reflection . u; zeros when nothing is reflected
    std::vector<double> sum;           // (d) of all rows of Z
    double tt = 0;                     // its squared length
    std::vector<double> c;             // (N) rows of Z . sum, less their mean tt / N: c~

    PairGeometry(const geometry::UnitRows& cloud_x, const geometry::UnitRows& cloud_y, Alignment align,
                 const Kernels& kernels);

    // Row i before the reflection; see UnitRows::row.
    [[nodiscard]] std::span<const double> row(std::size_t i, std::vector<double>& scratch) const {
        return i < n ? x->row(i, scratch) : y->row(i - n, scratch);
    }

    // |q|^2, the same for every split
    [[nodiscard]] double q2() const { return static_cast<double>(n) * static_cast<double>(m) / static_cast<double>(N); }
};

// A matrix known up to a symmetric error of at most `error` in spectral norm.
struct NearMatrix {
    std::vector<float> values;
    double error = 0;
};

// K = (Z - mean)(Z - mean)^T, (N, N).
[[nodiscard]] NearMatrix centred_gram(const PairGeometry& pair, const PreparedCloud& x, const PreparedCloud& y,
                                      const Kernels& kernels);

// Rows `first` to `first + count` of Z - mean: (count, d).
void centred_rows(const PairGeometry& pair, std::size_t first, std::size_t count, float* to);

// (Z - mean) U, (N, columns), for U (d, columns).
[[nodiscard]] std::vector<float> centred_rows_times(const PairGeometry& pair, std::span<const float> U,
                                                    std::size_t columns);

// (Z - mean)^T (Z - mean), (d, d).
[[nodiscard]] NearMatrix scatter(const PairGeometry& pair, const Kernels& kernels);

}  // namespace wordbreadth::engine::cpu
