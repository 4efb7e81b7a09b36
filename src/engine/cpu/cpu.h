// The CPU engine: a ladder of certified screens, each cheaper than the next is sharp, over float64 at the bottom.
#pragma once

#include <memory>

#include "engine/backend.h"

namespace wordbreadth::engine::cpu {

[[nodiscard]] Device device();
[[nodiscard]] std::unique_ptr<Backend> make(const Execution& execution);

}  // namespace wordbreadth::engine::cpu
