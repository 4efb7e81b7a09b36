// The paper's Algorithm 1 as written: float64, one permutation at a time. Slow, simple, and right by inspection: the
// yardstick of every other engine.
#pragma once

#include <memory>

#include "engine/backend.h"

namespace wordbreadth {

[[nodiscard]] std::unique_ptr<Backend> make_reference(const Execution& execution);

}  // namespace wordbreadth
