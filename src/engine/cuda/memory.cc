#include "engine/cuda/memory.h"

namespace wordbreadth::engine::cuda {
namespace {

std::string in_mib(std::size_t bytes) {
    constexpr std::size_t mib = std::size_t{1} << 20;
    return std::to_string((bytes + mib - 1) / mib) + " MiB";
}

std::string what_is_free() {
    std::size_t free = 0;
    std::size_t total = 0;
    if (cudaMemGetInfo(&free, &total) == cudaSuccess) return in_mib(free) + " of " + in_mib(total) + " are free";
    static_cast<void>(cudaGetLastError());
    return "how much is free cannot be found out";
}

}  // namespace

InputError does_not_fit(const std::string& what, std::size_t needed, const OutOfMemory& error) {
    return InputError("the GPU's memory does not hold " + what + ": " + in_mib(needed) + " are needed, " +
                      what_is_free() + " (" + error.what() + "); use --device cpu, or end what else uses the GPU");
}

InputError cannot_start(const OutOfMemory& error) {
    return InputError("the GPU's memory is too full to begin: " + what_is_free() + " (" + error.what() +
                      "); use --device cpu, or end what else uses the GPU");
}

}  // namespace wordbreadth::engine::cuda
