// What a person is told when the work goes to the CPU although the machine has a GPU that this program could use.
#pragma once

#include <string>

#include "cli/options.h"

namespace wordbreadth::cli {

// One line, or nothing where there is nothing to tell: a device was asked for, a GPU is used, there is none, or the
// program was built without CUDA and never promised one. Programs, which read JSON or TSV, find the device in the
// result.
[[nodiscard]] std::string fallback_note(const Execution& execution, Format format);

}  // namespace wordbreadth::cli
