// Two rates from two simulations: do they agree within simulation error?
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "wordbreadth/rates.h"

namespace wordbreadth::calibration {

// Two-sided p of Fisher's exact test for equal rates: exact at any number of trials, a few dozen included.
inline double fisher_p(const Rate& a, const Rate& b) {
    const auto log_choose = [](double n, double k) {
        return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
    };
    const auto hits = a.hits + b.hits;
    const auto log_probability = [&](std::uint64_t hits_of_a) {
        return log_choose(static_cast<double>(a.trials), static_cast<double>(hits_of_a)) +
               log_choose(static_cast<double>(b.trials), static_cast<double>(hits - hits_of_a)) -
               log_choose(static_cast<double>(a.trials + b.trials), static_cast<double>(hits));
    };
    const double observed = log_probability(a.hits);
    double p = 0;
    for (std::uint64_t k = hits > b.trials ? hits - b.trials : 0; k <= std::min(hits, a.trials); ++k)
        if (log_probability(k) <= observed + 1e-9) p += std::exp(log_probability(k));
    return std::min(p, 1.0);
}

}  // namespace wordbreadth::calibration
