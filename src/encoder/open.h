// A model with its tokenizer, opened on the device that the options name.
#pragma once

#include <memory>

#include "encoder/encoder.h"
#include "encoder/tokenizer/tokenizer.h"
#include "wordbreadth/encode.h"

namespace wordbreadth::encoder {

struct OpenModel {
    LayerRange layers;  // that were asked for, or the default
    tokenizer::Tokenizer tokenizer;
    std::unique_ptr<Encoder> encoder;
};

// Throws InputError as the constructor of the public Encoder does.
[[nodiscard]] OpenModel open_model(const EncoderOptions& options);

}  // namespace wordbreadth::encoder
