#include "cuda/runtime.h"

#include <cuda_runtime.h>

#include <map>
#include <mutex>

#include "cuda/gpu_names.h"

namespace wordbreadth::cuda {
namespace {

constexpr int oldest_architecture = 8;  // compute capability 8.0: int8 and fp16 matrix instructions as the kernels use

std::string version(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

// Of a GPU that is there.
std::string why_unusable(int ordinal) {
    const cudaDeviceProp* found = nullptr;
    try {
        found = &properties(ordinal);
    } catch (const std::runtime_error&) {
        return "the GPU's properties cannot be read";
    }
    if (found->major >= oldest_architecture) return {};
    return std::string(found->name) + " is too old: compute capability " + std::to_string(found->major) + "." +
           std::to_string(found->minor) + ", expected 8.0 or newer";
}

}  // namespace

void check(cudaError_t status, const char* call) {
    if (status == cudaSuccess) return;
    const std::string what =
        std::string(call) + " failed: " + cudaGetErrorName(status) + " (" + cudaGetErrorString(status) + ")";
    // Errors that do not last are also kept for cudaGetLastError, where a later launch would find them.
    static_cast<void>(cudaGetLastError());
    if (status == cudaErrorMemoryAllocation) throw OutOfMemory(what);
    throw std::runtime_error(what);
}

void check_launch(const char* kernel) {
    check(cudaGetLastError(), kernel);
}

std::string why_unavailable() {
    int driver = 0;
    int runtime = 0;
    static_cast<void>(cudaRuntimeGetVersion(&runtime));
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
        return "no NVIDIA driver is installed (libcuda.so.1 was not found)";
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    static_cast<void>(cudaGetLastError());
    if (status == cudaErrorInsufficientDriver)
        return "the NVIDIA driver is too old: it knows CUDA " + version(driver) + ", this build needs " +
               version(runtime);
    if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0)) return "there is no NVIDIA GPU here";
    if (status != cudaSuccess) return std::string("the GPU does not respond: ") + cudaGetErrorString(status);
    return usable_gpus().empty() ? why_unusable(0) : std::string();
}

std::string why_unavailable(int ordinal) {
    const int count = gpu_count();
    if (count == 0) return why_unavailable();
    if (ordinal < count) return why_unusable(ordinal);
    std::string all = gpu_name(0);
    for (int other = 1; other < count; ++other) all += (other + 1 < count ? ", " : " and ") + gpu_name(other);
    return (count == 1 ? "there is one GPU, " : "there are " + std::to_string(count) + " GPUs, ") + all;
}

bool driver_sees_gpu() {
    int driver = 0, count = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) return false;
    const cudaError_t status = cudaGetDeviceCount(&count);
    static_cast<void>(cudaGetLastError());
    return status == cudaSuccess ? count > 0 : status != cudaErrorNoDevice;
}

int gpu_count() {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    static_cast<void>(cudaGetLastError());
    return status == cudaSuccess ? count : 0;
}

std::vector<int> usable_gpus() {
    std::vector<int> usable;
    for (int ordinal = 0; ordinal < gpu_count(); ++ordinal)
        if (why_unusable(ordinal).empty()) usable.push_back(ordinal);
    return usable;
}

const cudaDeviceProp& properties(int ordinal) {
    static std::mutex mutex;
    static std::map<int, cudaDeviceProp> known;
    const std::lock_guard lock(mutex);
    const auto found = known.find(ordinal);
    if (found != known.end()) return found->second;
    cudaDeviceProp all{};
    WORDBREADTH_CUDA(cudaGetDeviceProperties(&all, ordinal));
    return known.emplace(ordinal, all).first->second;
}

const cudaDeviceProp& properties() {
    return properties(current_gpu());
}

std::string instruction_set(int ordinal) {
    const cudaDeviceProp& gpu = properties(ordinal);
    return "sm_" + std::to_string(gpu.major) + std::to_string(gpu.minor);
}

int current_gpu() {
    int ordinal = 0;
    WORDBREADTH_CUDA(cudaGetDevice(&ordinal));
    return ordinal;
}

}  // namespace wordbreadth::cuda
