// The model that an extraction uses: its tokenizer, its encoder, and the hash that identifies it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "encoder/encoder.h"
#include "encoder/tokenizer/tokenizer.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::extraction {

// What a store says of it.
struct ModelRecord {
    LayerRange layers;
    std::string device;            // "cpu" or "cuda"
    std::string number_type;       // that is really used
    std::string sha256;            // its fingerprint
    std::size_t shard_tokens = 0;  // a few minutes' work for two cores
};

struct Model : ModelRecord {
    tokenizer::Tokenizer tokenizer;
    std::unique_ptr<encoder::Encoder> encoder;
};

// The SHA-256 that a model is known by again, of its config, tokenizer and weights. Throws InputError when the folder
// holds no model.
[[nodiscard]] std::string fingerprint(const std::string& folder);

// `sha256` is its fingerprint where that is known already. Throws InputError when the model cannot be used, its
// tokenizer is another model's, or the options ask for what it lacks.
[[nodiscard]] Model open_model(const ExtractOptions& options, const std::string& sha256 = {});

}  // namespace wordbreadth::extraction
