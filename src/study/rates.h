// Shares of tests, with how well they are known.
#pragma once

#include <cmath>
#include <cstddef>

namespace wordbreadth {

struct Rate {
    std::size_t hits = 0;
    std::size_t trials = 0;
    double value = NAN;  // hits / trials; NaN without trials, as are the ends of the interval
    double low = NAN;    // of the 95% interval
    double high = NAN;
};

// With Wilson's interval (1927), which stays within 0 and 1 and is honest about rates near them.
[[nodiscard]] Rate rate_of(std::size_t hits, std::size_t trials);

// The same at another confidence, 0 < confidence < 1.
[[nodiscard]] Rate rate_of(std::size_t hits, std::size_t trials, double confidence);

}  // namespace wordbreadth
