// The queries, keys and values of the first layer, by words. Where a row is the norm of a sum of embeddings, its
// projection is a sum too, of what word, position and type give alone, and words repeat: of 1,000 tokens of the King
// James Bible 370 are different words, of 4,000 fewer than 1,000.
#pragma once

#include <vector>

#include "encoder/cpu/product.h"
#include "encoder/snapshot/weights.h"

namespace wordbreadth::encoder::cpu {

struct FirstProjection {
    // For models that add positions and norm the sum.
    FirstProjection(const snapshot::EmbeddingWeights& embeddings, const snapshot::Linear& qkv, Products& products);

    Product words;                 // of a word's embedding: (3 hidden)
    std::vector<float> positions;  // (positions, 3 hidden)
    std::vector<float> types;      // (token_types, 3 hidden)
    std::vector<float> ones;       // (3 hidden): what the mean, which the norm takes away, would give
    std::vector<float> rest;       // (3 hidden): what the biases of norm and projection give
};

}  // namespace wordbreadth::encoder::cpu
