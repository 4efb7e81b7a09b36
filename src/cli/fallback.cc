#include "cli/fallback.h"

#include "engine/cuda/cuda.h"

namespace wordbreadth::cli {

std::string fallback_note(const Execution& execution, Format format) {
    const bool any_device_will_do = execution.device == "auto" && execution.instruction_set.empty();
    if (!any_device_will_do || format != Format::text) return {};
    const Device gpu = engine::cuda::device();
    return gpu.available || !engine::cuda::gpu_is_visible()
               ? ""
               : "wordbreadth: note: running on the CPU, no GPU is used: " + gpu.unavailable_because + "\n";
}

}  // namespace wordbreadth::cli
