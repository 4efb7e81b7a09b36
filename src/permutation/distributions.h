// The standard normal distribution and Student's t.
#pragma once

namespace wordbreadth::permutation {

// P(Z <= x), and the x with P(Z <= x) = p, 0 < p < 1.
[[nodiscard]] double normal_cdf(double x);
[[nodiscard]] double normal_quantile(double p);

// The same with `freedom` degrees of freedom, not necessarily whole; freedom > 0.
[[nodiscard]] double student_cdf(double t, double freedom);
[[nodiscard]] double student_quantile(double p, double freedom);

}  // namespace wordbreadth::permutation
