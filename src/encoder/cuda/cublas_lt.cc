#include "encoder/cuda/cublas_lt.h"

#include <dlfcn.h>

#include "wordbreadth/error.h"

namespace wordbreadth::encoder::gpu {
namespace {

std::string joined(std::span<const std::string> words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

template <class Function>
void find(void* library, const std::string& file, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr)
        throw InputError(file + " is not a cuBLASLt that the encoder can use: it has no " + name +
                         "; expected version 12 or 13");
}

LtFunctions functions_of(void* library, const std::string& file) {
    LtFunctions functions{};
    find(library, file, "cublasLtCreate", functions.create);
    find(library, file, "cublasLtDestroy", functions.destroy);
    find(library, file, "cublasLtGetStatusString", functions.status_string);
    find(library, file, "cublasLtMatmulDescCreate", functions.create_description);
    find(library, file, "cublasLtMatmulDescDestroy", functions.destroy_description);
    find(library, file, "cublasLtMatmulDescSetAttribute", functions.set_description);
    find(library, file, "cublasLtMatrixLayoutCreate", functions.create_layout);
    find(library, file, "cublasLtMatrixLayoutDestroy", functions.destroy_layout);
    find(library, file, "cublasLtMatrixLayoutSetAttribute", functions.set_layout);
    find(library, file, "cublasLtMatmulPreferenceCreate", functions.create_preference);
    find(library, file, "cublasLtMatmulPreferenceDestroy", functions.destroy_preference);
    find(library, file, "cublasLtMatmulPreferenceSetAttribute", functions.set_preference);
    find(library, file, "cublasLtMatmulAlgoGetHeuristic", functions.propose);
    find(library, file, "cublasLtMatmul", functions.multiply);
    return functions;
}

}  // namespace

std::vector<std::string> cublas_lt_files() {
    const std::string usual_folder = "/usr/local/cuda/lib64/";
    const std::vector<std::string> names{"libcublasLt.so.13", "libcublasLt.so.12"};
    std::vector<std::string> files = names;
    for (const std::string& name : names) files.push_back(usual_folder + name);
    return files;
}

LtFunctions open_cublas_lt(std::span<const std::string> files) {
    for (const std::string& file : files)
        if (void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE))
            return functions_of(library, file);
    throw InputError("the encoder on a GPU needs cuBLAS, which was not found (looked for " + joined(files) +
                     "); install it, put its folder on LD_LIBRARY_PATH, or use --device cpu");
}

}  // namespace wordbreadth::encoder::gpu
