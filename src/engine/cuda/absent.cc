// In place of the CUDA engines, in a build that had no CUDA compiler.
#include "engine/cuda/cuda.h"
#include "wordbreadth/error.h"

namespace wordbreadth::engine::cuda {
namespace {

constexpr const char* because = "this build has no CUDA engine (docs/cuda.md says how to make one)";

}  // namespace

Device device() {
    return {"cuda", "NVIDIA GPU", false, because, {}, {}};
}

Device paper_device() {
    return {"cuda-paper", "NVIDIA GPU: the paper's Algorithm 2; approximate", false, because, {}, {}, false};
}

bool gpu_is_visible() {
    return false;
}

std::unique_ptr<Backend> make(const Execution&) {
    throw InputError(because);
}

std::unique_ptr<Backend> make_paper(const Execution&) {
    throw InputError(because);
}

}  // namespace wordbreadth::engine::cuda
