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

}  // namespace wordbreadth::cuda
