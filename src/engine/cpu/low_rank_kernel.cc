// What the low-rank screen knows of each split. See kernels.h and kernels_each.h.
#include "engine/cpu/kernels_each.h"

namespace wordbreadth::cpu::WORDBREADTH_ISA {
namespace {

// The value of three limbs that end a panel.
inline double limbs(const std::int32_t* panel_end, double unit) {
    return unit * (panel_end[-3] * 65536.0 + panel_end[-2] * 256.0 + panel_end[-1]);
}

void low_rank_plain(const LowRankLayout& layout, const Shape& shape, const std::int32_t* products, std::size_t count,
                    double* A, double* Q) {
    const std::size_t half = layout.half;
    const double* scale = layout.scale;
    const double* sums = layout.column_sum;
    const double alpha = shape.alpha;
    for (std::size_t b = 0; b < count; ++b) {
        const std::int32_t* row = products + b * half;
        double squares = 0;
        for (std::size_t first = 0; first < half; first += panel_columns) {
#pragma omp simd reduction(+ : squares)
            for (std::size_t j = first; j < first + panel_columns; ++j) {
                const double y = scale[j] * (row[j] - alpha * sums[j]);
                squares += y * y;
            }
        }
        A[b] = limbs(row + half, layout.c_unit);
        Q[b] = squares + layout.centre;
    }
}

// With y = L^T q: |y|^2, a bound of |L y|^2, (diag(c~) L)^T z . y, the same over all rows, and L^T 1 . y.
struct Sums {
    double yy, ly, cross, cross_total, total;
};

inline Sums add_up(const LowRankLayout& layout, double alpha, const std::int32_t* row) {
    const std::size_t half = layout.half;
    const double* scale = layout.scale;
    const double* sums = layout.column_sum;
    const double* cross_sum = layout.cross_sum;
    const double* gram_bound = layout.gram_bound;
    double yy = 0, ly = 0, cross = 0, cross_total = 0, total = 0;
    for (std::size_t first = 0; first < half; first += panel_columns) {
#pragma omp simd reduction(+ : yy, ly, cross, cross_total, total)
        for (std::size_t j = first; j < first + panel_columns; ++j) {
            const double y = scale[j] * (row[j] - alpha * sums[j]);
            yy += y * y;
            ly += gram_bound[j] * y * y;
            total += y * (scale[j] * sums[j]);
            cross += y * (scale[half + j] * (row[half + j] - alpha * sums[half + j]) + alpha * cross_sum[j]);
            cross_total += y * cross_sum[j];
        }
    }
    return {yy, ly, cross, cross_total, total};
}

void low_rank_robust(const LowRankLayout& layout, const Shape& shape, const std::int32_t* products, std::size_t count,
                     double* A, double* Q, double* V1_low, double* V1_high, double* V2_low, double* V2_high) {
    const double alpha = shape.alpha;
    const double beta = 1 - alpha;
    for (std::size_t b = 0; b < count; ++b) {
        const std::int32_t* row = products + b * layout.columns;
        const Sums sums = add_up(layout, alpha, row);
        const double a = limbs(row + layout.half, layout.c_unit);
        const double c2 = limbs(row + layout.columns, layout.c2_unit);
        A[b] = a;
        Q[b] = sums.yy + layout.centre;
        // V1 = |P1 (alpha c~ + L y)|^2 and V2 = |P2 (beta c~ - L y)|^2, P1 and P2 taking away the groups'
        // means. |P L y| is left between 0 and |L| |y|: it is small beside c~.
        const double in_first = sums.yy + alpha * sums.total;  // sum of L y over the first group
        const double c_first = c2 - a * a / shape.n;
        const double c_second = (layout.c2_total - c2) - a * a / shape.m;
        const double x_first = sums.cross - a * in_first / shape.n;
        const double x_second = (sums.cross_total - sums.cross) + a * (sums.total - in_first) / shape.m;
        const double first = alpha * alpha * c_first + 2 * alpha * x_first;
        const double second = beta * beta * c_second - 2 * beta * x_second;
        // Rounding of c~, of its squares and of diag(c~) L.
        const double off = layout.c2_error + 2 * layout.cross_error * __builtin_sqrt(sums.yy) +
                           2 * layout.c_error * (magnitude(a) + magnitude(in_first) + magnitude(sums.total));
        V1_low[b] = larger(first - off, 0);
        V2_low[b] = larger(second - off, 0);
        V1_high[b] = larger(first + off + sums.ly, 0);
        V2_high[b] = larger(second + off + sums.ly, 0);
    }
}

}  // namespace

void low_rank(const LowRankLayout& layout, const Shape& shape, const std::int32_t* products, std::size_t count,
              double* A, double* Q, double* V1_low, double* V1_high, double* V2_low, double* V2_high) {
    if (shape.robust)
        low_rank_robust(layout, shape, products, count, A, Q, V1_low, V1_high, V2_low, V2_high);
    else
        low_rank_plain(layout, shape, products, count, A, Q);
}

}  // namespace wordbreadth::cpu::WORDBREADTH_ISA
