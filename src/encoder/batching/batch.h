// What the encoder takes at once: sentences packed one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "encoder/snapshot/config.h"

namespace wordbreadth::encoder::batching {

// Sentences one after the other, without padding.
struct Batch {
    std::span<const std::int32_t> ids;    // (tokens), special tokens included
    std::span<const std::int32_t> types;  // (tokens), or empty: all 0
    std::span<const std::size_t> ends;    // (sentences): one past the last token of each; ascending, none empty
    std::span<const std::size_t> kept;    // the tokens whose vectors are wanted; ascending, each once
};

// Throws InputError when an id or a token type is past the model's, a sentence is longer than its positions, or the
// lists do not agree with each other.
void require_fits(const Batch& batch, const snapshot::ModelConfig& config);

}  // namespace wordbreadth::encoder::batching
