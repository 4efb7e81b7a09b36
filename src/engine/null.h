// The null distribution itself, for those who ask to see it or need its tail.
#pragma once

#include "engine/backend.h"
#include "wordbreadth/test.h"

namespace wordbreadth::engine {

[[nodiscard]] bool wants_null(const TestOptions& options);

// Evaluates the statistic of every split that the test looked at, in float64, and adds to `result` what `options` ask
// for: all the values, or the estimate of the tail where p is as small as the number of splits lets it be.
void add_null(TestResult& result, const PairTask& pair, const Job& job, const TestOptions& options,
              base::Workers& workers, base::Monitor& monitor);

}  // namespace wordbreadth::engine
