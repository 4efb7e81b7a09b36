#include "engine/cuda/cublas.h"

#include <dlfcn.h>

#include <stdexcept>

#include "cuda/runtime.h"
#include "wordbreadth/error.h"

namespace wordbreadth::cuda {
namespace {

// From cublas_api.h and library_types.h.
constexpr int operation_none = 0;        // CUBLAS_OP_N
constexpr int operation_transpose = 1;   // CUBLAS_OP_T
constexpr int float32 = 0;               // CUDA_R_32F
constexpr int float16 = 2;               // CUDA_R_16F
constexpr int compute_in_float32 = 68;   // CUBLAS_COMPUTE_32F
constexpr int algorithm_of_choice = -1;  // CUBLAS_GEMM_DEFAULT
constexpr int status_done = 0;           // CUBLAS_STATUS_SUCCESS
constexpr int status_no_start = 1;       // CUBLAS_STATUS_NOT_INITIALIZED
constexpr int status_no_memory = 3;      // CUBLAS_STATUS_ALLOC_FAILED

std::string joined(std::span<const std::string> words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

template <class Function>
void find(void* library, const std::string& file, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr)
        throw InputError(file + " is not a cuBLAS that cuda-paper can use: it has no " + name +
                         "; expected version 12 or 13");
}

CublasFunctions functions_of(void* library, const std::string& file) {
    CublasFunctions functions{};
    find(library, file, "cublasCreate_v2", functions.create);
    find(library, file, "cublasDestroy_v2", functions.destroy);
    find(library, file, "cublasSetStream_v2", functions.set_stream);
    find(library, file, "cublasGetStatusString", functions.status_string);
    find(library, file, "cublasGemmEx", functions.gemm);
    return functions;
}

}  // namespace

std::vector<std::string> cublas_files() {
    const std::string usual_folder = "/usr/local/cuda/lib64/";
    const std::vector<std::string> names{"libcublas.so.13", "libcublas.so.12"};
    std::vector<std::string> files = names;
    for (const std::string& name : names) files.push_back(usual_folder + name);
    return files;
}

CublasFunctions open_cublas(std::span<const std::string> files) {
    for (const std::string& file : files)
        if (void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE))
            return functions_of(library, file);
    throw InputError("cuda-paper needs cuBLAS, which was not found (looked for " + joined(files) +
                     "); install it, put its folder on LD_LIBRARY_PATH, or use --device cuda, which does without");
}

Cublas::Cublas(CUstream_st* stream) : functions_(open_cublas(cublas_files())), handle_(nullptr, functions_.destroy) {
    cublasContext* handle = nullptr;
    check(functions_.create(&handle), "cublasCreate");
    handle_.reset(handle);
    check(functions_.set_stream(handle, stream), "cublasSetStream");
}

// cuBLAS thinks in columns: to it our arrays, row after row, are their own transposes. U^T = Z^T S^T is then a product
// of Z^T as it lies there with the transpose of what `signs` looks like.
void Cublas::multiply(const Shape& shape, const void* signs, const void* pooled, float* sums) const {
    const float one = 1;
    const float zero = 0;
    check(functions_.gemm(handle_.get(), operation_none, operation_transpose, shape.width, shape.splits, shape.rows,
                          &one, pooled, float16, shape.width, signs, float16, shape.stride, &zero, sums, float32,
                          shape.width, compute_in_float32, algorithm_of_choice),
          "cublasGemmEx");
}

void Cublas::check(CublasFunctions::Status status, const char* call) const {
    if (status == status_done) return;
    const std::string what = std::string(call) + " failed: " + functions_.status_string(status);
    // A full memory has many names: cublasCreate says so, or that it is not initialized; a product whose kernel was not
    // loaded yet fails for reasons of its own, and CUDA knows better. Taking its error also clears it.
    const bool full = cudaGetLastError() == cudaErrorMemoryAllocation;
    if (full || status == status_no_memory || status == status_no_start) throw OutOfMemory(what);
    throw std::runtime_error(what);
}

}  // namespace wordbreadth::cuda
