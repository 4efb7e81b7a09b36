// The paper's Algorithm 1 as written: float64, one permutation at a time. Slow, simple, and right by inspection: the
// yardstick of every other engine.
#pragma once

#include <memory>

#include "engine/backend.h"

namespace wordbreadth::engine::reference {

[[nodiscard]] std::unique_ptr<Backend> make(const Execution& execution);

}  // namespace wordbreadth::engine::reference
