// An estimate of a very small p-value from the shape of the null distribution's tail, after Knijnenburg, Wessels,
// Reinders and Shmulevich, "Fewer permutations, more accurate P-values" (Bioinformatics 2009).
//
// A count cannot show a p below 1 / B. The tail of the null, smooth enough, can be continued beyond its largest value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "wordbreadth/test.h"

namespace wordbreadth::permutation {

// ---- the generalised Pareto distribution, which the far tail of almost any distribution comes to resemble (Pickands
// 1975): P(X > x) = (1 + shape x / scale)^(-1/shape) for x >= 0, exp(-x / scale) for shape 0

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

// ---- the estimate

// The tail starts out as this many values, and the threshold needs one more: what a TopValues should keep.
inline constexpr std::size_t most_tail_values = 250;
inline constexpr std::size_t tail_values_needed = most_tail_values + 1;

// With this many exceedances or more the count is the better estimate (Knijnenburg et al.: 10).
inline constexpr std::uint64_t enough_exceedances = 10;

// `largest_descending`: the largest values of the null distribution in the direction of the alternative (T for
// greater, -T for less, |T| for two-sided), tail_values_needed of them or all there are; `observed` in that direction
// too; `permutations`: the size of the whole null distribution.
//
// Nothing is returned, never a doubtful number, when there are too few values, when no threshold gives a tail that the
// fit describes (Anderson-Darling, 0.05), when the observed value does not lie in the tail, when it lies beyond
// the end of a bounded one, and when the observed value or a value of the tail is not finite.
[[nodiscard]] std::optional<TailEstimate> estimate_tail(std::span<const double> largest_descending, double observed,
                                                        std::uint64_t permutations);

// The largest values of a stream, in memory that does not grow with it.
//
// Which values are kept depends on what was added, never on the order: collectors filled by different threads and
// merged in any order end up alike.
class TopValues {
  public:
    // Keeps the `capacity` largest.
    explicit TopValues(std::size_t capacity) : capacity_(capacity) {}

    // A NaN is kept as infinity: an undefined split counts as an exceedance of anything.
    void add(double value);
    void merge(const TopValues& other);

    // At most `capacity` values, largest first.
    [[nodiscard]] std::vector<double> descending() const;

  private:
    std::size_t capacity_;
    std::vector<double> heap_;  // the smallest value kept is in front
};

}  // namespace wordbreadth::permutation
