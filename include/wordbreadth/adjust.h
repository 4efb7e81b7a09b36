// Adjusting p-values for the number of tests made.
#pragma once

#include <span>
#include <vector>

namespace wordbreadth {

enum class Adjustment {
    none,
    holm,                 // family-wise error, any dependence
    benjamini_hochberg,   // false discovery rate, independent or positively dependent tests
    benjamini_yekutieli,  // false discovery rate, any dependence
};

// Returns the adjusted p-values in the order given. NaN stays NaN and does not count as a test.
// Throws InputError for a p outside [0, 1].
[[nodiscard]] std::vector<double> adjust(std::span<const double> p, Adjustment method);

}  // namespace wordbreadth
