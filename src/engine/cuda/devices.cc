// The CUDA engines as `wordbreadth devices` shows them (paper.cu has the other one), or, in a build that had no CUDA
// compiler, what stands in their place.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/strings.h"
#include "cuda/gpu_names.h"
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

using wordbreadth::cuda::gpu_name;
constexpr const char* method = ": certified int8 screens, float64 where they cannot decide";

// "NVIDIA H200 (139 GiB, compute capability 9.0)"
std::string description_of(int ordinal) {
    const cudaDeviceProp& gpu = wordbreadth::cuda::properties(ordinal);
    return std::string(gpu.name) + " (" + std::to_string(gpu.totalGlobalMem >> 30) + " GiB, compute capability " +
           std::to_string(gpu.major) + "." + std::to_string(gpu.minor) + ")";
}

Device described(const std::string& name, const std::string& unavailable_because, std::span<const int> gpus) {
    Device device{name, std::string("NVIDIA GPU") + method, false, unavailable_because, {}, {}};
    device.available = unavailable_because.empty();
    if (!device.available) return device;
    std::vector<std::string> kinds;
    for (const int ordinal : gpus) {
        const std::string set = wordbreadth::cuda::instruction_set(ordinal), kind = description_of(ordinal);
        if (std::ranges::count(device.instruction_sets, set) == 0) device.instruction_sets.push_back(set);
        if (std::ranges::count(kinds, kind) == 0) kinds.push_back(kind);
    }
    const std::string several = gpus.size() > 1 ? std::to_string(gpus.size()) + " GPUs, " : "";
    device.description = several + base::joined(kinds) + method;
    device.instruction_set = device.instruction_sets.front();
    return device;
}

}  // namespace

// Looked at once. Starting the driver takes a tenth of a second, the properties take a millisecond, every call of
// test() asks, and the runtime, too, keeps for the life of a process what it has found.
Device device() {
    static const Device found = [] {
        const std::string because = wordbreadth::cuda::why_unavailable();
        return described("cuda", because, because.empty() ? wordbreadth::cuda::usable_gpus() : std::vector<int>());
    }();
    return found;
}

Device device(int ordinal) {
    return described(gpu_name(ordinal), wordbreadth::cuda::why_unavailable(ordinal), {&ordinal, 1});
}

std::vector<Device> each_of_several() {
    std::vector<Device> each;
    const int count = wordbreadth::cuda::gpu_count();
    for (int ordinal = 0; count > 1 && ordinal < count; ++ordinal) each.push_back(device(ordinal));
    return each;
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

Device device(int ordinal) {
    return {wordbreadth::cuda::gpu_name(ordinal), "NVIDIA GPU", false, because, {}, {}};
}

std::vector<Device> each_of_several() {
    return {};
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
