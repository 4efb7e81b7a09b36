#include "engine/cuda/cublas.h"

#include "cuda/cublas.h"
#include "cuda/library.h"

namespace wordbreadth::engine::cuda {
namespace cublas = wordbreadth::cuda::cublas;

constexpr int algorithm_of_choice = -1;  // CUBLAS_GEMM_DEFAULT

std::vector<std::string> cublas_files() {
    return wordbreadth::cuda::library_files("libcublas");
}

CublasFunctions open_cublas(std::span<const std::string> files) {
    const wordbreadth::cuda::Library library(files, {"cuBLAS", "cuda-paper", "use device cuda, which does without"});
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
    cublas::check(functions_.create(&handle), "cublasCreate", functions_.status_string);
    handle_.reset(handle);
    cublas::check(functions_.set_stream(handle, stream), "cublasSetStream", functions_.status_string);
}

// cuBLAS thinks in columns: to it our arrays, row after row, are their own transposes. U^T = Z^T S^T is then a product
// of Z^T as it lies there with the transpose of what `signs` looks like.
void Cublas::multiply(const Shape& shape, const void* signs, const void* pooled, float* sums) const {
    const float one = 1;
    const float zero = 0;
    cublas::check(
        functions_.gemm(handle_.get(), cublas::not_transposed, cublas::transposed, shape.width, shape.splits,
                        shape.rows, &one, pooled, cublas::float16, shape.width, signs, cublas::float16, shape.stride,
                        &zero, sums, cublas::float32, shape.width, cublas::compute_in_float32, algorithm_of_choice),
        "cublasGemmEx", functions_.status_string);
}

}  // namespace wordbreadth::engine::cuda
