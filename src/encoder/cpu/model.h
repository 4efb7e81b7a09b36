// A model's weights packed for the CPU, up to the deepest layer that is asked for.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "encoder/batching/batch.h"
#include "encoder/cpu/kernels.h"
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

    Product words;                 // of a word's embedding: (width), that of queries, keys and values together
    std::vector<float> positions;  // (position_rows, width)
    std::vector<float> types;      // (token_types, width); zeros where there are none
    std::vector<float> ones;       // (width): what the mean, which the norm takes away, would give
    std::vector<float> rest;       // (width): what the biases of norm and projection give
};

// Attention of a layer that hands its rows out, where few tokens of a sentence are kept. A score is q . (W x + b) for
// the row x of every token: but for a number that all tokens share, and that softmax takes away, this is (W^T q) . x.
// So the keys' matrix goes to the few queries and, in the same way, the values' to the few answers; keys and values of
// the other tokens are never made. Measured with one token of 24 kept, at layer 3 of all-MiniLM-L6-v2: 6.6% faster in
// float32, 4.6% in bfloat16. The products are in float32, whatever the precision of the model: they are for few rows.
struct FoldedAttention {
    FoldedAttention(const snapshot::Linear& qkv, const snapshot::ModelConfig& config);

    std::vector<Product> ask;     // (heads): of a head's query, what it asks of a row: (hidden)
    std::vector<Product> answer;  // (heads): of what it sees, the mean of rows, its answer: (head_size)
};

// Whether it is the faster way for a sentence. Depends on nothing but the sentence, and so do its vectors.
[[nodiscard]] bool folding_pays(std::size_t tokens, std::size_t kept, const snapshot::ModelConfig& config,
                                Precision precision);

// What scores have by distance, as the loops want it.
struct RelativeTables {
    RelativeTables(const snapshot::RelativeWeights& relative, const snapshot::LayerWeights& layer,
                   const snapshot::ModelConfig& config, double scale);

    [[nodiscard]] static std::size_t stride(const snapshot::ModelConfig& config);
    [[nodiscard]] RelativeTerms view(const snapshot::ModelConfig& config) const;

    std::vector<float> bias, keys, queries;  // as in RelativeTerms, or empty
};

// A layer that hands its rows out: only the kept ones ask.
struct KeptProjections {
    Product queries;
    Product keys_and_values;
    std::optional<FoldedAttention> folded;  // where it can be
};

struct Layer {
    std::optional<snapshot::Norm> attention_norm;
    std::optional<Product> qkv;               // queries, keys and values of all rows; of all layers but the last
    std::optional<KeptProjections> kept;      // where its rows are asked for
    std::vector<float> query_norm, key_norm;  // (head_size), or empty
    Product out;                              // added to the rows
    snapshot::Norm mlp_norm;
    Product up;
    std::optional<Product> gate;
    Product down;  // added to the rows
    const snapshot::LayerAttention* attention = nullptr;
    const batching::Rotations* rotations = nullptr;
    std::optional<RelativeTables> relative;
};

class Model {
  public:
    // Reads the layers up to the deepest one. Throws InputError when the snapshot is at fault.
    Model(const snapshot::ModelWeights& weights, std::span<const LayerRange> asked_for, Precision precision);

    const snapshot::ModelConfig config;
    const Precision precision;
    snapshot::EmbeddingWeights embeddings;
    std::optional<Product> embedding_projection;
    std::vector<Layer> layers;
    std::optional<FirstProjection> first_projection;  // in place of that of the first layer, where it can be
    std::optional<snapshot::Norm> final_norm;         // where the last layer of the model is the last asked for

    // To be called before sentences of this many tokens are run.
    void reserve_positions(std::size_t positions);

  private:
    Layer pack(Products& products, const snapshot::LayerWeights& weights, std::size_t index);
    [[nodiscard]] KeptProjections pack_kept(Products& products, const snapshot::LayerWeights& weights,
                                            const snapshot::LayerAttention& attention) const;
    [[nodiscard]] bool starts_with_a_sum() const;

    std::map<std::vector<float>, batching::Rotations> rotations_;  // by their angles
};

}  // namespace wordbreadth::encoder::cpu
