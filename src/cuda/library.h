// Libraries of CUDA's that are opened when they are asked for and never linked, so that the program starts where they
// are not installed.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace wordbreadth::cuda {

// What is tried for "libcublas", say, in this order. Names without a folder are looked up as the system does it,
// LD_LIBRARY_PATH included.
[[nodiscard]] std::vector<std::string> library_files(const std::string& name);

class Library {
  public:
    // Whose library it is, for messages.
    struct Use {
        std::string name;     // "cuBLAS"
        std::string by;       // "cuda-paper"
        std::string instead;  // the end of "install it, put its folder on LD_LIBRARY_PATH, or ..."
    };

    // Opens the first of `files` that is there. It stays loaded until the process ends: a library that has given
    // kernels to the driver cannot be taken away safely. Throws InputError when there is none.
    Library(std::span<const std::string> files, Use use);

    // Throws InputError when the library has no such function.
    template <class Function>
    void find(const char* name, Function& function) const {
        function = reinterpret_cast<Function>(address_of(name));
    }

  private:
    [[nodiscard]] void* address_of(const char* name) const;

    Use use_;
    std::string file_;
    void* handle_ = nullptr;
};

// What users of cuBLAS and cuBLASLt share: values of their C interfaces, which have kept them since version 11, so that
// no header of theirs is needed; and errors.
namespace cublas {

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

}  // namespace cublas

}  // namespace wordbreadth::cuda
