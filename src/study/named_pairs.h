// The test of many pairs of clouds, some of which are none.
#pragma once

#include <span>
#include <vector>

#include "study/named_clouds.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

// One result a pair, as test_pairs gives it. Of a pair that lacks a cloud, or whose clouds do not go together
// (different dimensions, too many rows), `undefined` says why, and its numbers are NaN. Throws InputError for bad
// options, Cancelled when stopped.
[[nodiscard]] std::vector<TestResult> test_named_pairs(std::vector<NamedCloud> clouds, std::span<const Pair> pairs,
                                                       const TestOptions& options);

}  // namespace wordbreadth
