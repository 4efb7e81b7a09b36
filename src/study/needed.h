// How many occurrences it takes to see a difference in breadth.
#pragma once

#include <span>

#include "wordbreadth/breadth.h"
#include "wordbreadth/calibrate.h"

namespace wordbreadth::study {

// The variance of log breadth of n rows, first / n + second / n^2: what single rows contribute, and what only pairs of
// them do, which small clouds are unsure of.
struct BreadthVariance {
    double first = 0, second = 0;

    [[nodiscard]] double at(double n) const { return first / n + second / (n * n); }
};

// Rows of each of two clouds, as many of both, at which a two-sided test at the level alpha sees the ratio with that
// power. Student's quantiles, with `blocks_per_row` blocks a row, at least 5 blocks.
[[nodiscard]] double needed_rows(const BreadthVariance& variance, double blocks_per_row, double ratio, double alpha,
                                 double power);

// For ratios 1.1, 1.2 and 1.5. `whole`: of words with all their rows; `parts`: with about a quarter of them. Breadths
// without a standard error are left out; with none left there are no ratios.
[[nodiscard]] NeededSizes needed_sizes(std::span<const Breadth> whole, std::span<const Breadth> parts, double alpha,
                                       double power);

}  // namespace wordbreadth::study
