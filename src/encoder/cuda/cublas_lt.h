// cuBLASLt, opened when it is asked for and never linked, so that the program starts where it is not installed.
//
// The few functions are declared here by hand, with the values of cublasLt.h (they are a C interface that has kept them
// since version 11), so that this file needs no header of CUDA's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

struct CUstream_st;      // a cudaStream_t points to one
struct cublasLtContext;  // a cublasLtHandle_t points to one

namespace wordbreadth::encoder::cuda {

struct LtAlgorithm {
    std::uint64_t data[8];
};

struct LtProposal {
    LtAlgorithm algorithm;
    std::size_t workspace_bytes;
    int state;
    float waves;
    int reserved[4];
};

struct LtFunctions {
    using Status = int;  // 0: done
    using Layout = void*;
    using Description = void*;
    using Preference = void*;
    Status (*create)(cublasLtContext**);
    Status (*destroy)(cublasLtContext*);
    const char* (*status_string)(Status);
    Status (*create_description)(Description*, int compute_type, int scale_type);
    Status (*destroy_description)(Description);
    Status (*set_description)(Description, int attribute, const void* value, std::size_t bytes);
    Status (*create_layout)(Layout*, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t stride);
    Status (*destroy_layout)(Layout);
    Status (*set_layout)(Layout, int attribute, const void* value, std::size_t bytes);
    Status (*create_preference)(Preference*);
    Status (*destroy_preference)(Preference);
    Status (*set_preference)(Preference, int attribute, const void* value, std::size_t bytes);
    Status (*propose)(cublasLtContext*, Description, Layout a, Layout b, Layout c, Layout d, Preference, int asked,
                      LtProposal* proposals, int* found);
    Status (*multiply)(cublasLtContext*, Description, const void* alpha, const void* a, Layout layout_a, const void* b,
                       Layout layout_b, const void* beta, const void* c, Layout layout_c, void* d, Layout layout_d,
                       const LtAlgorithm*, void* workspace, std::size_t workspace_bytes, CUstream_st*);
};

// What is tried, in this order. Names without a folder are looked up as the system does it, LD_LIBRARY_PATH included.
[[nodiscard]] std::vector<std::string> cublas_lt_files();

// Opens the first of `files` that is there. It stays loaded until the process ends: a library that has given kernels to
// the driver cannot be taken away safely. Throws InputError when there is none, or when it lacks a function.
[[nodiscard]] LtFunctions open_cublas_lt(std::span<const std::string> files);

}  // namespace wordbreadth::encoder::cuda
