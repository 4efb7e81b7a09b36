// The GPU's verdicts hold for everything within the errors they were given. Host code: it runs without a GPU.
#include "engine/verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace wordbreadth::engine::cuda {
namespace {

double log_v(double R, double d) {
    const double r = std::sqrt(R);
    return std::log((1 - R) / (r * (d - R)));
}

double slope(double R, double d) {
    const double r = std::sqrt(R);
    return (1 / r - 2 * r / (d - R) + 2 * r / (1 - R)) / (2 * r);
}

// The statistic from |s1|^2, |s2|^2 and the groups' sums of squares, straight from the method.
double statistic(bool robust, double n, double m, double d, double S1, double S2, double V1, double V2) {
    if (!robust) return log_v(S1 / (n * n), d) - log_v(S2 / (m * m), d);
    const double R1 = (S1 - n) / (n * (n - 1));
    const double R2 = (S2 - m) / (m * (m - 1));
    const double of_R1 = 4 * V1 / (n - 1) / ((n - 1) * (n - 1) * n);
    const double of_R2 = 4 * V2 / (m - 1) / ((m - 1) * (m - 1) * m);
    const double variance = std::pow(slope(R1, d), 2) * of_R1 + std::pow(slope(R2, d), 2) * of_R2;
    return (log_v(R1, d) - log_v(R2, d)) / std::sqrt(variance);
}

struct Tallied {
    int decided = 0;
    int all = 0;
};

// Draws estimates with errors, judges them, and holds every verdict against values drawn from within the errors.
template <bool robust, class Real>
Tallied hold_verdicts(double largest_error, Real slack) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0, 1);
    const auto between = [&](double low, double high) { return low + (high - low) * uniform(random); };
    Tallied tallied;
    for (int trial = 0; trial < 4000; ++trial) {
        const double n = std::floor(between(3, 300));
        const double m = uniform(random) < 0.5 ? n : std::floor(between(3, 300));
        const double d = std::floor(between(2, 1500));
        const double R = between(0.02, 0.97);
        const double near = std::min(0.99, std::max(0.01, R * (1 + between(-0.05, 0.05))));
        Estimate<Real> in{};
        in.S1 = Real(robust ? R * n * (n - 1) + n : R * n * n);
        in.S2 = Real(robust ? near * m * (m - 1) + m : near * m * m);
        const double least = std::min(n, m) * std::min(n, m);
        in.from_Q = Real(largest_error * uniform(random) * least);
        in.from_A1 = Real(0.01 * largest_error * uniform(random) * least + 2e-7 * in.S1);
        in.from_A2 = Real(0.01 * largest_error * uniform(random) * least + 2e-7 * in.S2);
        const double V1 = between(0.5, 2) * n * n;
        const double V2 = between(0.5, 2) * m * m;
        const double V_error = largest_error * uniform(random);
        const double shared = robust ? largest_error * uniform(random) * std::min(V1, V2) : 0;
        in.shared = Real(shared * 1.000001);
        in.V1_low = Real(V1 * (1 - V_error));
        in.V1_high = Real(V1 * (1 + V_error));
        in.V2_low = Real(V2 * (1 - V_error));
        in.V2_high = Real(V2 * (1 + V_error));
        const double centre = statistic(robust, n, m, d, double(in.S1), double(in.S2), V1, V2);
        const double scale = robust ? 1.0 : 0.05;
        const Thresholds<Real> thresholds{Real(centre - scale * between(-0.2, 1)),
                                          Real(centre + scale * between(-0.2, 1))};
        const Verdict verdict = judge<robust>(sizes_of<Real>(n, m, d, robust), in, thresholds, slack);
        ++tallied.all;
        if (verdict == undecided) continue;
        ++tallied.decided;
        for (int sample = 0; sample < 20; ++sample) {
            const double Q = double(in.from_Q) * (sample < 2 ? 2 * sample - 1 : between(-1, 1));
            const double S1 = double(in.S1) + Q + double(in.from_A1) * between(-1, 1);
            const double S2 = double(in.S2) + Q + double(in.from_A2) * between(-1, 1);
            const double of_first = uniform(random);
            const double value =
                statistic(robust, n, m, d, S1, S2, V1 * (1 + V_error * between(-1, 1)) + of_first * shared,
                          V2 * (1 + V_error * between(-1, 1)) + (1 - of_first) * shared * uniform(random));
            const bool exceeds = value >= double(thresholds.high) || value <= double(thresholds.low);
            EXPECT_EQ(exceeds, verdict == yes)
                << "n " << n << " m " << m << " d " << d << " R " << R << " value " << value;
        }
    }
    return tallied;
}

TEST(CudaVerdict, HoldsForEveryValueWithinTheErrorsInFloat64) {
    for (const double error : {0.0, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.05, 0.2, 0.5}) {
        hold_verdicts<false>(error, 1e-8);
        hold_verdicts<true>(error, 1e-8);
    }
}

TEST(CudaVerdict, HoldsForEveryValueWithinTheErrorsInFloat32) {
    for (const double error : {0.0, 1e-6, 1e-4, 1e-2, 0.2}) hold_verdicts<false>(error, 5e-6F);
}

// As the screens do, which leave a small R to float64.
TEST(CudaVerdict, HoldsForTheRobustStatisticInFloat32) {
    for (const double error : {0.0, 1e-6, 1e-4, 1e-2, 0.2}) hold_verdicts<true>(error, 5e-6F);
}

TEST(CudaVerdict, DecidesNearlyAllWhenTheErrorsAreSmall) {
    const Tallied small = hold_verdicts<false>(1e-6, 1e-8);
    EXPECT_GT(small.decided, 0.97 * small.all);
    const Tallied robust = hold_verdicts<true>(1e-6, 1e-8);
    EXPECT_GT(robust.decided, 0.95 * robust.all);
}

// Pairs at random with a few columns that are nearly all of K, and splits of them: everything by its definition beside
// what the screen by leading columns makes of its sums.
TEST(CudaVerdict, LeadingColumnsEncloseTheRobustStatistic) {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    int decided = 0, all = 0;
    for (const int n : {3, 8, 20, 61})
        for (const int m : {3, 20, 37})
            for (const double noise : {0.0, 1e-3, 1e-2}) {
                constexpr int d = 4;
                const int N = n + m;
                const double alpha = static_cast<double>(n) / N;
                const auto row = [&](std::vector<double>& of, int i) { return &of[static_cast<std::size_t>(i * d)]; };
                std::vector<double> Z(static_cast<std::size_t>(N * d)), mean(d);
                for (int i = 0; i < N; ++i) {
                    double length = 0;
                    for (int k = 0; k < d; ++k) length += std::pow(row(Z, i)[k] = 0.4 * normal(random) + (k == 0), 2);
                    for (int k = 0; k < d; ++k) mean[k] += (row(Z, i)[k] /= std::sqrt(length)) / N;
                }
                double tt = 0, c2_total = 0, off2 = 0;
                for (const double value : mean) tt += value * value * N * N;
                std::vector<double> c(N), L(Z.size()), centred(Z.size());
                for (int i = 0; i < N; ++i)
                    for (int k = 0; k < d; ++k) {
                        row(centred, i)[k] = row(Z, i)[k] - mean[k];
                        c[i] += row(centred, i)[k] * mean[k] * N;
                        row(L, i)[k] = row(centred, i)[k] + noise * normal(random);
                    }
                for (int i = 0; i < N; ++i) {
                    c2_total += c[i] * c[i];
                    for (int j = 0; j < N; ++j) {
                        double off = 0;
                        for (int k = 0; k < d; ++k)
                            off += row(centred, i)[k] * row(centred, j)[k] - row(L, i)[k] * row(L, j)[k];
                        off2 += off * off;
                    }
                }
                std::vector<int> group(N);
                for (int i = 0; i < N; ++i) group[i] = i < n ? 0 : 1;
                for (int split = 0; split < 20; ++split) {
                    std::shuffle(group.begin(), group.end(), random);
                    double s[2][d] = {}, y[d] = {}, S[2] = {}, V[2] = {}, means[2] = {};
                    for (int i = 0; i < N; ++i)
                        for (int k = 0; k < d; ++k) {
                            s[group[i]][k] += row(Z, i)[k];
                            y[k] += ((group[i] == 0) - alpha) * row(L, i)[k];
                        }
                    LeadingSums<double> sums{};
                    for (int i = 0; i < N; ++i) {
                        double Ly = 0, product = 0;
                        for (int k = 0; k < d; ++k) {
                            Ly += row(L, i)[k] * y[k];
                            product += row(Z, i)[k] * s[group[i]][k];
                        }
                        sums.length2 += Ly * Ly;
                        sums.total += Ly;
                        sums.cross_total += c[i] * Ly;
                        if (group[i] == 0) {
                            sums.A += c[i];
                            sums.c2 += c[i] * c[i];
                            sums.cross += c[i] * Ly;
                        }
                        S[group[i]] += product;
                        V[group[i]] += product * product;
                    }
                    for (const double value : y) sums.yy += value * value;
                    for (int k = 0; k < 2; ++k) {
                        means[k] = S[k] / (k == 0 ? n : m);
                        V[k] -= S[k] * means[k];
                    }
                    const double q2 = static_cast<double>(n) * m / N;
                    Estimate<double> in{};
                    in.S1 = alpha * alpha * tt + 2 * alpha * sums.A + sums.yy;
                    in.S2 = (1 - alpha) * (1 - alpha) * tt - 2 * (1 - alpha) * sums.A + sums.yy;
                    in.from_Q = std::sqrt(off2) * q2 + 1e-9;
                    in.unseen = std::sqrt(off2 * q2) + 1e-9;
                    const Sizes<double> sizes = sizes_of<double>(n, m, d, true);
                    add_leading_spread(sizes, sums, c2_total, 1e-9, in);
                    const Enclosure<double> found = enclose<true>(sizes, in, 1e-8);
                    ++all;
                    if (!found.is_sound) continue;
                    ++decided;
                    const double t = statistic(true, n, m, d, S[0], S[1], V[0], V[1]);
                    EXPECT_LE(std::min(found.least / found.D_low, found.least / found.D_high), t + 1e-9);
                    EXPECT_GE(std::max(found.most / found.D_low, found.most / found.D_high), t - 1e-9);
                }
            }
    EXPECT_GT(decided, all / 2);
}

TEST(CudaVerdict, LeavesWhatIsDegenerateOrNotANumber) {
    const Sizes<double> sizes = sizes_of<double>(10, 10, 50, false);
    const Thresholds<double> thresholds{-1, 1};
    Estimate<double> in{};
    in.S1 = 100;  // R = 1
    in.S2 = 30;
    EXPECT_EQ(judge<false>(sizes, in, thresholds, 1e-8), undecided);
    in.S1 = 0;
    EXPECT_EQ(judge<false>(sizes, in, thresholds, 1e-8), undecided);
    in.S1 = std::nan("");
    EXPECT_EQ(judge<false>(sizes, in, thresholds, 1e-8), undecided);
    in.S1 = 40;
    in.from_Q = std::nan("");
    EXPECT_EQ(judge<false>(sizes, in, thresholds, 1e-8), undecided);
    in.from_Q = INFINITY;
    EXPECT_EQ(judge<false>(sizes, in, thresholds, 1e-8), undecided);
}

}  // namespace
}  // namespace wordbreadth::engine::cuda
