// From what a screen knows of a split to a verdict on it, in the screen's own precision: for the GPU's screens and for
// that of blocks. The mathematics is that of engine/cpu/screen_kernels.cc. Plain functions for host and device.
#pragma once

#include <cmath>
#include <cstdint>

#include "geometry/tolerances.h"

#if defined(__CUDACC__)
#define WORDBREADTH_BOTH __host__ __device__ inline
#else
#define WORDBREADTH_BOTH inline
#endif

namespace wordbreadth::engine {

enum Verdict : std::uint32_t { no = 0, yes = 1, undecided = 2 };

// What decides a split, common to all pairs of a job.
template <class Real>
struct Sizes {
    Real n, m, d;
    Real alpha, beta;       // n / N, m / N
    Real factor1, factor2;  // R = factor |s|^2 - offset
    Real offset1, offset2;  // 0 except for the robust statistic
    Real spread1, spread2;  // Var(log v) = (d log kappa / d |s|^2)^2 spread V; robust only
};

template <class Real>
WORDBREADTH_BOTH Sizes<Real> sizes_of(double n, double m, double d, bool robust) {
    return {.n = Real(n),
            .m = Real(m),
            .d = Real(d),
            .alpha = Real(n / (n + m)),
            .beta = Real(m / (n + m)),
            .factor1 = Real(robust ? 1 / (n * (n - 1)) : 1 / (n * n)),
            .factor2 = Real(robust ? 1 / (m * (m - 1)) : 1 / (m * m)),
            .offset1 = Real(robust ? 1 / (n - 1) : 0),
            .offset2 = Real(robust ? 1 / (m - 1) : 0),
            .spread1 = Real(4 * n / (n - 1)),
            .spread2 = Real(4 * m / (m - 1))};
}

// What a screen says of one split: |s1|^2, |s2|^2 and how far off they can be. An error of Q moves both alike, one of A
// (and every rounding) each separately.
template <class Real>
struct Estimate {
    Real S1, S2;
    Real from_Q;  // of both, alike
    Real from_A1, from_A2;
    // Robust only: bounds of the groups' sums of squares about their means; of the length of what was not seen; and of
    // the sum of squares that either group's may be larger by, or both together.
    Real V1_low, V1_high, V2_low, V2_high, unseen, shared;
};

// Where a statistic exceeds: <= low or >= high; -inf, inf where the alternative has none.
template <class Real>
struct Thresholds {
    Real low, high;
};

namespace detail {

WORDBREADTH_BOTH float inverse(float x) {
#if defined(__CUDA_ARCH__)
    return __fdividef(1.0F, x);
#else
    return 1.0F / x;
#endif
}
WORDBREADTH_BOTH double inverse(double x) {
    return 1.0 / x;
}

WORDBREADTH_BOTH float half_log(float x) {
#if defined(__CUDA_ARCH__)
    return 0.34657359F * __log2f(x);
#else
    return 0.34657359F * std::log2(x);
#endif
}
WORDBREADTH_BOTH double half_log(double x) {
    return 0.5 * log(x);
}

template <class Real>
WORDBREADTH_BOTH Real smaller(Real a, Real b) {
    return a < b ? a : b;
}
template <class Real>
WORDBREADTH_BOTH Real larger(Real a, Real b) {
    return a > b ? a : b;
}
template <class Real>
WORDBREADTH_BOTH Real magnitude(Real a) {
    return a < 0 ? -a : a;
}

// How near to 0 and to 1 a mean squared length R may come and still be judged.
WORDBREADTH_BOTH float guard(float) {
    return 1e-4F;
}
WORDBREADTH_BOTH double guard(double) {
    return geometry::screen_guard;
}

// log kappa as a function of S = |s|^2, about one value: its derivatives there, and bounds over an interval.
template <class Real>
struct Group {
    Real R, low, high;
    Real first, second, third;  // derivatives
    Real fourth;                // bound of the fourth, over the interval
    Real slope_low, slope_high;
    Real per_d, per_1;  // 1 / (d - R), 1 / (1 - R)
    Real reach;         // of the interval, in units of the distance to the nearest pole
};

template <class Real>
WORDBREADTH_BOTH Group<Real> group(Real S, Real error, Real factor, Real offset, const Sizes<Real>& sizes) {
    Group<Real> g;
    g.R = factor * S - offset;
    const Real e = factor * error;
    g.low = g.R - e;
    g.high = g.R + e;
    const Real i = inverse(g.R);
    const Real j = inverse(1 - g.R);
    const Real k = inverse(sizes.d - g.R);
    const Real i2 = i * i;
    const Real j2 = j * j;
    const Real k2 = k * k;
    const Real first = Real(0.5) * i - k + j;
    const Real second = j2 - Real(0.5) * i2 - k2;
    g.reach = e * larger(i, j);
    // (1 - reach)^(-4), while reach is at most a quarter.
    const Real stretch = 1 + Real(8.65) * g.reach;
    const Real bend = e * (magnitude(second) + e * stretch * (Real(0.5) * i * i2 + j * j2));
    const Real factor2 = factor * factor;
    g.first = factor * first;
    g.second = factor2 * second;
    g.third = factor2 * factor * (i * i2 - 2 * k * k2 + 2 * j * j2);
    g.fourth = factor2 * factor2 * stretch * (3 * i2 * i2 + 6 * k2 * k2 + 6 * j2 * j2);
    g.slope_low = factor * (first - bend);
    g.slope_high = factor * (first + bend);
    g.per_d = k;
    g.per_1 = j;
    return g;
}

template <class Real>
WORDBREADTH_BOTH bool sound(const Group<Real>& g) {
    return g.low > guard(g.R) && g.high < 1 - guard(g.R) && g.reach <= Real(0.25);
}

}  // namespace detail

// What a split's statistic lies within: the difference of the log breadths within [least, most], divided by something
// within [D_low, D_high]. Nothing is known of it unless it is sound.
template <class Real>
struct Enclosure {
    Real least, most;
    Real D_low, D_high;  // 1 for the plain statistic
    bool is_sound;
};

// `slack` covers the rounding of this function itself, in the difference of the log breadths.
template <bool robust, class Real>
WORDBREADTH_BOTH Enclosure<Real> enclose(const Sizes<Real>& sizes, const Estimate<Real>& in, Real slack) {
    using namespace detail;
    constexpr Enclosure<Real> unsound{};
    const Group<Real> g1 = group(in.S1, in.from_Q + in.from_A1, sizes.factor1, sizes.offset1, sizes);
    const Group<Real> g2 = group(in.S2, in.from_Q + in.from_A2, sizes.factor2, sizes.offset2, sizes);
    if (!(sound(g1) && sound(g2))) return unsound;
    // Q moves both groups together: what it does to the one is nearly what it does to the other, so that a Taylor
    // series of the difference is a hundred times narrower than the intervals of the two.
    const Real e = in.from_Q;
    const Real moved = e * (magnitude(g2.first - g1.first) +
                            e * (Real(0.5) * magnitude(g2.second - g1.second) +
                                 e * (magnitude(g2.third - g1.third) / 6 + e * ((g1.fourth + g2.fourth) / 24))));
    Real margin = slack + moved + in.from_A1 * g1.slope_high + in.from_A2 * g2.slope_high;
    const Real ratio = (sizes.d - g2.R) * g1.per_d * (1 - g1.R) * g2.per_1;
    const Real difference = half_log(g2.R * inverse(g1.R) * (ratio * ratio));
    Real D_low = 1;
    Real D_high = 1;
    if constexpr (robust) {
        using std::sqrt;
        const Real root = larger(sqrt(sizes.spread1) * g1.slope_high, sqrt(sizes.spread2) * g2.slope_high);
        const Real low1 = g1.slope_low * g1.slope_low * sizes.spread1 * in.V1_low;
        const Real low2 = g2.slope_low * g2.slope_low * sizes.spread2 * in.V2_low;
        const Real high1 = g1.slope_high * g1.slope_high * sizes.spread1 * in.V1_high;
        const Real high2 = g2.slope_high * g2.slope_high * sizes.spread2 * in.V2_high;
        // t = difference / D: the rounding of D counts as many times as t is large.
        D_low = sqrt(low1 + low2) * (1 - slack) - in.unseen * root;
        D_high = sqrt(high1 + high2 + root * root * in.shared) * (1 + slack) + in.unseen * root;
        margin += slack * magnitude(difference);
        if (!(D_low > guard(D_low)) || !(g1.slope_low > 0 && g2.slope_low > 0)) return unsound;
    }
    return {difference - margin, difference + margin, D_low, D_high, true};
}

// What leading columns L of K tell of a split of the robust statistic; y = L^T q.
template <class Real>
struct LeadingSums {
    Real A, c2;               // c~ and its squares over the first group
    Real yy;                  // |y|^2
    Real length2;             // bound of |L y|^2
    Real total;               // 1 . L y
    Real cross, cross_total;  // c~ . L y over the first group, and over both
};

// The groups' sums of squares about their means, of alpha c~ + L y in the first and beta c~ - L y in the second, each
// off by at most `off`. L y about its means is as long as 0 to |L y|: that is small beside c~. What L leaves of K is
// unseen, except for a multiple of q, which is the same throughout a group.
template <class Real>
WORDBREADTH_BOTH void add_leading_spread(const Sizes<Real>& sizes, const LeadingSums<Real>& sums, Real c2_total,
                                         Real off, Estimate<Real>& estimate) {
    using namespace detail;
    const Real in_first = sums.yy + sizes.alpha * sums.total;  // the sum of L y over the first group
    const Real mean1 = sums.A / sizes.n;
    const Real mean2 = sums.A / sizes.m;
    const Real c_first = sums.c2 - sums.A * mean1;
    const Real c_second = (c2_total - sums.c2) - sums.A * mean2;
    const Real x_first = sums.cross - mean1 * in_first;
    const Real x_second = (sums.cross_total - sums.cross) + mean2 * (sums.total - in_first);
    const Real first = sizes.alpha * (sizes.alpha * c_first + 2 * x_first);
    const Real second = sizes.beta * (sizes.beta * c_second - 2 * x_second);
    estimate.V1_low = larger(first - off, Real(0));
    estimate.V2_low = larger(second - off, Real(0));
    estimate.V1_high = larger(first + off, Real(0));
    estimate.V2_high = larger(second + off, Real(0));
    estimate.shared = sums.length2;
}

template <class Real>
WORDBREADTH_BOTH Verdict verdict_on(const Enclosure<Real>& in, const Thresholds<Real>& thresholds) {
    using namespace detail;
    if (!in.is_sound) return undecided;
    const Real up_least = smaller(thresholds.high * in.D_low, thresholds.high * in.D_high);
    const Real up_most = larger(thresholds.high * in.D_low, thresholds.high * in.D_high);
    const Real down_least = smaller(thresholds.low * in.D_low, thresholds.low * in.D_high);
    const Real down_most = larger(thresholds.low * in.D_low, thresholds.low * in.D_high);
    if (in.least > up_most || in.most < down_least) return yes;
    if (in.most < up_least && in.least > down_most) return no;
    return undecided;
}

template <bool robust, class Real>
WORDBREADTH_BOTH Verdict judge(const Sizes<Real>& sizes, const Estimate<Real>& in, const Thresholds<Real>& thresholds,
                               Real slack) {
    return verdict_on(enclose<robust>(sizes, in, slack), thresholds);
}

// ---- blocks: the same from sums over the blocks of a group; BlockScreen in engine/cpu/cascade.h says what a is

struct GroupInfluence {
    double a, aa, ab;  // of a, of its squares, of its products with b = c (n - c)
};

struct BlockGroup {
    double pairs;            // C: of rows from different blocks
    double total;            // R C
    double V_low, V_high;    // of the sum of the squared influences
    double influence_error;  // of their length, for each unit that `total` is off
};

// Of n rows in blocks whose numbers of rows have these sums of powers. `rounding`: of the sums, relative to what was
// added up: that of `whole`, where they are what one group leaves of both.
WORDBREADTH_BOTH BlockGroup block_group(double n, double c2, double c3, double c4, const GroupInfluence& sums,
                                        double R0, double rounding, const GroupInfluence& whole) {
    const double pairs = n * n - c2;
    const double delta = sums.a / pairs;
    const double bb = n * n * c2 - 2 * n * c3 + c4;
    const double V = sums.aa - 2 * delta * sums.ab + delta * delta * bb;
    const double off = rounding * (whole.aa + 2 * detail::magnitude(delta) * sqrt(whole.aa * bb) + delta * delta * bb);
    return {pairs, sums.a + R0 * pairs, detail::larger(V - off, 0.0), detail::larger(V, 0.0) + off, sqrt(bb) / pairs};
}

struct BlockErrors {
    double length;                // of all influences of a split
    double from_Q;                // of both groups' sums of a, alike
    double from_sum1, from_sum2;  // of the one's and of the other's
};

WORDBREADTH_BOTH Enclosure<double> enclose_block_groups(const BlockGroup& one, const BlockGroup& two, double blocks1,
                                                        double blocks2, double d, const BlockErrors& errors) {
    Estimate<double> estimate{};
    estimate.S1 = one.total;
    estimate.S2 = two.total;
    estimate.from_Q = errors.from_Q;
    estimate.from_A1 = errors.from_sum1;
    estimate.from_A2 = errors.from_sum2;
    estimate.V1_low = one.V_low;
    estimate.V1_high = one.V_high;
    estimate.V2_low = two.V_low;
    estimate.V2_high = two.V_high;
    estimate.unseen = errors.length;
    Sizes<double> sizes{};
    sizes.d = d;
    sizes.factor1 = 1 / one.pairs;
    sizes.factor2 = 1 / two.pairs;
    sizes.spread1 = 4 * blocks1 / (blocks1 - 1);
    sizes.spread2 = 4 * blocks2 / (blocks2 - 1);
    return enclose<true>(sizes, estimate, 1e-8);
}

// `off` bounds the length of what all the a of a split are off, `of_sum` what a sum of them is off besides.
WORDBREADTH_BOTH Enclosure<double> enclose_block_groups(const BlockGroup& one, const BlockGroup& two, double blocks1,
                                                        double blocks2, double d, double off, double of_sum) {
    const double sum1 = off * sqrt(blocks1) + of_sum;
    const double sum2 = off * sqrt(blocks2) + of_sum;
    return enclose_block_groups(one, two, blocks1, blocks2, d,
                                {off + sum1 * one.influence_error + sum2 * two.influence_error, 0, sum1, sum2});
}

}  // namespace wordbreadth::engine
