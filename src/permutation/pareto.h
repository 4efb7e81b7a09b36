// The generalised Pareto distribution, which the far tail of almost any distribution comes to resemble
// (Pickands 1975): P(X > x) = (1 + shape x / scale)^(-1/shape) for x >= 0, exp(-x / scale) for shape 0.
#pragma once

#include <optional>
#include <span>

namespace wordbreadth::permutation {

struct Pareto {
    double shape = 0;  // negative: the tail ends at -scale / shape
    double scale = 1;

    // log P(X > x); -infinity from the end of a bounded tail on.
    [[nodiscard]] double log_survival(double x) const;
};

// Fits both parameters to at least 2 positive, finite values in ascending order.
//
// Maximum likelihood, by the profile likelihood in one dimension (Grimshaw 1993): with theta = shape / scale the best
// shape is the mean of log(1 + theta x), and only theta is searched for. A tail that ends abruptly (shape near -1 and
// below) has no maximum: the likelihood grows without bound as the end nears the largest value. Then
// probability-weighted moments (Hosking and Wallis 1987) are used. Returns nothing when those contradict the sample:
// a scale that is not positive, or a tail that ends before the largest value.
[[nodiscard]] std::optional<Pareto> fit_pareto(std::span<const double> ascending);

// Anderson-Darling's A^2 of a sample in ascending order: small for a good fit, infinite for an impossible one.
[[nodiscard]] double anderson_darling(std::span<const double> ascending, const Pareto& fit);

// The p-value of A^2, both parameters having been fitted to the sample by fit_pareto().
//
// By a parametric bootstrap with a fixed seed, so that it is a pure function of its arguments: samples of the same
// size are drawn from the fit, fitted anew, and their A^2 compared. Choulakian and Stephens (2001) print a table
// instead, which holds for maximum likelihood and shapes above -1/2 only.
[[nodiscard]] double goodness_of_fit(std::span<const double> ascending, const Pareto& fit);

}  // namespace wordbreadth::permutation
