#include "wordbreadth/equivalence.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "permutation/distributions.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

constexpr double rounding = 1e-12;  // 1 - 0.95 is a little more than 0.05

BreadthAnswer side_of(const TestResult& result) {
    if (result.alternative == Alternative::greater) return BreadthAnswer::broader;
    if (result.alternative == Alternative::less) return BreadthAnswer::narrower;
    return result.t.value_or(result.T) > 0 ? BreadthAnswer::broader : BreadthAnswer::narrower;
}

}  // namespace

Equivalence equivalence(const TestResult& result, double ratio, double level) {
    if (!(ratio > 1 && std::isfinite(ratio)))
        throw InputError("equivalence within a ratio of " + std::to_string(ratio) +
                         "; expected a number above 1, such as 1.1");
    if (!(level > 0 && level < 0.5))
        throw InputError("equivalence at the level " + std::to_string(level) +
                         "; expected a number between 0 and 0.5, such as 0.05");
    Equivalence found{.ratio = ratio};
    if (result.p <= level + rounding) found.answer = side_of(result);
    const double freedom = result.degrees_of_freedom, error = result.standard_error, margin = std::log(ratio);
    if (!(freedom > 0) || !(error > 0) || !std::isfinite(result.effect)) return found;
    // Far out, a distribution function near 1 has no digits left: both tails are taken on the left.
    found.p = std::max(permutation::student_cdf(-(result.effect + margin) / error, freedom),
                       permutation::student_cdf((result.effect - margin) / error, freedom));
    const double reach = permutation::student_quantile(1 - level, freedom) * error;
    found.low = result.effect - reach;
    found.high = result.effect + reach;
    if (found.p <= level + rounding) found.answer = BreadthAnswer::equivalent;
    return found;
}

}  // namespace wordbreadth
