// Adjusting p-values for the number of tests made.
#pragma once

#include <span>
#include <vector>

#include "wordbreadth/test.h"

namespace wordbreadth {

enum class Adjustment {
    none,
    holm,                 // family-wise error, any dependence
    benjamini_hochberg,   // false discovery rate, independent or positively dependent tests
    benjamini_yekutieli,  // false discovery rate, any dependence
    max_t,                // family-wise error, by the dependence that permutations show: not from p alone
};

// Returns the adjusted p-values in the order given. NaN stays NaN and does not count as a test.
// Throws InputError for a p outside [0, 1], and for max_t, which p-values do not determine.
[[nodiscard]] std::vector<double> adjust(std::span<const double> p, Adjustment method);

// The same of the results of tests. For max_t they have to come from one call of test_pairs() whose options asked for
// it (TestOptions::max_t); throws InputError when they do not.
[[nodiscard]] std::vector<double> adjusted_p(std::span<const TestResult> results, Adjustment method);
[[nodiscard]] std::vector<double> adjusted_p(const TestResults& results, Adjustment method);

}  // namespace wordbreadth
