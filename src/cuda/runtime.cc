#include "cuda/runtime.h"

#include <cuda_runtime.h>

namespace wordbreadth::cuda {
namespace {

constexpr int oldest_architecture = 8;  // compute capability 8.0: int8 and fp16 matrix instructions as the kernels use

std::string version(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
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
    if (status != cudaSuccess) return std::string("the GPU does not answer: ") + cudaGetErrorString(status);
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "the GPU does not tell its properties";
    if (properties.major < oldest_architecture)
        return std::string(properties.name) + " is too old: compute capability " + std::to_string(properties.major) +
               "." + std::to_string(properties.minor) + ", expected 8.0 or newer";
    return {};
}

bool driver_sees_gpu() {
    int driver = 0, count = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) return false;
    const cudaError_t status = cudaGetDeviceCount(&count);
    static_cast<void>(cudaGetLastError());
    return status == cudaSuccess ? count > 0 : status != cudaErrorNoDevice;
}

const cudaDeviceProp& properties() {
    static const cudaDeviceProp found = [] {
        cudaDeviceProp all{};
        WORDBREADTH_CUDA(cudaGetDeviceProperties(&all, 0));
        return all;
    }();
    return found;
}

}  // namespace wordbreadth::cuda
