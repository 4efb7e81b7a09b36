#include "geometry/symmetric.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/vector_math.h"

namespace wordbreadth::geometry {
namespace {

constexpr int most_sweeps = 30;
constexpr double off_diagonal = 1e-12;  // of the trace: what is left has no share in any eigenvalue that matters

struct Rotation {
    double cosine, sine;
};

// The one that makes entry (p, q) zero.
Rotation rotation_of(double pp, double pq, double qq) {
    const double ratio = (qq - pp) / (2 * pq);
    const double tangent = (ratio >= 0 ? 1.0 : -1.0) / (std::abs(ratio) + std::sqrt(ratio * ratio + 1));
    const double cosine = 1 / std::sqrt(tangent * tangent + 1);
    return {cosine, tangent * cosine};
}

void rotate(double& a, double& b, const Rotation& by) {
    const double before = a;
    a = by.cosine * before - by.sine * b;
    b = by.sine * before + by.cosine * b;
}

void sweep(std::vector<double>& matrix, std::vector<double>& vectors, std::size_t m) {
    for (std::size_t p = 0; p < m; ++p)
        for (std::size_t q = p + 1; q < m; ++q) {
            if (matrix[p * m + q] == 0) continue;
            const Rotation by = rotation_of(matrix[p * m + p], matrix[p * m + q], matrix[q * m + q]);
            for (std::size_t i = 0; i < m; ++i) rotate(matrix[i * m + p], matrix[i * m + q], by);
            for (std::size_t i = 0; i < m; ++i) rotate(matrix[p * m + i], matrix[q * m + i], by);
            for (std::size_t i = 0; i < m; ++i) rotate(vectors[p * m + i], vectors[q * m + i], by);
        }
}

bool is_diagonal(const std::vector<double>& matrix, std::size_t m) {
    double off = 0, trace = 0;
    for (std::size_t i = 0; i < m; ++i) {
        trace += std::abs(matrix[i * m + i]);
        for (std::size_t j = 0; j < i; ++j) off += std::abs(matrix[i * m + j]);
    }
    return off <= off_diagonal * trace;
}

Eigenpairs descending(std::span<const double> values, std::span<const double> vectors, std::size_t m) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return values[i]; });
    Eigenpairs sorted;
    for (const std::size_t i : order) {
        const auto vector = vectors.subspan(i * m, m);
        sorted.values.push_back(values[i]);
        sorted.vectors.insert(sorted.vectors.end(), vector.begin(), vector.end());
    }
    return sorted;
}

// Gram and Schmidt, each against the ones before it twice.
void orthonormalise(std::vector<double>& vectors, std::size_t m) {
    for (std::size_t a = 0; a < vectors.size() / m; ++a) {
        const auto vector = std::span(vectors).subspan(a * m, m);
        for (std::size_t b = 0; b < 2 * a; ++b) {
            const auto earlier = std::span(vectors).subspan(b % a * m, m);
            add_scaled(vector, -dot(vector, earlier), earlier);
        }
        const double length = norm(vector);
        for (double& value : vector) value = length > 0 ? value / length : 0;
    }
}

std::vector<double> times(std::span<const double> matrix, const std::vector<double>& vectors, std::size_t m) {
    std::vector<double> product(vectors.size(), 0.0);
    for (std::size_t a = 0; a < vectors.size() / m; ++a)
        for (std::size_t i = 0; i < m; ++i)
            product[a * m + i] = dot(matrix.subspan(i * m, m), std::span(vectors).subspan(a * m, m));
    return product;
}

}  // namespace

Eigenpairs eigenpairs(std::vector<double> matrix, std::size_t m) {
    std::vector<double> vectors(m * m, 0.0), values(m);
    for (std::size_t i = 0; i < m; ++i) vectors[i * m + i] = 1;
    for (int done = 0; done < most_sweeps && !is_diagonal(matrix, m); ++done) sweep(matrix, vectors, m);
    for (std::size_t i = 0; i < m; ++i) values[i] = matrix[i * m + i];
    return descending(values, vectors, m);
}

Eigenpairs leading_eigenpairs(std::span<const double> matrix, std::size_t m, std::vector<double> start,
                              std::size_t steps) {
    const std::size_t count = start.size() / m;
    orthonormalise(start, m);
    for (std::size_t step = 0; step < steps; ++step) {
        start = times(matrix, start, m);
        orthonormalise(start, m);
    }
    // Rayleigh and Ritz: the eigenpairs within the subspace.
    const std::vector<double> image = times(matrix, start, m);
    std::vector<double> within(count * count), vectors(count * m, 0.0);
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = 0; b < count; ++b)
            within[a * count + b] = dot(std::span(start).subspan(a * m, m), std::span(image).subspan(b * m, m));
    Eigenpairs found = eigenpairs(std::move(within), count);
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = 0; b < count; ++b)
            add_scaled(std::span(vectors).subspan(a * m, m), found.vectors[a * count + b],
                       std::span(start).subspan(b * m, m));
    found.vectors = std::move(vectors);
    return found;
}

bool to_cholesky(std::span<double> matrix, std::size_t m) {
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double rest = matrix[i * m + j];
            for (std::size_t k = 0; k < j; ++k) rest -= matrix[i * m + k] * matrix[j * m + k];
            if (i == j && !(rest > 0)) return false;
            matrix[i * m + j] = i == j ? std::sqrt(rest) : rest / matrix[j * m + j];
        }
    return true;
}

void solve_lower(std::span<const double> cholesky, std::span<const double> b, std::span<double> x) {
    const std::size_t m = b.size();
    for (std::size_t i = 0; i < m; ++i) {
        double rest = b[i];
        for (std::size_t k = 0; k < i; ++k) rest -= cholesky[i * m + k] * x[k];
        x[i] = rest / cholesky[i * m + i];
    }
}

void solve_upper(std::span<const double> cholesky, std::span<const double> b, std::span<double> x) {
    const std::size_t m = b.size();
    for (std::size_t i = m; i-- > 0;) {
        double rest = b[i];
        for (std::size_t k = i + 1; k < m; ++k) rest -= cholesky[k * m + i] * x[k];
        x[i] = rest / cholesky[i * m + i];
    }
}

}  // namespace wordbreadth::geometry
