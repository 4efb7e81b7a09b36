#include "engine/cuda/cublas.h"

#include <stdexcept>

#include "cuda/library.h"
#include "engine/cuda/runtime.h"

namespace wordbreadth::engine::cuda {
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

}  // namespace

std::vector<std::string> cublas_files() {
    return wordbreadth::cuda::library_files("libcublas");
}

CublasFunctions open_cublas(std::span<const std::string> files) {
    const wordbreadth::cuda::Library library(files, {"cuBLAS", "cuda-paper", "use --device cuda, which does without"});
    CublasFunctions functions{};
    library.find("cublasCreate_v2", functions.create);
    library.find("cublasDestroy_v2", functions.destroy);
    library.find("cublasSetStream_v2", functions.set_stream);
    library.find("cublasGetStatusString", functions.status_string);
    library.find("cublasGemmEx", functions.gemm);
    return functions;
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

}  // namespace wordbreadth::engine::cuda
