// What the low-rank screen knows of each split, and the verdicts on estimates and their errors. See kernels.h and
// kernels_each.h.
#include "engine/cpu/kernels_each.h"
#include "geometry/tolerances.h"

namespace wordbreadth::engine::cpu::WORDBREADTH_ISA {
namespace {

inline Doubles wide(const std::int32_t* from) {
    return __builtin_convertvector(load<Integers>(from), Doubles);
}

// y = L^T q, some columns of it.
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
        for (std::size_t j = 0; j < local.half; j += lanes) {
            const Doubles y = y_of(local, alpha, row, j);
            squares += y * y;
        }
        A[b] = limbs(row + local.half - 3, local.c_unit);
        Q[b] = sum_of(squares) + local.centre;
    }
}

// What is added up over the columns for some splits. With y = L^T q: |y|^2, a bound of |L y|^2, (diag(c~) L)^T z . y,
// the same over all rows, L^T 1 . y; and the limbs' sums of c~ and c~^2.
constexpr std::size_t splits_of_sums = 64;
struct Sums {
    double yy[splits_of_sums], ly[splits_of_sums], cross[splits_of_sums], cross_total[splits_of_sums],
        total[splits_of_sums], a[splits_of_sums], c2[splits_of_sums];
};

struct ColumnSums {
    Doubles yy{}, ly{}, cross{}, cross_total{}, total{};
};

// Of one row of products.
inline ColumnSums column_sums(const LowRankLayout& local, double alpha, const std::int32_t* row) {
    ColumnSums sums;
    for (std::size_t j = 0; j < local.half; j += lanes) {
        const Doubles y = y_of(local, alpha, row, j);
        const Doubles square = y * y;
        const Doubles cross_sum = load<Doubles>(local.cross_sum + j);
        sums.yy += square;
        sums.ly += load<Doubles>(local.gram_bound + j) * square;
        sums.total += y * load<Doubles>(local.scale + j) * load<Doubles>(local.column_sum + j);
        sums.cross += y * (y_of(local, alpha, row, local.half + j) + alpha * cross_sum);
        sums.cross_total += y * cross_sum;
    }
    return sums;
}

void add_up(const LowRankLayout& layout, double alpha, const std::int32_t* products, std::size_t count, Sums& sums) {
    const LowRankLayout local = layout;
    for (std::size_t b = 0; b < count; ++b) {
        const std::int32_t* row = products + b * local.columns;
        const ColumnSums columns = column_sums(local, alpha, row);
        sums.yy[b] = sum_of(columns.yy);
        sums.ly[b] = sum_of(columns.ly);
        sums.cross[b] = sum_of(columns.cross);
        sums.cross_total[b] = sum_of(columns.cross_total);
        sums.total[b] = sum_of(columns.total);
        sums.a[b] = limbs(row + local.half - 3, local.c_unit);
        sums.c2[b] = limbs(row + local.columns - 3, local.c2_unit);
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
    for (std::size_t first = 0; first < count; first += splits_of_sums) {
        const std::size_t size = count - first < splits_of_sums ? count - first : splits_of_sums;
        add_up(layout, shape.alpha, products + first * layout.columns, size, sums);
        for (std::size_t b = 0; b < size; ++b) {
            A[first + b] = sums.a[b];
            Q[first + b] = sums.yy[b] + layout.centre;
            shared[first + b] = sums.ly[b];
        }
        bound_spreads(layout, shape, sums, size, V1_low + first, V1_high + first, V2_low + first, V2_high + first);
    }
}

// log x to about 1e-13, for positive normal x; only here to be vectorised.
inline double logarithm(double x) {
    // Halve the mantissa of [sqrt 2, 2) so that it lies about 1.
    const auto shifted = __builtin_bit_cast(std::uint64_t, x) + (0x3FF0000000000000 - 0x3FE6A09E667F3BCD);
    // An integer below 2^52 becomes a double through the last bits of 2^52.
    const double e = __builtin_bit_cast(double, (shifted >> 52) | 0x4330000000000000) - (4503599627370496.0 + 1023.0);
    const double mantissa = __builtin_bit_cast(double, (shifted & 0x000FFFFFFFFFFFFF) + 0x3FE6A09E667F3BCD);
    const double s = (mantissa - 1) / (mantissa + 1);
    const double s2 = s * s;
    const double series =
        1 +
        s2 * (1.0 / 3 + s2 * (1.0 / 5 + s2 * (1.0 / 7 + s2 * (1.0 / 9 + s2 * (1.0 / 11 + s2 * (1.0 / 13 + s2 / 15))))));
    return e * 0.693147180559945309417 + 2 * s * series;
}

// Closer to a threshold than this nothing is decided: it covers the rounding of this file and of the float64
// definition, which the guards below keep under 1e-9.
constexpr double slack = 1e-8;
constexpr double guard = geometry::screen_guard;  // of R and of 1 - R

struct Group {
    double R, low, high;           // R = r^2 (plain) or the unbiased mean cosine (robust), and its bounds
    double slope_low, slope_high;  // bounds of d log kappa / d S
    double odds;                   // kappa^2 up to a constant
};

// R = factor S - offset
inline Group group(double S, double S_error, double factor, double offset, double d) {
    Group g;
    g.R = factor * S - offset;
    g.low = g.R - factor * S_error;
    g.high = g.R + factor * S_error;
    // 1 / (2R) - 1 / (d - R) falls, 1 / (1 - R) grows with R.
    g.slope_low = factor * (0.5 / g.high - 1 / (d - g.high) + 1 / (1 - g.low));
    g.slope_high = factor * (0.5 / g.low - 1 / (d - g.low) + 1 / (1 - g.high));
    const double ratio = (d - g.R) / (1 - g.R);
    g.odds = g.R * ratio * ratio;
    return g;
}

inline bool sound(const Group& g) {
    return (g.low > guard) & (g.high < 1 - guard);
}

// no, yes or undecided, for log kappa_2 - log kappa_1 within [least, most] against thresholds down * D and up * D,
// D within [D_low, D_high].
inline double verdict(bool is_sound, double least, double most, double D_low, double D_high, double down, double up) {
    const double up_least = smaller(up * D_low, up * D_high);
    const double up_most = larger(up * D_low, up * D_high);
    const double down_least = smaller(down * D_low, down * D_high);
    const double down_most = larger(down * D_low, down * D_high);
    const bool exceeds = (least > up_most) | (most < down_least);
    const bool stays = (most < up_least) & (least > down_most);
    return (is_sound & exceeds) ? 1.0 : (is_sound & stays) ? 0.0 : 2.0;
}

// Everything that the loop reads is a local value: the compiler makes vector code only when it need not fear that
// writing a verdict changes a shape.
template <bool robust, bool own_thresholds>
void decide_some(const Shape& shape, const Estimates& in, std::size_t first, std::size_t count, double* verdicts) {
    const double n = shape.n, m = shape.m, d = shape.d;
    const double alpha = shape.alpha, beta = 1 - alpha;
    const double mean1 = alpha * alpha * shape.tt, mean2 = beta * beta * shape.tt;
    const double factor1 = robust ? 1 / (n * (n - 1)) : 1 / (n * n);
    const double factor2 = robust ? 1 / (m * (m - 1)) : 1 / (m * m);
    const double offset1 = robust ? 1 / (n - 1) : 0;
    const double offset2 = robust ? 1 / (m - 1) : 0;
    const double A_error = in.A_error, Q_error = in.Q_error;
    const double S_error = Q_error + 2 * A_error;
    const double shared_low = shape.low, shared_high = shape.high;
    const double* low = own_thresholds ? in.low + first : in.A;
    const double* high = own_thresholds ? in.high + first : in.A;
    // Var(log v) = (d log kappa / d S)^2 * spread * V: back from S to R, then the variance of R.
    const double spread1 = 4 * n / (n - 1), spread2 = 4 * m / (m - 1);
    const double root1 = __builtin_sqrt(spread1), root2 = __builtin_sqrt(spread2);
    const double unseen = in.unseen;
    const double* A = in.A + first;
    const double* Q = in.Q + first;
    const double* V1_low = robust ? in.V1_low + first : A;
    const double* V1_high = robust ? in.V1_high + first : A;
    const double* V2_low = robust ? in.V2_low + first : A;
    const double* V2_high = robust ? in.V2_high + first : A;
    const double* shared = robust ? in.shared + first : A;
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        const Group g1 = group(mean1 + 2 * alpha * A[i] + Q[i], S_error, factor1, offset1, d);
        const Group g2 = group(mean2 - 2 * beta * A[i] + Q[i], S_error, factor2, offset2, d);
        // Q moves both groups together: only the difference of the slopes carries its error.
        const double from_Q =
            Q_error * larger(magnitude(g2.slope_high - g1.slope_low), magnitude(g2.slope_low - g1.slope_high));
        const double from_A = A_error * 2 * (alpha * g1.slope_high + beta * g2.slope_high);
        const double difference = 0.5 * logarithm(g2.odds / g1.odds);
        double margin = slack + from_Q + from_A;
        double D_low = 1, D_high = 1;
        bool is_sound = sound(g1) & sound(g2);
        if constexpr (robust) {
            const double root = larger(root1 * g1.slope_high, root2 * g2.slope_high);
            const double unseen_in_D = unseen * root;
            D_low = __builtin_sqrt(spread1 * g1.slope_low * g1.slope_low * V1_low[i] +
                                   spread2 * g2.slope_low * g2.slope_low * V2_low[i]) -
                    unseen_in_D;
            D_high = __builtin_sqrt(spread1 * g1.slope_high * g1.slope_high * V1_high[i] +
                                    spread2 * g2.slope_high * g2.slope_high * V2_high[i] + root * root * shared[i]) +
                     unseen_in_D;
            // t = difference / D: the rounding of D counts as many times as t is large.
            margin += slack * magnitude(difference);
            is_sound = is_sound & (D_low > guard);
        }
        const double down = own_thresholds ? low[i] : shared_low;
        const double up = own_thresholds ? high[i] : shared_high;
        verdicts[i] = verdict(is_sound, difference - margin, difference + margin, D_low, D_high, down, up);
    }
}

// ---- blocks

// Of some splits: y and what follows from it, as in Sums with t for c~, and the forms.
struct BlockSplits {
    double yy[splits_of_sums], ly[splits_of_sums], cross[splits_of_sums], cross_total[splits_of_sums],
        total[splits_of_sums];
    double forms[16][splits_of_sums];  // the last three of them nothing
};

void add_up_blocks(const BlockLayout& layout, const std::int32_t* products, std::size_t count, BlockSplits& sums) {
    const LowRankLayout columns = layout.columns;
    const double alpha = layout.blocks1 / (layout.blocks1 + layout.blocks2);
    for (std::size_t b = 0; b < count; ++b) {
        const std::int32_t* row = products + b * columns.columns;
        const ColumnSums of_split = column_sums(columns, alpha, row);
        sums.yy[b] = sum_of(of_split.yy);
        sums.ly[b] = sum_of(of_split.ly);
        sums.cross[b] = sum_of(of_split.cross);
        sums.cross_total[b] = sum_of(of_split.cross_total);
        sums.total[b] = sum_of(of_split.total);
        const std::int32_t* limb = row + 2 * columns.half;
        for (std::size_t j = 0; j < sizeof sums.forms / sizeof sums.forms[0]; j += lanes) {
            Doubles values = load<Doubles>(layout.unit + j) * (wide(limb + j) * 256.0 + wide(limb + form::count + j));
            if (j < 8) values += load<Doubles>(layout.third + j) * wide(limb + 2 * form::count + j);
            for (std::size_t k = 0; k < lanes; ++k) sums.forms[j + k][b] = values[k];
        }
    }
}

// One group of a split.
struct BlockSide {
    double total, pairs;   // |S|^2 less the squares of its blocks, R C; and C
    double V_low, V_high;  // of the sum of squares of its influences, as far as they are seen
    double per_total;      // how far an error of `total` moves their length
};

// Of the forms. With its members as local values the compiler makes vector code; through arrays and functions it did
// not, and everything took three times as long.
struct FormValues {
    double c, p, o, cc, ccc, cccc, ss, oo, sc, so, scc, co, occ;
};

inline FormValues form_values(const double* f, std::size_t step) {
    return {f[form::c * step],    f[form::p * step],  f[form::o * step],  f[form::cc * step], f[form::ccc * step],
            f[form::cccc * step], f[form::ss * step], f[form::oo * step], f[form::sc * step], f[form::so * step],
            f[form::scc * step],  f[form::co * step], f[form::occ * step]};
}

// L y over a group, with the sign that it has there.
struct GroupLy {
    double mean;          // over its blocks
    double with_t;        // the sum of its products with t
    double with_t_error;  // of that sum
    double beside;        // the square of its distance from its means, over both groups
};

// Of a layout, as local values.
struct BlockFacts {
    double mean2, R0, per_rows, shift;
};

// `f` has the group's sums, `bound` those of their errors. The influences are
//   n s + (P - delta n) c + o + delta c^2 = n t + r + a constant, and e: `mean` on the average, and L y beside its
//   mean.
// r is small beside n t, and its product with L y at most that of their lengths.
inline BlockSide block_side(const FormValues& f, const FormValues& bound, double Q, double mean, double blocks,
                            const GroupLy& ly, const BlockFacts& facts) {
    const double n = f.c, P = f.p, mean2 = facts.mean2, R0 = facts.R0;
    BlockSide side;
    side.total = Q + 2 * n * P + mean2 * n * n - R0 * f.cc + f.o;
    side.pairs = n * n - f.cc;
    const double delta = side.total / side.pairs - R0;
    const double beta = P - delta * n;
    const double sum = n * (P + (mean2 - R0) * n) + beta * n + f.o + delta * f.cc;
    const double V = n * n * f.ss + beta * beta * f.cc + f.oo + delta * delta * f.cccc +
                     2 * (n * (beta * f.sc + f.so + delta * f.scc) + beta * (f.co + delta * f.ccc) + delta * f.occ) +
                     mean * (2 * sum + mean * blocks);
    const double b = magnitude(beta), w = magnitude(delta);
    const double s_error = bound.p + magnitude(mean2 - R0) * bound.c;
    const double off =
        n * n * bound.ss + b * b * bound.cc + bound.oo + w * w * bound.cccc +
        2 * (n * (b * bound.sc + bound.so + w * bound.scc) + b * (bound.co + w * bound.ccc) + w * bound.occ) +
        2 * magnitude(mean) * (n * s_error + b * bound.c + bound.o + w * bound.cc);
    const double less = 1 - n * facts.per_rows, v = magnitude(less);
    const double r_sum = less * f.o + beta * n + delta * f.cc;
    const double r_error = v * bound.o + b * bound.c + w * bound.cc;
    const double rr = less * less * f.oo + beta * beta * f.cc + delta * delta * f.cccc +
                      2 * (less * (beta * f.co + delta * f.occ) + beta * delta * f.ccc) - r_sum * r_sum / blocks;
    const double rr_error = v * v * bound.oo + b * b * bound.cc + w * w * bound.cccc +
                            2 * (v * (b * bound.co + w * bound.occ) + b * w * bound.ccc) +
                            2 * r_error * magnitude(r_sum) / blocks;
    const double t_sum = P + (mean2 - R0) * n + facts.per_rows * f.o - facts.shift * blocks;
    const double t_error = s_error + facts.per_rows * bound.o;
    const double with_t = 2 * n * (ly.with_t - ly.mean * t_sum);
    const double with_t_error = 2 * n * (ly.with_t_error + magnitude(ly.mean) * t_error) +
                                2 * __builtin_sqrt((larger(rr, 0) + rr_error) * ly.beside);
    side.V_low = larger(V + with_t - off - with_t_error, 0);
    side.V_high = larger(V + with_t, 0) + off + with_t_error;
    const double bb = n * n * f.cc - 2 * n * f.ccc + f.cccc;
    side.per_total = 1.0001 * __builtin_sqrt(larger(bb, 0)) / side.pairs;
    return side;
}

template <bool own_thresholds>
void decide_blocks(const BlockLayout& layout, const BlockSplits& sums, std::size_t count, const double* low,
                   const double* high, double* verdicts) {
    const double K1 = layout.blocks1, K2 = layout.blocks2, d = layout.d;
    const double centre = layout.centre, cross_error = layout.columns.cross_error;
    const BlockFacts facts{layout.mean2, layout.R0, layout.per_rows, layout.shift};
    const double alpha = K1 / (K1 + K2);
    const double centre_of_Q = centre * alpha * K2;
    const double spread1 = 4 * K1 / (K1 - 1), spread2 = 4 * K2 / (K2 - 1);
    const double root1 = __builtin_sqrt(spread1), root2 = __builtin_sqrt(spread2);
    const double root_K1 = __builtin_sqrt(K1), root_K2 = __builtin_sqrt(K2);
    const double Q_error = layout.Q_error, A_error = layout.A_error, influence_error = layout.influence_error;
    const double S_error = Q_error + A_error;
    const double shared_low = layout.low, shared_high = layout.high;
    const FormValues bound = form_values(layout.error, 1), total = form_values(layout.total, 1);
    const double* forms = sums.forms[0];
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        // The means of L y over the two groups; the influences of the second have -e in them.
        const double in_first = sums.yy[i] + alpha * sums.total[i];
        const double mean1 = in_first / K1, mean2 = (in_first - sums.total[i]) / K2;
        const double beside = larger(sums.ly[i] - K1 * mean1 * mean1 - K2 * mean2 * mean2, 0);
        const double Q = sums.yy[i] + centre_of_Q;
        const FormValues f = form_values(forms + i, splits_of_sums);
        const FormValues g{total.c - f.c,       total.p - f.p,   total.o - f.o,    total.cc - f.cc, total.ccc - f.ccc,
                           total.cccc - f.cccc, total.ss - f.ss, total.oo - f.oo,  total.sc - f.sc, total.so - f.so,
                           total.scc - f.scc,   total.co - f.co, total.occ - f.occ};
        const double with_t_error = cross_error * __builtin_sqrt(sums.yy[i]);
        const BlockSide one = block_side(f, bound, Q, mean1 + centre * (1 - alpha), K1,
                                         {mean1, sums.cross[i], with_t_error, beside}, facts);
        const BlockSide two = block_side(g, bound, Q, mean2 + centre * alpha, K2,
                                         {mean2, sums.cross[i] - sums.cross_total[i], with_t_error, beside}, facts);
        const Group g1 = group(one.total, S_error, 1 / one.pairs, 0, d);
        const Group g2 = group(two.total, S_error, 1 / two.pairs, 0, d);
        const double from_Q =
            Q_error * larger(magnitude(g2.slope_high - g1.slope_low), magnitude(g2.slope_low - g1.slope_high));
        const double from_A = A_error * (g1.slope_high + g2.slope_high);
        const double difference = 0.5 * logarithm(g2.odds / g1.odds);
        const double margin = slack + slack * magnitude(difference) + from_Q + from_A;
        const double root = larger(root1 * g1.slope_high, root2 * g2.slope_high);
        // What is not seen of e moves `total` with it: together they are what an oblique projection leaves of it, along
        // the changes of the influences with `total` and so that the influences of a group still add up to 0. Apart
        // from that L y, as it is rounded, does not quite add up to 0.
        const double stretch = larger(one.per_total * root_K1, two.per_total * root_K2);
        const double unseen =
            root * (influence_error * stretch + (A_error + magnitude(sums.total[i])) * (one.per_total + two.per_total));
        const double D_low = __builtin_sqrt(spread1 * g1.slope_low * g1.slope_low * one.V_low +
                                            spread2 * g2.slope_low * g2.slope_low * two.V_low) -
                             unseen;
        const double D_high =
            __builtin_sqrt(spread1 * g1.slope_high * g1.slope_high * one.V_high +
                           spread2 * g2.slope_high * g2.slope_high * two.V_high + root * root * beside) +
            unseen;
        const bool is_sound = sound(g1) & sound(g2) & (D_low > guard);
        const double down = own_thresholds ? low[i] : shared_low;
        const double up = own_thresholds ? high[i] : shared_high;
        verdicts[i] = verdict(is_sound, difference - margin, difference + margin, D_low, D_high, down, up);
    }
}

}  // namespace

void block_low_rank(const BlockLayout& layout, const std::int32_t* products, std::size_t count, const double* low,
                    const double* high, std::uint8_t* verdicts) {
    BlockSplits sums;
    double values[splits_of_sums];
    for (std::size_t first = 0; first < count; first += splits_of_sums) {
        const std::size_t size = count - first < splits_of_sums ? count - first : splits_of_sums;
        add_up_blocks(layout, products + first * layout.columns.columns, size, sums);
        if (low != nullptr)
            decide_blocks<true>(layout, sums, size, low + first, high + first, values);
        else
            decide_blocks<false>(layout, sums, size, nullptr, nullptr, values);
        for (std::size_t i = 0; i < size; ++i) verdicts[first + i] = (std::uint8_t)values[i];
    }
}

void low_rank(const LowRankLayout& layout, const Shape& shape, const std::int32_t* products, std::size_t count,
              double* A, double* Q, double* V1_low, double* V1_high, double* V2_low, double* V2_high, double* shared) {
    if (shape.robust)
        low_rank_robust(layout, shape, products, count, A, Q, V1_low, V1_high, V2_low, V2_high, shared);
    else
        low_rank_plain(layout, shape, products, count, A, Q);
}

void decide(const Shape& shape, const Estimates& estimates, std::size_t count, std::uint8_t* verdicts) {
    constexpr std::size_t at_once = 256;
    double values[at_once];
    for (std::size_t first = 0; first < count; first += at_once) {
        const std::size_t size = count - first < at_once ? count - first : at_once;
        const bool own = estimates.low != nullptr;
        const auto some = shape.robust ? (own ? decide_some<true, true> : decide_some<true, false>)
                                       : (own ? decide_some<false, true> : decide_some<false, false>);
        some(shape, estimates, first, size, values);
        for (std::size_t i = 0; i < size; ++i) verdicts[first + i] = (std::uint8_t)values[i];
    }
}

}  // namespace wordbreadth::engine::cpu::WORDBREADTH_ISA
