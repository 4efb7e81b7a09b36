// Loops over the rows of one split, and over the vectors of a pair. See kernels.h and kernels_each.h.
#include "engine/cpu/kernels_each.h"

namespace wordbreadth::cpu::WORDBREADTH_ISA {
void products_to_e(const std::int32_t* products, const double* row_sums, const double* diagonal,
                   const std::uint8_t* mask, double step, double alpha, std::size_t N, double* e) {
#pragma omp simd
    for (std::size_t i = 0; i < N; ++i)
        e[i] = step * (products[i] - alpha * row_sums[i]) + diagonal[i] * (mask[i] - alpha);
}

void gram_to_e(const float* K, const double* row_sums, const std::uint8_t* mask, double alpha, std::size_t N,
               std::uint32_t* rows, double* e) {
    // K q = sum of the rows of a group, up to the row sums: add up the smaller group, four rows at a time to touch e
    // less often. (A few columns at a time down all the rows, sums in registers, was slower: it misses the cache.)
    std::size_t in_first = 0;
    for (std::size_t i = 0; i < N; ++i) in_first += mask[i];
    const bool first = 2 * in_first <= N;
    std::size_t count = 0;
    for (std::size_t i = 0; i < N; ++i) {
        rows[count] = (std::uint32_t)i;
        count += mask[i] == first;
    }
    for (std::size_t i = 0; i < N; ++i) e[i] = 0;
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4) {
        const float* a = K + rows[k] * N;
        const float* b = K + rows[k + 1] * N;
        const float* c = K + rows[k + 2] * N;
        const float* d = K + rows[k + 3] * N;
#pragma omp simd
        for (std::size_t i = 0; i < N; ++i) e[i] += ((double)a[i] + (double)b[i]) + ((double)c[i] + (double)d[i]);
    }
    for (; k < count; ++k) {
        const float* a = K + rows[k] * N;
#pragma omp simd
        for (std::size_t i = 0; i < N; ++i) e[i] += (double)a[i];
    }
    const double sign = first ? 1 : -1;
    const double part = first ? -alpha : 1 - alpha;
#pragma omp simd
    for (std::size_t i = 0; i < N; ++i) e[i] = part * row_sums[i] + sign * e[i];
}

void moments(const double* e, const double* c, const std::uint8_t* mask, const Shape& shape, std::size_t N,
             double* out) {
    const double alpha = shape.alpha;
    const double beta = 1 - alpha;
    double A = 0, Q = 0, sum1 = 0, sum2 = 0, squares1 = 0, squares2 = 0;
#pragma omp simd reduction(+ : A, Q, sum1, sum2, squares1, squares2)
    for (std::size_t i = 0; i < N; ++i) {
        const double z = mask[i];
        const double first = z * (alpha * c[i] + e[i]);
        const double second = (1 - z) * (beta * c[i] - e[i]);
        A += z * c[i];
        Q += (z - alpha) * e[i];
        sum1 += first;
        sum2 += second;
        squares1 += first * first;
        squares2 += second * second;
    }
    out[0] = A;
    out[1] = Q;
    out[2] = larger(squares1 - sum1 * sum1 / shape.n, 0);
    out[3] = larger(squares2 - sum2 * sum2 / shape.m, 0);
}

double dot(const double* a, const double* b, std::size_t size) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < size; ++i) sum += a[i] * b[i];
    return sum;
}

void to_float(const double* from, std::size_t size, float* to) {
#pragma omp simd
    for (std::size_t i = 0; i < size; ++i) to[i] = (float)from[i];
}

double squares(const float* a, std::size_t size) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < size; ++i) sum += (double)a[i] * (double)a[i];
    return sum;
}

void times_vector(const float* a, std::size_t size, const float* x, float* y) {
    for (std::size_t i = 0; i < size; ++i) {
        const float* row = a + i * size;
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::size_t k = 0; k < size; ++k) sum += row[k] * x[k];
        y[i] = sum;
    }
}

double round_row(const float* row, float step, std::size_t size, std::int8_t* units, float* rest) {
    const float inverse = 1 / step;
    // Adding and taking away 1.5 * 2^23 rounds to the nearest integer.
    constexpr float rounder = 12582912.0F;
    std::int32_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < size; ++i) {
        float value = row[i] * inverse;
        value = value < -127 ? -127 : value > 127 ? 127 : value;
        const float rounded = (value + rounder) - rounder;
        units[i] = (std::int8_t)rounded;
        rest[i] = row[i] - rounded * step;
        sum += (std::int32_t)rounded;
    }
    return sum;
}

bool factor_panel(float* a, std::size_t stride, std::size_t rows, std::size_t width) {
    for (std::size_t j = 0; j < rows; ++j) {
        float* pivot_row = a + j * stride;
        if (!(pivot_row[j] > 0)) return false;
        const float scale = 1 / __builtin_sqrtf(pivot_row[j]);
#pragma omp simd
        for (std::size_t k = j; k < width; ++k) pivot_row[k] *= scale;
        for (std::size_t i = j + 1; i < rows; ++i) {
            float* row = a + i * stride;
            const float factor = pivot_row[i];
#pragma omp simd
            for (std::size_t k = i; k < width; ++k) row[k] -= factor * pivot_row[k];
        }
    }
    return true;
}

void correct_row(float* row, double row_part, const double* column_part, double factor, const double* column,
                 std::size_t size) {
#pragma omp simd
    for (std::size_t i = 0; i < size; ++i) row[i] = (float)(row[i] - row_part - column_part[i] - factor * column[i]);
}

const Kernels table = {WORDBREADTH_NAME(WORDBREADTH_ISA),
                       draw,
                       low_rank,
                       products_to_e,
                       gram_to_e,
                       moments,
                       decide,
                       dot,
                       to_float,
                       squares,
                       times_vector,
                       round_row,
                       factor_panel,
                       correct_row};

}  // namespace wordbreadth::cpu::WORDBREADTH_ISA
