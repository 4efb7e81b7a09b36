// One pair looked at closely: its test with and without alignment, and its clouds on a plane before and after.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/cloud_store.h"
#include "study/gap_tests.h"
#include "study/tsne.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

struct TellingPair {
    std::string x, y;
    std::string why;                          // this pair
    std::vector<std::size_t> rows_x, rows_y;  // of the store, that are shown
    TestResult none, householder;             // two-sided, with their null distributions
    std::vector<PlanePoint> before, after;    // the rows of x, then those of y
};

// The paper's articulate and triple where the store has both with enough rows; otherwise the pair of `tests` that
// alignment changes most. Throws InputError when there is no pair at all, Cancelled when stopped.
[[nodiscard]] TellingPair telling_pair(const store::CloudStore& store, const GapTests& tests,
                                       std::uint64_t permutations, std::uint64_t seed, const Execution& execution);

}  // namespace wordbreadth
