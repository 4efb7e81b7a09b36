// How much each usage of a word adds to its breadth.
#pragma once

#include <vector>

#include "wordbreadth/cloud.h"

namespace wordbreadth {

// Of each row, log v(all rows) - log v(all but this one): above 0 for a usage that makes the word broader. Infinite
// where the others are all alike (always so in a cloud of 2).
//
// Leaving out a row takes it from the sum s of the rows: |s - x|^2 = |s|^2 - 2 x.s + 1, so all rows take one pass over
// the cloud.
[[nodiscard]] std::vector<double> influences(const Cloud& cloud);

}  // namespace wordbreadth
