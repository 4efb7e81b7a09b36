#include "encoder/cuda/cublas_lt.h"

#include "cuda/library.h"

namespace wordbreadth::encoder::cuda {

std::vector<std::string> cublas_lt_files() {
    return ::wordbreadth::cuda::library_files("libcublasLt");
}

LtFunctions open_cublas_lt(std::span<const std::string> files) {
    const ::wordbreadth::cuda::Library library(files, {"cuBLASLt", "the encoder on a GPU", "use the CPU"});
    LtFunctions functions{};
    library.find("cublasLtCreate", functions.create);
    library.find("cublasLtDestroy", functions.destroy);
    library.find("cublasLtGetStatusString", functions.status_string);
    library.find("cublasLtMatmulDescCreate", functions.create_description);
    library.find("cublasLtMatmulDescDestroy", functions.destroy_description);
    library.find("cublasLtMatmulDescSetAttribute", functions.set_description);
    library.find("cublasLtMatrixLayoutCreate", functions.create_layout);
    library.find("cublasLtMatrixLayoutDestroy", functions.destroy_layout);
    library.find("cublasLtMatrixLayoutSetAttribute", functions.set_layout);
    library.find("cublasLtMatmulPreferenceCreate", functions.create_preference);
    library.find("cublasLtMatmulPreferenceDestroy", functions.destroy_preference);
    library.find("cublasLtMatmulPreferenceSetAttribute", functions.set_preference);
    library.find("cublasLtMatmulAlgoGetHeuristic", functions.propose);
    library.find("cublasLtMatmul", functions.multiply);
    return functions;
}

}  // namespace wordbreadth::encoder::cuda
