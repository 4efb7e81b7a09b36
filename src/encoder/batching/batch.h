// What the encoder takes at once: sentences packed one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

// Part of a batch: whole sentences, one after the other, that are carried through all layers together.
struct Piece {
    std::size_t first_sentence, end_sentence;
    std::size_t first_token, end_token;
    std::size_t first_kept, end_kept;  // of batch.kept

    [[nodiscard]] std::size_t tokens() const { return end_token - first_token; }
    [[nodiscard]] std::size_t kept() const { return end_kept - first_kept; }
};

// Pieces of at most `tokens_together` tokens, or of one sentence that is longer. Sentences of which nothing is kept are
// in none.
[[nodiscard]] std::vector<Piece> cut(const Batch& batch, std::size_t tokens_together);

}  // namespace wordbreadth::encoder::batching
