// The CUDA engine as `wordbreadth devices` shows it; paper.cu has the other one.
#include <cuda_runtime_api.h>

#include <cstdlib>

#include "cuda/runtime.h"
#include "engine/cuda/cuda.h"

namespace wordbreadth::engine::cuda {
namespace {

Device look() {
    const std::string method = ": certified int8 screens, float64 where they cannot decide";
    Device device{"cuda", "NVIDIA GPU" + method, false, wordbreadth::cuda::why_unavailable(), {}, {}};
    device.available = device.unavailable_because.empty();
    if (!device.available) return device;
    const cudaDeviceProp& gpu = wordbreadth::cuda::properties();
    const std::string major = std::to_string(gpu.major), minor = std::to_string(gpu.minor);
    device.description = std::string(gpu.name) + " (" + std::to_string(gpu.totalGlobalMem >> 30) +
                         " GiB, compute capability " + major + "." + minor + ")" + method;
    device.instruction_set = "sm_" + major + minor;
    device.instruction_sets = {device.instruction_set};
    return device;
}

}  // namespace

// Looked at once. Starting the driver takes a tenth of a second, the properties take a millisecond, every call of
// test() asks, and the runtime, too, keeps for the life of a process what it has found.
Device device() {
    static const Device found = look();
    return found;
}

bool gpu_is_visible() {
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (visible != nullptr && (*visible == '\0' || *visible == '-')) return false;
    return wordbreadth::cuda::driver_sees_gpu() || system_shows_gpu("/");
}

}  // namespace wordbreadth::engine::cuda
