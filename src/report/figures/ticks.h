// Where an axis has its ticks, and what is written there.
#pragma once

#include <string>
#include <vector>

namespace wordbreadth::report {

struct Tick {
    double value;
    std::string label;
};

// Multiples of 1, 2 or 5 times a power of ten within [low, high], about `wanted` of them. low < high.
[[nodiscard]] std::vector<Tick> linear_ticks(double low, double high, int wanted, bool percent);

// Powers of ten within [low, high]; where there are fewer than three, also twice and five times those. 0 < low < high.
[[nodiscard]] std::vector<Tick> logarithmic_ticks(double low, double high, int wanted);

// The next of 1, 2, 5, 10 times a power of ten that is not below `step`.
[[nodiscard]] double round_step(double step);

// The number with U+2212 for its sign, which is as wide as a plus.
[[nodiscard]] std::string with_true_minus(std::string number);

}  // namespace wordbreadth::report
