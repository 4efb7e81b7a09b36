// What the low-rank screen knows of each split. See kernels.h and kernels_each.h.
#include "engine/cpu/kernels_each.h"

namespace wordbreadth::cpu::WORDBREADTH_ISA {
namespace {

void low_rank_plain(const LowRankLayout& layout, const Shape& shape, const std::int32_t* products, std::size_t count,
                    double* A, double* Q) {
    const std::size_t rank = layout.rank;
    const double* scale = layout.scale;
    const double* sums = layout.column_sum;
    for (std::size_t b = 0; b < count; ++b) {
        const std::int32_t* row = products + b * layout.columns;
        double quadratic = 0;
#pragma omp simd reduction(+ : quadratic)
        for (std::size_t j = 0; j < rank; ++j) {
            const double y = scale[j] * (row[j] - shape.alpha * sums[j]);
            quadratic += y * y;
        }
        const std::int32_t* limb = row + rank;
        A[b] = scale[rank] * (limb[0] * 65536.0 + limb[1] * 256.0 + limb[2]);
        Q[b] = quadratic + layout.centre;
    }
}

void low_rank_robust(const LowRankLayout& layout, const Shape& shape, const std::int32_t* products, std::size_t count,
                     double* A, double* Q, double* V1_low, double* V1_high, double* V2_low, double* V2_high) {
    const std::size_t rank = layout.rank;
    const double* scale = layout.scale;
    const double* sums = layout.column_sum;
    const double alpha = shape.alpha;
    const double beta = 1 - alpha;
    for (std::size_t b = 0; b < count; ++b) {
        const std::int32_t* row = products + b * layout.columns;
        // With y = L^T q: |y|^2, (diag(c~) L)^T z . y, the same over all rows, and L^T 1 . y.
        double yy = 0, cross = 0, cross_total = 0, total = 0;
#pragma omp simd reduction(+ : yy, cross, cross_total, total)
        for (std::size_t j = 0; j < rank; ++j) {
            const double y = scale[j] * (row[j] - alpha * sums[j]);
            yy += y * y;
            total += y * (scale[j] * sums[j]);
            cross += y * (scale[rank + j] * (row[rank + j] - alpha * sums[rank + j]) + alpha * layout.cross_sum[j]);
            cross_total += y * layout.cross_sum[j];
        }
        const std::int32_t* limb = row + 2 * rank;
        const double a = scale[2 * rank] * (limb[0] * 65536.0 + limb[1] * 256.0 + limb[2]);
        const double c2 = scale[2 * rank + 3] * (limb[3] * 65536.0 + limb[4] * 256.0 + limb[5]);
        A[b] = a;
        Q[b] = yy + layout.centre;
        // V1 = |P1 (alpha c~ + L y + rest)|^2 and V2 = |P2 (beta c~ - L y - rest)|^2, P1 and P2 taking away the groups'
        // means. P L y is left between 0 and |L|^2 |y|^2: it is small beside c~.
        const double in_first = yy + alpha * total;  // sum of L y over the first group
        const double c_first = c2 - a * a / shape.n;
        const double c_second = (layout.c2_total - c2) - a * a / shape.m;
        const double x_first = cross - a * in_first / shape.n;
        const double x_second = (cross_total - cross) + a * (total - in_first) / shape.m;
        const double first = alpha * alpha * c_first + 2 * alpha * x_first;
        const double second = beta * beta * c_second - 2 * beta * x_second;
        const double ly = layout.gram_norm * yy;
        const double rest = layout.residual_norm;
        // Rounding of c~, of its squares and of diag(c~) L.
        const double off = layout.c2_error + 2 * layout.cross_error * __builtin_sqrt(yy) +
                           layout.c_error * (2 * magnitude(a) + 2 * magnitude(in_first) + 2 * magnitude(total));
        const double low1 = larger(__builtin_sqrt(larger(first - off, 0)) - rest, 0);
        const double low2 = larger(__builtin_sqrt(larger(second - off, 0)) - rest, 0);
        const double high1 = __builtin_sqrt(larger(first + off + ly, 0)) + rest;
        const double high2 = __builtin_sqrt(larger(second + off + ly, 0)) + rest;
        V1_low[b] = low1 * low1;
        V2_low[b] = low2 * low2;
        V1_high[b] = high1 * high1;
        V2_high[b] = high2 * high2;
    }
}

}  // namespace

void low_rank(const LowRankLayout& layout, const Shape& shape, const std::int32_t* products, std::size_t count,
              double* A, double* Q, double* V1_low, double* V1_high, double* V2_low, double* V2_high) {
    if (shape.robust) low_rank_robust(layout, shape, products, count, A, Q, V1_low, V1_high, V2_low, V2_high);
    else low_rank_plain(layout, shape, products, count, A, Q);
}

}  // namespace wordbreadth::cpu::WORDBREADTH_ISA
