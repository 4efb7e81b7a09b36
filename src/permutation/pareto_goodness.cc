#include "permutation/pareto_goodness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "permutation/philox.h"

namespace wordbreadth::permutation {
namespace {

// Drawing stops at the h-th sample that fits worse (p = h / L, Besag and Clifford 1991). With h = 20 of 400 a
// stop means p >= 0.05: drawing ends early exactly when the fit is accepted at that level.
constexpr std::uint32_t worse_fits_needed = 20;
constexpr std::uint32_t most_samples = 400;
// A fit whose p is 0.05 or more has no worse one among this many with a chance under 0.006; giving up spares the
// rest of the samples on each of many thresholds.
constexpr std::uint32_t hopeless_after = 100;

// Uniform on (0, 1), never an end.
double uniform(std::uint32_t word) {
    return (static_cast<double>(word) + 0.5) * 0x1p-32;
}

// Sample number `index` of the distribution with this shape and scale 1 (A^2 does not depend on the scale), sorted.
void draw(double shape, std::uint32_t index, std::span<double> sample) {
    constexpr std::array<std::uint32_t, 2> key{0x7A11F175,
                                               0x9A4E7057};  // any constant: the samples are always the same
    for (std::size_t i = 0; i < sample.size(); i += 4) {
        const auto words = philox({static_cast<std::uint32_t>(i / 4), index, 0, 0}, key);
        for (std::size_t lane = 0; lane < 4 && i + lane < sample.size(); ++lane) {
            const double exponential = -std::log(uniform(words[lane]));
            sample[i + lane] = shape == 0 ? exponential : std::expm1(shape * exponential) / shape;
        }
    }
    std::sort(sample.begin(), sample.end());
}

}  // namespace

double anderson_darling(std::span<const double> ascending, const Pareto& fit) {
    const std::size_t n = ascending.size();
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double log_above = fit.log_survival(ascending[i]);
        const double log_below = std::log(-std::expm1(log_above));
        sum += (2 * static_cast<double>(i) + 1) * log_below + (2 * static_cast<double>(n - i) - 1) * log_above;
    }
    const double a2 = -static_cast<double>(n) - sum / static_cast<double>(n);
    return std::isnan(a2) ? std::numeric_limits<double>::infinity() : a2;
}

double goodness_of_fit(std::span<const double> ascending, const Pareto& fit) {
    const double observed = anderson_darling(ascending, fit);
    if (std::isinf(observed)) return 0;
    std::vector<double> sample(ascending.size());
    std::uint32_t worse = 0;
    for (std::uint32_t index = 1; index <= most_samples; ++index) {
        draw(fit.shape, index, sample);
        const std::optional<Pareto> refit = fit_pareto(sample);
        if (refit && anderson_darling(sample, *refit) >= observed) ++worse;
        if (worse == worse_fits_needed) return static_cast<double>(worse) / index;
        if (worse == 0 && index == hopeless_after) return 1.0 / (index + 1);
    }
    return static_cast<double>(1 + worse) / (most_samples + 1);
}

}  // namespace wordbreadth::permutation
