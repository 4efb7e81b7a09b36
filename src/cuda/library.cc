#include "cuda/library.h"

#include <dlfcn.h>

#include <utility>

#include "base/strings.h"
#include "wordbreadth/error.h"

namespace wordbreadth::cuda {

std::vector<std::string> library_files(const std::string& name) {
    const std::string usual_folder = "/usr/local/cuda/lib64/";
    std::vector<std::string> files{name + ".so.13", name + ".so.12"};
    files.insert(files.end(), {usual_folder + files[0], usual_folder + files[1]});
    return files;
}

Library::Library(std::span<const std::string> files, Use use) : use_(std::move(use)) {
    for (const std::string& file : files) {
        file_ = file;
        handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (handle_ != nullptr) return;
    }
    throw InputError(use_.by + " needs cuBLAS, which was not found (looked for " + base::joined(files) +
                     "); install it, put its folder on LD_LIBRARY_PATH, or " + use_.instead);
}

void* Library::address_of(const char* name) const {
    void* const address = dlsym(handle_, name);
    if (address == nullptr)
        throw InputError(file_ + " is not a " + use_.name + " that " + use_.by + " can use: it has no " + name +
                         "; expected version 12 or 13");
    return address;
}

}  // namespace wordbreadth::cuda
