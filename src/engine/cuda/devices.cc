// The CUDA engines as `wordbreadth devices` shows them (paper.cu has the other one), or, in a build that had no CUDA
// compiler, what stands in their place.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "engine/cuda/cuda.h"
#include "wordbreadth/error.h"

#if WORDBREADTH_HAS_CUDA
#include "cuda/runtime.h"
#endif

namespace wordbreadth::engine::cuda {
namespace {

namespace fs = std::filesystem;

// nvidia0, but not nvidiactl, which is there without a GPU, too.
bool is_gpu(const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    return name.size() > 6 && name.starts_with("nvidia") && name[6] >= '0' && name[6] <= '9';
}

}  // namespace

bool system_shows_gpu(const std::string& root) {
    std::error_code ignored;
    const fs::path dev = fs::path(root) / "dev", gpus = fs::path(root) / "proc/driver/nvidia/gpus";
    if (fs::is_directory(gpus, ignored) && !fs::is_empty(gpus, ignored)) return true;
    const fs::directory_iterator entries(dev, ignored);
    return !ignored && std::any_of(begin(entries), end(entries), is_gpu);
}

#if WORDBREADTH_HAS_CUDA

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

#else

constexpr const char* because = "this build has no CUDA engine (docs/cuda.md says how to make one)";

Device device() {
    return {"cuda", "NVIDIA GPU", false, because, {}, {}};
}

Device paper_device() {
    return {"cuda-paper", "NVIDIA GPU: the paper's Algorithm 2; approximate", false, because, {}, {}, false};
}

bool gpu_is_visible() {
    return false;
}

std::unique_ptr<Backend> make(const Execution&) {
    throw InputError(because);
}

std::unique_ptr<Backend> make_paper(const Execution&) {
    throw InputError(because);
}

#endif

}  // namespace wordbreadth::engine::cuda
