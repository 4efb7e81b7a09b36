#include "cuda/library.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <stdexcept>
#include <utility>

#include "base/strings.h"
#include "cuda/runtime.h"
#include "wordbreadth/error.h"

namespace wordbreadth::cuda {

std::vector<std::string> library_files(const std::string& name) {
    const std::string usual_folder = "/usr/local/cuda/lib64/";
    std::vector<std::string> files{name + ".so.13", name + ".so.12"};
    files.insert(files.end(), {usual_folder + files[0], usual_folder + files[1]});
    return files;
}

Library::Library(std::span<const std::string> files, Use use) : use_(std::move(use)) {
    for (const std::string& file : files) {
        file_ = file;
        handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (handle_ != nullptr) return;
    }
    throw InputError(use_.by + " needs cuBLAS, which was not found (looked for " + base::joined(files) +
                     "); install it, put its folder on LD_LIBRARY_PATH, or " + use_.instead);
}

void* Library::address_of(const char* name) const {
    void* const address = dlsym(handle_, name);
    if (address == nullptr)
        throw InputError(file_ + " is not a " + use_.name + " that " + use_.by + " can use: it has no " + name +
                         "; expected version 12 or 13");
    return address;
}

void cublas::check(int status, const char* call, const char* (*text_of)(int status)) {
    if (status == done) return;
    const std::string what = std::string(call) + " failed: " + text_of(status);
    // A full memory has many names: cublasCreate says so, or that it is not initialized; a product whose kernel was not
    // loaded yet fails with another status, and CUDA knows better. Taking its error also clears it.
    const bool full = cudaGetLastError() == cudaErrorMemoryAllocation;
    if (full || status == allocation_failed || status == not_initialized) throw OutOfMemory(what);
    throw std::runtime_error(what);
}

}  // namespace wordbreadth::cuda
