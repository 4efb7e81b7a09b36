// The middle of some numbers.
#pragma once

#include <algorithm>
#include <vector>

namespace wordbreadth {

// The mean of the two in the middle where their number is even. Wants at least one.
[[nodiscard]] inline double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace wordbreadth
