// Whether a sample may have come from the generalised Pareto distribution fitted to it.
#pragma once

#include <span>

#include "permutation/pareto.h"

namespace wordbreadth::permutation {

// Anderson-Darling's A^2 of a sample in ascending order: small for a good fit, infinite for an impossible one.
[[nodiscard]] double anderson_darling(std::span<const double> ascending, const Pareto& fit);

// The p-value of A^2, both parameters having been fitted to the sample by fit_pareto().
//
// By a parametric bootstrap with a fixed seed, so that it is a pure function of its arguments: samples of the same
// size are drawn from the fit, fitted anew, and their A^2 compared. Choulakian and Stephens (2001) print a table
// instead, which holds for maximum likelihood and shapes above -1/2 only.
[[nodiscard]] double goodness_of_fit(std::span<const double> ascending, const Pareto& fit);

}  // namespace wordbreadth::permutation
