// Tests of pairs of named clouds, some of which may be missing or not go together.
#pragma once

#include <string>

#include "wordbreadth/cloud_source.h"

namespace wordbreadth::study {

// The result of a pair that has no test, for a reason that its clouds give.
[[nodiscard]] TestResult untested(const NamedCloud& x, const NamedCloud& y, std::string reason,
                                  const TestOptions& options);

}  // namespace wordbreadth::study
