#include "study/rates.h"

#include <algorithm>

#include "permutation/normal.h"

namespace wordbreadth {

Rate rate_of(std::size_t hits, std::size_t trials) {
    return rate_of(hits, trials, 0.95);
}

Rate rate_of(std::size_t hits, std::size_t trials, double confidence) {
    if (trials == 0) return {};
    const double z = permutation::normal_quantile((1 + confidence) / 2);
    const auto n = static_cast<double>(trials);
    const double share = static_cast<double>(hits) / n;
    const double centre = share + z * z / (2 * n);
    const double reach = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    const double scale = 1 + z * z / n;
    const double low = hits == 0 ? 0 : std::max(0.0, (centre - reach) / scale);
    const double high = hits == trials ? 1 : std::min(1.0, (centre + reach) / scale);
    return {hits, trials, share, low, high};
}

}  // namespace wordbreadth
