// What the two kernels that hold splits against K have in common: what they add up, and the verdict on it.
#pragma once

#include "engine/cuda/device.cuh"

namespace wordbreadth::engine::cuda::gram {

struct GramSettings : Step {
    Sizes<double> sizes;
    int from, to;    // from < 0: all splits of the chunk
    int limbs_of_K;  // 1, or 2 with its rest

    [[nodiscard]] __device__ double gram_error(const PairFacts& facts) const {
        return facts.gram_error[limbs_of_K - 1];
    }
    [[nodiscard]] __device__ const float* K_sums(int pair) const {
        return batch.K_sums + (static_cast<std::size_t>(limbs_of_K - 1) * batch.pairs + pair) * batch.shape.Np;
    }
};

enum class Kind { plain, robust, blocks };

// What is added up over the rows of a split.
// plain: z . K z.
// robust: with e = K q, the sums of e, of its squares and of its products with c~ over the first group, and over both.
// blocks: the sums of a, of its squares and of its products with c (n_g - c), over the first group and over both.
template <Kind kind>
constexpr int sum_count = kind == Kind::plain ? 1 : 6;

// What is linear in a split. plain: z . c~ and z . K 1. robust: these, and the squares of c~. blocks: z . c~, and the
// powers of c over the group.
template <Kind kind>
constexpr int linear_count = kind == Kind::blocks   ? 5
                             : kind == Kind::robust ? 3
                                                    : 2;
enum Linear { with_c, with_K_sums, with_c_squares };
enum BlockLinear { group_rows = 1, group_c2, group_c3, group_c4 };

// Words of a split's mask in shared memory: one beyond the last, and an odd number, against bank conflicts.
__host__ __device__ inline int bits_stride(int words) {
    return (words + 1) | 1;
}

template <Kind kind>
struct Sums {
    float values[sum_count<kind>] = {};

    __device__ void add(float Kz, bool in_first, float mean, float c) {
        const float e = Kz - mean;
        const float e_first = in_first ? e : 0.0F;
        values[0] += e_first;
        if constexpr (kind == Kind::robust) {
            values[1] += e;
            values[2] += e_first * e_first;
            values[3] += e * e;
            values[4] += c * e_first;
            values[5] += c * e;
        }
    }

    __device__ void add_block(float Kz, bool in_first, float mean, const BlockColumns& column, const float4& of_split) {
        const float inner = Kz - mean + of_split.x - column.weight * of_split.y;
        const float a = in_first ? column.constant1 + inner : column.constant2 - inner;
        const float b = column.c * ((in_first ? of_split.z : of_split.w) - column.c);
        const float a_first = in_first ? a : 0.0F;
        values[0] += a_first;
        values[1] += a;
        values[2] += a_first * a;
        values[3] += a * a;
        values[4] += a_first * b;
        values[5] += a * b;
    }
};

// How far off what is made of K can be, the same for every split of a pair.
struct Errors {
    double sums;    // of the float32 sums, in units of their magnitudes
    double from_Q;  // of Q; not of blocks
    double unseen;  // bound of the length of what is not seen of K q, and of what c~ is off row by row
};

// K in half precision; and its products with z and with ones, added up in float32, the rest of K first.
__device__ inline Errors errors_of(const GramSettings& settings, const PairFacts& facts) {
    const Sizes<double>& sizes = settings.sizes;
    const Shape& shape = settings.batch.shape;
    const double q2 = sizes.n * sizes.m / shape.N;
    const double root_n = sqrt(sizes.n);
    const double root_N = sqrt(static_cast<double>(shape.N));
    const double of_products = 1.01 * product_rounding(shape.Np) * facts.magnitude;
    const double of_sums = 0x1p-18 * (shape.words / 8 + 1);
    return {.sums = of_sums,
            .from_Q = settings.gram_error(facts) * q2 + of_products * root_n * (root_n + 2 * sizes.alpha * root_N) +
                      of_sums * facts.magnitude * sizes.n,
            .unseen = settings.gram_error(facts) * sqrt(q2) + of_products * (root_n + sizes.alpha * root_N) +
                      2 * facts.c_error / root_n};
}

template <class Real>
__device__ inline Sizes<Real> rounded(const Sizes<double>& sizes) {
    return {Real(sizes.n),       Real(sizes.m),       Real(sizes.d),       Real(sizes.alpha),
            Real(sizes.beta),    Real(sizes.factor1), Real(sizes.factor2), Real(sizes.offset1),
            Real(sizes.offset2), Real(sizes.spread1), Real(sizes.spread2)};
}

// The groups' sums of squares about their means, of w = alpha c~ + e in the first and beta c~ - e in the second. The
// sums were added up in float32, but for those of c~ alone; those over the second group are what the first leaves of
// both. By the lengths of c~ and e:
template <class Real>
__device__ inline void add_spread(const Sizes<Real>& sizes, const PairFacts& facts, Real rounding,
                                  const double (&sums)[6], const double (&linear)[5], Estimate<Real>& estimate) {
    const auto c = Real(linear[with_c]);
    const auto cc1 = Real(linear[with_c_squares]);
    const auto cc = Real(facts.c_squares);
    const auto e1 = Real(sums[2]);
    const auto e2 = Real(sums[3]);
    const Real w1 = sizes.alpha * c + Real(sums[0]);
    const Real w2 = sizes.beta * Real(facts.c_total - linear[with_c]) - Real(sums[1] - sums[0]);
    const Real ww1 = sizes.alpha * sizes.alpha * cc1 + 2 * sizes.alpha * Real(sums[4]) + e1;
    const Real ww2 =
        sizes.beta * sizes.beta * (cc - cc1) - 2 * sizes.beta * Real(sums[5] - sums[4]) + Real(sums[3] - sums[2]);
    const Real most1 = 2 * (sizes.alpha * sizes.alpha * cc1 + e1);  // that ww1 can be
    const Real most2 = 2 * (sizes.beta * sizes.beta * cc + e2);
    constexpr Real own = sizeof(Real) == sizeof(float) ? Real(1e-6) : Real(1e-14);  // this function's rounding
    const Real off1 = rounding * (2 * sizes.alpha * sqrt(cc1 * e1) + e1 + 2 * sqrt(most1 * e1)) + own * most1;
    const Real off2 =
        rounding * (2 * sizes.beta * sqrt(cc * e2) + e2 + 2 * sqrt(most2 * e2 * (sizes.n + sizes.m) / sizes.m)) +
        own * most2;
    const Real V1 = ww1 - w1 * w1 / sizes.n;
    const Real V2 = ww2 - w2 * w2 / sizes.m;
    estimate.V1_low = detail::larger(V1 - off1, Real(0));
    estimate.V2_low = detail::larger(V2 - off2, Real(0));
    estimate.V1_high = detail::larger(V1, Real(0)) + off1;
    estimate.V2_high = detail::larger(V2, Real(0)) + off2;
}

template <bool robust, class Real>
__device__ inline Verdict judge_rows(const GramSettings& settings, const PairFacts& facts, const Errors& errors,
                                     const double (&sums)[6], const double (&linear)[5],
                                     const Thresholds<double>& thresholds) {
    const Sizes<double>& sizes = settings.sizes;
    constexpr bool is_short = sizeof(Real) == sizeof(float);
    const double A = linear[with_c];
    // The sum of K z, or of K q, over the first group to q . K q.
    const double mean = (robust ? 1 : 2) * sizes.alpha * linear[with_K_sums];
    const double Q = sums[0] - mean + sizes.alpha * sizes.alpha * facts.K_total[settings.limbs_of_K - 1];
    const Sizes<Real> own_sizes = rounded<Real>(sizes);
    Estimate<Real> estimate{};
    estimate.S1 = Real(sizes.alpha * sizes.alpha * facts.tt + 2 * sizes.alpha * A + Q);
    estimate.S2 = Real(sizes.beta * sizes.beta * facts.tt - 2 * sizes.beta * A + Q);
    estimate.from_Q = Real(1.0001 * errors.from_Q);
    estimate.from_A1 = Real(1.0001 * 2 * sizes.alpha * facts.c_error);
    estimate.from_A2 = Real(1.0001 * 2 * sizes.beta * facts.c_error);
    if constexpr (is_short) {
        // A small R would be what is left of a difference: not in float32.
        constexpr Real least = 0.05F;
        if (!(own_sizes.factor1 * estimate.S1 - own_sizes.offset1 > least &&
              own_sizes.factor2 * estimate.S2 - own_sizes.offset2 > least))
            return undecided;
        estimate.from_A1 += Real(2e-7) * estimate.S1;
        estimate.from_A2 += Real(2e-7) * estimate.S2;
    }
    if constexpr (robust) {
        add_spread(own_sizes, facts, Real(errors.sums), sums, linear, estimate);
        estimate.unseen = Real(1.0001 * errors.unseen);
    }
    Real slack = Real(1e-8);
    if constexpr (is_short) {
        const double threshold =
            fmax(isinf(thresholds.low) ? 0 : fabs(thresholds.low), isinf(thresholds.high) ? 0 : fabs(thresholds.high));
        slack = Real(5e-6 + 2e-7 * threshold);
    }
    return judge<robust>(own_sizes, estimate, Thresholds<Real>{Real(thresholds.low), Real(thresholds.high)}, slack);
}

// `a`: sums of a, of its squares and of its products over the first group and over both, as in Sums.
__device__ inline Verdict judge_blocks(const GramSettings& settings, const PairFacts& facts, const Errors& errors,
                                       const double (&a)[6], const double (&linear)[5],
                                       const Thresholds<double>& thresholds) {
    const Shape& shape = settings.batch.shape;
    const double sums_error = 2 * errors.sums;
    const double n = linear[group_rows];
    const GroupInfluence of_first{a[0], a[2], a[4]};
    const BlockGroup one =
        block_group(n, linear[group_c2], linear[group_c3], linear[group_c4], of_first, facts.R0, sums_error, of_first);
    const BlockGroup two = block_group(facts.rows - n, facts.c2 - linear[group_c2], facts.c3 - linear[group_c3],
                                       facts.c4 - linear[group_c4], {a[1] - a[0], a[3] - a[2], a[5] - a[4]}, facts.R0,
                                       sums_error, {a[1], a[3], a[5]});
    // Each a is made of a few float32 numbers, whose lengths over all blocks these bound.
    const double length = sqrt(a[3]);
    const double made_of = 2 * (length + facts.constants) +
                           fabs(n - settings.sizes.alpha * facts.rows) * facts.weights +
                           fabs(linear[with_c]) / sqrt(static_cast<double>(shape.N));
    const double off = errors.unseen + 0x1p-20 * made_of;
    const double of_sum = sums_error * length * sqrt(static_cast<double>(shape.N));
    return verdict_on(enclose_block_groups(one, two, settings.sizes.n, settings.sizes.m, settings.sizes.d, off, of_sum),
                      thresholds);
}

// `sums` and `linear` as above.
template <Kind kind>
__device__ inline void judge_split(const GramSettings& settings, const Errors& errors, int pair, int place,
                                   const double (&sums)[6], const double (&linear)[5]) {
    const PairFacts& facts = settings.batch.facts[pair];
    const PairSource& source = settings.batch.source[pair];
    const Thresholds<double> thresholds{source.low, source.high};
    Verdict verdict = undecided;
    if constexpr (kind == Kind::blocks)
        verdict = judge_blocks(settings, facts, errors, sums, linear, thresholds);
    else {
        // In float32 first: float64 takes several times as long, and few splits need it.
        verdict = judge_rows<kind == Kind::robust, float>(settings, facts, errors, sums, linear, thresholds);
        if (verdict == undecided)
            verdict = judge_rows<kind == Kind::robust, double>(settings, facts, errors, sums, linear, thresholds);
    }
    settle(settings.chunk, pair, place, verdict, settings.to);
}

// For pairs of up to 256 rows, most of whose splits come here.                              screen_resident.cu
[[nodiscard]] bool resident_fits(const Shape& shape);
void screen_resident(const GramSettings& settings, cudaStream_t stream);

}  // namespace wordbreadth::engine::cuda::gram
