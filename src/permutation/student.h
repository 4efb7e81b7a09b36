// Student's t distribution.
#pragma once

namespace wordbreadth::permutation {

// P(T <= t) with `freedom` degrees of freedom, not necessarily whole; freedom > 0.
[[nodiscard]] double student_cdf(double t, double freedom);

// The t with P(T <= t) = p, 0 < p < 1.
[[nodiscard]] double student_quantile(double p, double freedom);

}  // namespace wordbreadth::permutation
