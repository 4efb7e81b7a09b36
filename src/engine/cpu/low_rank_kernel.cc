// What the low-rank screen knows of each split. See kernels.h and kernels_each.h.
#include "engine/cpu/kernels_each.h"

namespace wordbreadth::engine::cpu::WORDBREADTH_ISA {
namespace {

// The value of three limbs that end a panel.
inline double limbs(const std::int32_t* panel_end, double unit) {
    return unit * (panel_end[-3] * 65536.0 + panel_end[-2] * 256.0 + panel_end[-1]);
}

inline Doubles wide(const std::int32_t* from) {
    return __builtin_convertvector(load<Integers>(from), Doubles);
}

// y = L^T q, eight columns of it.
inline Doubles y_of(const LowRankLayout& layout, double alpha, const std::int32_t* row, std::size_t j) {
    return load<Doubles>(layout.scale + j) * (wide(row + j) - alpha * load<Doubles>(layout.column_sum + j));
}

void low_rank_plain(const LowRankLayout& layout, const Shape& shape, const std::int32_t* products, std::size_t count,
                    double* A, double* Q) {
    const LowRankLayout local = layout;
    const double alpha = shape.alpha;
    for (std::size_t b = 0; b < count; ++b) {
        const std::int32_t* row = products + b * local.half;
        Doubles squares{};
        for (std::size_t j = 0; j < local.half; j += eight) {
            const Doubles y = y_of(local, alpha, row, j);
            squares += y * y;
        }
        A[b] = limbs(row + local.half, local.c_unit);
        Q[b] = sum_of(squares) + local.centre;
    }
}

// What is added up over the columns for some splits. With y = L^T q: |y|^2, a bound of |L y|^2, (diag(c~) L)^T z . y,
// the same over all rows, L^T 1 . y; and the limbs' sums of c~ and c~^2.
constexpr std::size_t chunk = 64;
struct Sums {
    double yy[chunk], ly[chunk], cross[chunk], cross_total[chunk], total[chunk], a[chunk], c2[chunk];
};

void add_up(const LowRankLayout& layout, double alpha, const std::int32_t* products, std::size_t count, Sums& sums) {
    const LowRankLayout local = layout;
    const std::size_t half = local.half;
    for (std::size_t b = 0; b < count; ++b) {
        const std::int32_t* row = products + b * local.columns;
        Doubles yy{}, ly{}, cross{}, cross_total{}, total{};
        for (std::size_t j = 0; j < half; j += eight) {
            const Doubles y = y_of(local, alpha, row, j);
            const Doubles square = y * y;
            const Doubles cross_sum = load<Doubles>(local.cross_sum + j);
            yy += square;
            ly += load<Doubles>(local.gram_bound + j) * square;
            total += y * load<Doubles>(local.scale + j) * load<Doubles>(local.column_sum + j);
            cross += y * (y_of(local, alpha, row, half + j) + alpha * cross_sum);
            cross_total += y * cross_sum;
        }
        sums.yy[b] = sum_of(yy);
        sums.ly[b] = sum_of(ly);
        sums.cross[b] = sum_of(cross);
        sums.cross_total[b] = sum_of(cross_total);
        sums.total[b] = sum_of(total);
        sums.a[b] = limbs(row + half, local.c_unit);
        sums.c2[b] = limbs(row + local.columns, local.c2_unit);
    }
}

// V1 = |P1 (alpha c~ + L y)|^2 and V2 = |P2 (beta c~ - L y)|^2, P1 and P2 taking away the groups' means. |P L y| is
// left between 0 and |L y|: it is small beside c~.
void bound_spreads(const LowRankLayout& layout, const Shape& shape, const Sums& sums, std::size_t count, double* V1_low,
                   double* V1_high, double* V2_low, double* V2_high) {
    const double alpha = shape.alpha, beta = 1 - alpha;
    const double per_n = 1 / shape.n, per_m = 1 / shape.m;
    const double c2_total = layout.c2_total, c2_error = layout.c2_error;
    const double cross_error = 2 * layout.cross_error, c_error = 2 * layout.c_error;
#pragma omp simd
    for (std::size_t b = 0; b < count; ++b) {
        const double a = sums.a[b];
        const double in_first = sums.yy[b] + alpha * sums.total[b];  // sum of L y over the first group
        const double c_first = sums.c2[b] - a * a * per_n;
        const double c_second = (c2_total - sums.c2[b]) - a * a * per_m;
        const double x_first = sums.cross[b] - a * in_first * per_n;
        const double x_second = (sums.cross_total[b] - sums.cross[b]) + a * (sums.total[b] - in_first) * per_m;
        const double first = alpha * alpha * c_first + 2 * alpha * x_first;
        const double second = beta * beta * c_second - 2 * beta * x_second;
        // Rounding of c~, of its squares and of diag(c~) L.
        const double off = c2_error + cross_error * __builtin_sqrt(sums.yy[b]) +
                           c_error * (magnitude(a) + magnitude(in_first) + magnitude(sums.total[b]));
        V1_low[b] = larger(first - off, 0);
        V2_low[b] = larger(second - off, 0);
        V1_high[b] = larger(first + off, 0);
        V2_high[b] = larger(second + off, 0);
    }
}

void low_rank_robust(const LowRankLayout& layout, const Shape& shape, const std::int32_t* products, std::size_t count,
                     double* A, double* Q, double* V1_low, double* V1_high, double* V2_low, double* V2_high,
                     double* shared) {
    Sums sums;
    for (std::size_t first = 0; first < count; first += chunk) {
        const std::size_t size = count - first < chunk ? count - first : chunk;
        add_up(layout, shape.alpha, products + first * layout.columns, size, sums);
        for (std::size_t b = 0; b < size; ++b) {
            A[first + b] = sums.a[b];
            Q[first + b] = sums.yy[b] + layout.centre;
            shared[first + b] = sums.ly[b];
        }
        bound_spreads(layout, shape, sums, size, V1_low + first, V1_high + first, V2_low + first, V2_high + first);
    }
}

}  // namespace

void low_rank(const LowRankLayout& layout, const Shape& shape, const std::int32_t* products, std::size_t count,
              double* A, double* Q, double* V1_low, double* V1_high, double* V2_low, double* V2_high, double* shared) {
    if (shape.robust)
        low_rank_robust(layout, shape, products, count, A, Q, V1_low, V1_high, V2_low, V2_high, shared);
    else
        low_rank_plain(layout, shape, products, count, A, Q);
}

}  // namespace wordbreadth::engine::cpu::WORDBREADTH_ISA
