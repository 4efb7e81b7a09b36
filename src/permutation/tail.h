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
