#include "study/ks_test.h"

#include <algorithm>

namespace wordbreadth {
namespace {

// P(K > x) of Kolmogorov's distribution, 2 sum_k (-1)^(k-1) exp(-2 k^2 x^2). The sum converges slowly near 0, where the
// probability is 1 to 15 digits.
double kolmogorov_tail(double x) {
    if (x < 0.2) return 1;
    double sum = 0;
    for (int k = 1; k <= 100; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
    return std::clamp(sum, 0.0, 1.0);
}

}  // namespace

Uniformity uniformity(std::vector<double> values) {
    std::erase_if(values, [](double value) { return std::isnan(value); });
    if (values.empty()) return {};
    std::ranges::sort(values);
    const auto n = static_cast<double>(values.size());
    double distance = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double below = static_cast<double>(i) / n, above = static_cast<double>(i + 1) / n;
        distance = std::max({distance, above - values[i], values[i] - below});
    }
    const double root = std::sqrt(n);
    return {values.size(), distance, kolmogorov_tail((root + 0.12 + 0.11 / root) * distance)};
}

}  // namespace wordbreadth
