// cuBLAS, for the one product that cuda-paper needs. Opened when it is asked for and never linked, so that the program
// starts, and `cuda` runs, where it is not installed.
//
// The few functions are declared here by hand, so that this file needs no header of CUDA's.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

struct CUstream_st;    // a cudaStream_t points to one
struct cublasContext;  // a cublasHandle_t points to one

namespace wordbreadth::engine::cuda {

// What is tried, in this order. Names without a folder are looked up as the system does it, LD_LIBRARY_PATH included.
[[nodiscard]] std::vector<std::string> cublas_files();

// The functions of a cuBLAS that was found.
struct CublasFunctions {
    using Status = int;  // 0: done
    Status (*create)(cublasContext**);
    Status (*destroy)(cublasContext*);
    Status (*set_stream)(cublasContext*, CUstream_st*);
    const char* (*status_string)(Status);
    Status (*gemm)(cublasContext*, int transpose_a, int transpose_b, int m, int n, int k, const void* alpha,
                   const void* a, int type_a, int stride_a, const void* b, int type_b, int stride_b, const void* beta,
                   void* c, int type_c, int stride_c, int compute_type, int algorithm);
};

// Opens the first of `files` that is there. It stays loaded until the process ends: a library that has given kernels to
// the driver cannot be taken away safely. Throws InputError when there is none, or when it lacks a function.
[[nodiscard]] CublasFunctions open_cublas(std::span<const std::string> files);

// A cuBLAS handle that works in one stream, which must outlive it.
class Cublas {
  public:
    // Throws InputError when there is no cuBLAS here, OutOfMemory when the device's memory has no room for what it
    // keeps there.
    explicit Cublas(CUstream_st* stream);

    // U (splits, width) in float32 = S Z, products of half-precision numbers added up in float32. All are arrays on the
    // device, row after row: `signs` is S turned on its side, (rows, stride) with stride >= splits, and `pooled` is Z,
    // (rows, width). Throws std::runtime_error with cuBLAS's own words, OutOfMemory where the device's memory is full.
    struct Shape {
        int splits;
        int rows;
        int width;
        int stride;
    };
    void multiply(const Shape& shape, const void* signs, const void* pooled, float* sums) const;

  private:
    CublasFunctions functions_;
    std::unique_ptr<cublasContext, decltype(CublasFunctions::destroy)> handle_;
};

}  // namespace wordbreadth::engine::cuda
