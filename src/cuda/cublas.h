// What users of cuBLAS and cuBLASLt share: values of their C interfaces, which have kept them since version 11, so that
// no header of theirs is needed; and errors.
#pragma once

namespace wordbreadth::cuda::cublas {

// From library_types.h and cublas_api.h.
inline constexpr int float32 = 0;              // CUDA_R_32F
inline constexpr int float16 = 2;              // CUDA_R_16F
inline constexpr int bfloat16 = 14;            // CUDA_R_16BF
inline constexpr int compute_in_float32 = 68;  // CUBLAS_COMPUTE_32F
inline constexpr int not_transposed = 0;       // CUBLAS_OP_N
inline constexpr int transposed = 1;           // CUBLAS_OP_T
inline constexpr int done = 0;                 // CUBLAS_STATUS_SUCCESS
inline constexpr int not_initialized = 1;      // CUBLAS_STATUS_NOT_INITIALIZED
inline constexpr int allocation_failed = 3;    // CUBLAS_STATUS_ALLOC_FAILED
inline constexpr int not_supported = 15;       // CUBLAS_STATUS_NOT_SUPPORTED

// Throws unless `status` is `done`: OutOfMemory where the device's memory is full, else std::runtime_error with the
// call's name and the library's own words.
void check(int status, const char* call, const char* (*text_of)(int status));

}  // namespace wordbreadth::cuda::cublas
