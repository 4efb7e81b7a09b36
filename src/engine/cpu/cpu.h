// The CPU engine: a ladder of certified screens, each cheaper than the next is sharp, over float64 at the bottom.
#pragma once

#include <memory>

#include "engine/backend.h"

namespace wordbreadth {

[[nodiscard]] Device cpu_device();
[[nodiscard]] std::unique_ptr<Backend> make_cpu(const Execution& execution);

}  // namespace wordbreadth
