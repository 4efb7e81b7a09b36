#include "permutation/exceedance.h"

#include <cmath>
#include <limits>

namespace wordbreadth::permutation {

Exceedance::Exceedance(double observed, Alternative alternative) {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    switch (alternative) {
        case Alternative::greater:
            high = observed - tie_tolerance;
            low = nothing;
            break;
        case Alternative::less:
            high = nothing;
            low = observed + tie_tolerance;
            break;
        case Alternative::two_sided:
            high = std::abs(observed) - tie_tolerance;
            low = -high;
            break;
    }
}

double p_value(const Tally& tally, const Splits& splits) {
    const auto count = static_cast<double>(tally.exceedances);
    if (splits.enumerated) return count / static_cast<double>(splits.count);
    if (tally.stopped_early) return count / static_cast<double>(tally.looked_at);
    return (1 + count) / (static_cast<double>(splits.count) + 1);
}

}  // namespace wordbreadth::permutation
