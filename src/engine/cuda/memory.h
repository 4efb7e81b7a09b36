// What users are told when the device's memory is full.
#pragma once

#include <cstddef>
#include <string>

#include "engine/cuda/runtime.h"
#include "wordbreadth/error.h"

namespace wordbreadth::engine::cuda {

// `what` of `needed` bytes does not fit, even with nothing else of ours in the device's memory.
[[nodiscard]] InputError does_not_fit(const std::string& what, std::size_t needed, const OutOfMemory& error);

// Not even an engine without clouds does.
[[nodiscard]] InputError cannot_start(const OutOfMemory& error);

}  // namespace wordbreadth::engine::cuda
