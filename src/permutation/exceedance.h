// When a split counts as at least as extreme as the observed one, and what p-value the count gives.
#pragma once

#include <cstdint>

#include "permutation/splits.h"
#include "wordbreadth/test.h"

namespace wordbreadth::permutation {

// Equal splits must compare equal however they were summed.
inline constexpr double tie_tolerance = 1e-10;

// A split's statistic exceeds when it is >= high, <= low, or undefined. A bound that the alternative lacks is NaN,
// which nothing reaches.
struct Exceedance {
    double low;
    double high;

    Exceedance(double observed, Alternative alternative);
    [[nodiscard]] bool operator()(double statistic) const {
        return statistic >= high || statistic <= low || statistic != statistic;
    }
};

// How far a test got: exceedances among the first `looked_at` splits.
struct Tally {
    std::uint64_t exceedances = 0;
    std::uint64_t looked_at = 0;
    bool stopped_early = false;  // exceedances reached the adaptive limit, at split number looked_at
};

[[nodiscard]] double p_value(const Tally& tally, const Splits& splits);

}  // namespace wordbreadth::permutation
