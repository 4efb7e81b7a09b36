// In place of the encoder for GPUs, in a build that had no CUDA compiler.
#include "encoder/encoder.h"

namespace wordbreadth::encoder {

Device describe_cuda() {
    Device device;
    device.name = "cuda";
    device.description = "NVIDIA GPU";
    device.unavailable_because = "this build has no encoder for GPUs (docs/cuda.md says how to make one)";
    return device;
}

std::vector<std::string> gpus_alike() {
    return {};
}

std::unique_ptr<Encoder> open_cuda_encoder(const std::string&, const RunOptions&) {
    throw InputError(describe_cuda().unavailable_because);
}

}  // namespace wordbreadth::encoder
