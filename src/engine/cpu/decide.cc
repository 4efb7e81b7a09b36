// Turning estimates and their errors into verdicts. See kernels.h and kernels_each.h.
#include "engine/cpu/kernels_each.h"

namespace wordbreadth::cpu::WORDBREADTH_ISA {
namespace {

// log x to about 1e-13, for positive normal x; only here to be vectorised.
inline double logarithm(double x) {
    union Bits {
        double value;
        std::uint64_t bits;
    };
    const Bits in{x};
    // Halve the mantissa of [sqrt 2, 2) so that it lies about 1.
    const std::uint64_t shifted = in.bits + (0x3FF0000000000000 - 0x3FE6A09E667F3BCD);
    Bits exponent, mantissa;
    exponent.bits = (shifted >> 52) | 0x4330000000000000;
    mantissa.bits = (shifted & 0x000FFFFFFFFFFFFF) + 0x3FE6A09E667F3BCD;
    const double e = exponent.value - (4503599627370496.0 + 1023.0);
    const double s = (mantissa.value - 1) / (mantissa.value + 1);
    const double s2 = s * s;
    const double series =
        1 + s2 * (1.0 / 3 +
                  s2 * (1.0 / 5 + s2 * (1.0 / 7 + s2 * (1.0 / 9 + s2 * (1.0 / 11 + s2 * (1.0 / 13 + s2 / 15))))));
    return e * 0.693147180559945309417 + 2 * s * series;
}

// Closer to a threshold than this nothing is decided: it covers the rounding of this file and of the float64
// definition, which the guards below keep under 1e-9.
constexpr double slack = 1e-8;
constexpr double guard = 1e-5;  // of R and of 1 - R

struct Group {
    double R, low, high;              // R = r^2 (plain) or the unbiased mean cosine (robust), and its bounds
    double slope_low, slope_high;     // bounds of d log kappa / d S
    double odds;                      // kappa^2 up to a constant
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

inline bool sound(const Group& g) { return (g.low > guard) & (g.high < 1 - guard); }

// no, yes or undecided, for log kappa_2 - log kappa_1 within [low, high] against thresholds low_t * D and high_t * D,
// D within [D_low, D_high].
inline double verdict(bool is_sound, double low, double high, double D_low, double D_high, const Shape& shape) {
    const double up_least = smaller(shape.high * D_low, shape.high * D_high);
    const double up_most = larger(shape.high * D_low, shape.high * D_high);
    const double down_least = smaller(shape.low * D_low, shape.low * D_high);
    const double down_most = larger(shape.low * D_low, shape.low * D_high);
    const bool exceeds = (low > up_most) | (high < down_least);
    const bool stays = (high < up_least) & (low > down_most);
    return is_sound & exceeds ? yes : is_sound & stays ? no : undecided;
}

constexpr std::size_t chunk = 256;

void decide_chunk(const Shape& shape, const Estimates& in, std::size_t first, std::size_t count, double* verdicts) {
    const double n = shape.n;
    const double m = shape.m;
    const double alpha = shape.alpha;
    const double beta = 1 - alpha;
    const double factor1 = shape.robust ? 1 / (n * (n - 1)) : 1 / (n * n);
    const double factor2 = shape.robust ? 1 / (m * (m - 1)) : 1 / (m * m);
    const double offset1 = shape.robust ? 1 / (n - 1) : 0;
    const double offset2 = shape.robust ? 1 / (m - 1) : 0;
    const double S_error = in.Q_error + 2 * in.A_error;
    // Var(log v) = (d log kappa / d S)^2 * spread * V: back from S to R, then the variance of R.
    const double spread1 = 4 * n / (n - 1);
    const double spread2 = 4 * m / (m - 1);
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t b = first + i;
        const Group g1 =
            group(alpha * alpha * shape.tt + 2 * alpha * in.A[b] + in.Q[b], S_error, factor1, offset1, shape.d);
        const Group g2 =
            group(beta * beta * shape.tt - 2 * beta * in.A[b] + in.Q[b], S_error, factor2, offset2, shape.d);
        // Q moves both groups together: only the difference of the slopes carries its error.
        const double from_Q =
            in.Q_error * larger(magnitude(g2.slope_high - g1.slope_low), magnitude(g2.slope_low - g1.slope_high));
        const double from_A = in.A_error * 2 * (alpha * g1.slope_high + beta * g2.slope_high);
        const double difference = 0.5 * logarithm(g2.odds / g1.odds);
        double D_low = 1;
        double D_high = 1;
        double margin = slack + from_Q + from_A;
        bool is_sound = sound(g1) & sound(g2);
        if (shape.robust) {
            D_low = __builtin_sqrt(spread1 * g1.slope_low * g1.slope_low * in.V1_low[b] +
                                   spread2 * g2.slope_low * g2.slope_low * in.V2_low[b]);
            D_high = __builtin_sqrt(spread1 * g1.slope_high * g1.slope_high * in.V1_high[b] +
                                    spread2 * g2.slope_high * g2.slope_high * in.V2_high[b]);
            // t = difference / D: the rounding of D counts as many times as t is large.
            margin += slack * magnitude(difference);
            is_sound = is_sound & (D_low > guard);
        }
        verdicts[i] = verdict(is_sound, difference - margin, difference + margin, D_low, D_high, shape);
    }
}

}  // namespace

void decide(const Shape& shape, const Estimates& estimates, std::size_t count, std::uint8_t* verdicts) {
    double values[chunk];
    for (std::size_t first = 0; first < count; first += chunk) {
        const std::size_t size = count - first < chunk ? count - first : chunk;
        decide_chunk(shape, estimates, first, size, values);
        for (std::size_t i = 0; i < size; ++i) verdicts[first + i] = (std::uint8_t)values[i];
    }
}

}  // namespace wordbreadth::cpu::WORDBREADTH_ISA
