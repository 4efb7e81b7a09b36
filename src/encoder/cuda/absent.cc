// In place of the encoder for GPUs, in a build that had no CUDA compiler.
#include "encoder/encoder.h"
#include "wordbreadth/error.h"

namespace wordbreadth::encoder {

std::unique_ptr<Encoder> open_cuda_encoder(const std::string&, const EncoderOptions&) {
    throw InputError("this build has no encoder for GPUs (docs/cuda.md tells how to make one that has)");
}

}  // namespace wordbreadth::encoder
