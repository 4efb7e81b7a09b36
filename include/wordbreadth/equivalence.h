// Whether two clouds are equally broad, up to a difference that does not matter. That a test finds no difference is no
// answer: few rows find none either.
#pragma once

#include <limits>

#include "wordbreadth/names.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

enum class BreadthAnswer {
    broader,     // X is broader than Y
    narrower,    // X is narrower than Y
    equivalent,  // neither is more than `ratio` times as broad as the other
    undecided,   // neither a difference nor equivalence could be shown
};

[[nodiscard]] constexpr auto names_of(BreadthAnswer) {
    using enum BreadthAnswer;
    return std::to_array<Named<BreadthAnswer>>(
        {{broader, "broader"}, {narrower, "narrower"}, {equivalent, "equivalent"}, {undecided, "undecided"}});
}

struct Equivalence {
    double ratio = 0;  // the margin that was asked for
    // Of two one-sided tests, that the true ratio is above 1 / ratio and that it is below `ratio`, by Student's
    // distribution: the larger p. NaN where the result has no interval.
    double p = std::numeric_limits<double>::quiet_NaN();
    // The interval of confidence 1 - 2 level for the effect: inside -log ratio to log ratio where p <= level.
    double low = std::numeric_limits<double>::quiet_NaN();
    double high = std::numeric_limits<double>::quiet_NaN();
    BreadthAnswer answer = BreadthAnswer::undecided;
};

// What a test answers at a level, where breadths within a ratio (such as 1.1) count as equal. A cloud can be shown to
// be broader and to be so by less than the margin: the answer then is `equivalent`, and result.p says the rest. Throws
// InputError unless 1 < ratio < infinity and 0 < level < 0.5.
[[nodiscard]] Equivalence equivalence(const TestResult& result, double ratio, double level = 0.05);

}  // namespace wordbreadth
