#include "engine/cpu/spectrum.h"

#include <algorithm>
#include <cmath>

#include "engine/cpu/onednn.h"

namespace wordbreadth::cpu {
namespace {

constexpr double float_rounding = 0x1p-24;
constexpr int power_steps = 2;
constexpr double negligible = 1e-5;  // relative length under which a column is rounding errors

// +1 or -1, fixed, without pattern.
float sign(std::uint64_t index) {
    index = (index ^ (index >> 30)) * 0xBF58476D1CE4E5B9U;
    index = (index ^ (index >> 27)) * 0x94D049BB133111EBU;
    return (index >> 40 & 1) != 0 ? 1.0F : -1.0F;
}

// Y^T Y or Q^T Y, (rank, rank), in float64.
std::vector<double> inner_products(std::span<const float> q, std::span<const float> y, std::size_t rank) {
    std::vector<double> gram(rank * rank, 0.0);
    for (std::size_t i = 0; i < y.size(); i += rank)
        for (std::size_t a = 0; a < rank; ++a)
            for (std::size_t b = 0; b < rank; ++b) gram[a * rank + b] += static_cast<double>(q[i + a]) * y[i + b];
    return gram;
}

// Y <- Y R^-1 with R^T R = g (Cholesky), g symmetric. Columns that depend on earlier ones become zero.
void divide_by_root(std::span<float> y, std::vector<double> g, std::size_t rank) {
    std::vector<double> root(rank * rank, 0.0);  // R, upper
    std::vector<double> inverse_pivot(rank, 0.0);
    for (std::size_t j = 0; j < rank; ++j) {
        const double original = g[j * rank + j];
        for (std::size_t k = 0; k < j; ++k) g[j * rank + j] -= root[k * rank + j] * root[k * rank + j];
        if (!(g[j * rank + j] > negligible * negligible * original) || !(original > 0)) continue;
        root[j * rank + j] = std::sqrt(g[j * rank + j]);
        inverse_pivot[j] = 1 / root[j * rank + j];
        for (std::size_t i = j + 1; i < rank; ++i) {
            double rest = (g[j * rank + i] + g[i * rank + j]) / 2;
            for (std::size_t k = 0; k < j; ++k) rest -= root[k * rank + j] * root[k * rank + i];
            root[j * rank + i] = rest * inverse_pivot[j];
        }
    }
    std::vector<double> row(rank);
    for (std::size_t i = 0; i < y.size(); i += rank) {
        for (std::size_t j = 0; j < rank; ++j) {
            double value = y[i + j];
            for (std::size_t k = 0; k < j; ++k) value -= row[k] * root[k * rank + j];
            row[j] = value * inverse_pivot[j];
        }
        for (std::size_t j = 0; j < rank; ++j) y[i + j] = static_cast<float>(row[j]);
    }
}

std::vector<float> times(std::span<const float> a, std::span<const float> q, std::size_t size, std::size_t rank) {
    std::vector<float> y(size * rank);
    multiply({.rows = size, .columns = rank, .inner = size}, a.data(), size, q.data(), rank, y.data(), rank);
    return y;
}

}  // namespace

std::vector<float> leading_basis(std::span<const float> a, std::size_t size, std::size_t rank) {
    std::vector<float> q(size * rank);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = sign(i);
    for (int step = 0; step < power_steps; ++step) {
        q = times(a, q, size, rank);
        divide_by_root(q, inner_products(q, q, rank), rank);
    }
    // Once more, since one pass leaves what the first columns' rounding put into the last.
    divide_by_root(q, inner_products(q, q, rank), rank);
    return q;
}

std::vector<float> leading_columns(std::span<const float> a, std::size_t size, std::size_t rank) {
    const std::vector<float> q = leading_basis(a, size, rank);
    std::vector<float> y = times(a, q, size, rank);
    divide_by_root(y, inner_products(q, y, rank), rank);
    return y;
}

double spectral_norm_bound(std::span<float> a, std::size_t size, int squarings, const Kernels& kernels) {
    // |a|_2^2 = |a^2|_2, and so on; the last norm is Frobenius'. Each square is off by at most size roundings of |a|_F^2,
    // in Frobenius norm.
    const double rounding = 1.01 * static_cast<double>(size + 2) * float_rounding;
    std::vector<float> square;
    std::vector<double> errors;
    for (int step = 0; step < squarings; ++step) {
        errors.push_back(rounding * kernels.squares(a.data(), a.size()));
        square.resize(a.size());
        multiply({.rows = size, .columns = size, .inner = size}, a.data(), size, a.data(), size, square.data(), size);
        std::copy(square.begin(), square.end(), a.begin());
    }
    double bound = std::sqrt(kernels.squares(a.data(), a.size())) * (1 + 1e-12);
    for (int step = squarings - 1; step >= 0; --step) bound = std::sqrt(bound + errors[static_cast<std::size_t>(step)]);
    return bound;
}

double tall_norm_bound(std::span<const double> a, std::size_t columns) {
    std::vector<double> gram(columns * columns, 0.0);
    for (std::size_t i = 0; i < a.size(); i += columns)
        for (std::size_t j = 0; j < columns; ++j)
            for (std::size_t k = 0; k < columns; ++k) gram[j * columns + k] += a[i + j] * a[i + k];
    double squares = 0;
    for (const double value : gram) squares += value * value;
    return std::sqrt(std::sqrt(squares)) * (1 + 1e-9);
}

}  // namespace wordbreadth::cpu
