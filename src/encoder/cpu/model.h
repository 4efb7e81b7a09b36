// A model's weights packed for the CPU, up to the last layer that is asked for.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "encoder/batching/batch.h"
#include "encoder/cpu/product.h"
#include "encoder/snapshot/config.h"
#include "encoder/snapshot/weights.h"

namespace wordbreadth::encoder::cpu {

// The queries, keys and values of the first layer, by words. Where a row is the norm of a sum of embeddings, its
// projection is a sum too, of what word, position and type give alone, and words repeat: of 1,000 tokens of the King
// James Bible 370 are different words, of 4,000 fewer than 1,000.
struct FirstProjection {
    // For models that add positions and norm the sum.
    FirstProjection(const snapshot::EmbeddingWeights& embeddings, const snapshot::Linear& qkv, Products& products);

    Product words;                 // of a word's embedding: (3 hidden)
    std::vector<float> positions;  // (positions, 3 hidden)
    std::vector<float> types;      // (token_types, 3 hidden)
    std::vector<float> ones;       // (3 hidden): what the mean, which the norm takes away, would give
    std::vector<float> rest;       // (3 hidden): what the biases of norm and projection give
};

// Attention of the last layer where few tokens of a sentence are kept. A score is q . (W x + b) for the row x of every
// token: but for a number that all tokens share, and that softmax takes away, this is (W^T q) . x. So the keys' matrix
// goes to the few queries and, in the same way, the values' to the few answers; keys and values of the other tokens
// are never made. Measured with one token of 24 kept, at layer 3 of all-MiniLM-L6-v2: 6.6% faster in float32, 4.6% in
// bfloat16.
// The products are in float32, whatever the precision of the model: they are for few rows.
struct FoldedAttention {
    FoldedAttention(const snapshot::Linear& qkv, std::size_t heads);

    std::vector<Product> ask;     // (heads): of a head's query, what it asks of a row: (hidden)
    std::vector<Product> answer;  // (heads): of what it sees, the mean of rows, its answer: (head_size)
};

// Whether it is the faster way for a sentence. Depends on nothing but the sentence, and so do its vectors.
[[nodiscard]] bool folding_pays(std::size_t tokens, std::size_t kept, const snapshot::ModelConfig& config,
                                Precision precision);

struct Layer {
    std::optional<snapshot::Norm> attention_norm;
    std::optional<Product> queries;         // of the last layer alone, where only some rows ask
    std::optional<FoldedAttention> folded;  // there, where it can be
    Product qkv;                            // there keys and values; else queries, keys and values
    Product out;                            // added to the rows
    snapshot::Norm mlp_norm;
    Product up;
    std::optional<Product> gate;
    Product down;  // added to the rows
    std::size_t reach = 0;
    const batching::Rotations* rotations = nullptr;
};

class Model {
  public:
    // Reads layers 1 .. last. Throws InputError when the snapshot is at fault.
    Model(snapshot::ModelWeights& weights, std::size_t last, Precision precision);

    const snapshot::ModelConfig config;
    const Precision precision;
    snapshot::EmbeddingWeights embeddings;
    std::vector<Layer> layers;
    std::optional<FirstProjection> first_projection;  // in place of that of the first layer, where it can be
    std::optional<snapshot::Norm> final_norm;         // where the last layer of the model is the last asked for

    // To be called before sentences of this many tokens are run.
    void reserve_positions(std::size_t positions);

  private:
    Layer pack(Products& products, const snapshot::LayerWeights& weights, std::size_t index, bool is_last);

    std::map<double, batching::Rotations> rotations_;  // by base
};

}  // namespace wordbreadth::encoder::cpu
