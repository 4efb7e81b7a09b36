// A model's weights as the CPU likes them, up to the last layer that is asked for.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "encoder/cpu/first_projection.h"
#include "encoder/cpu/folded_attention.h"
#include "encoder/cpu/product.h"
#include "encoder/snapshot/weights.h"

namespace wordbreadth::encoder::cpu {

// Cosine and sine of every position's angles, for one base. Grows with the sentences that are seen.
class Rotations {
  public:
    Rotations(double base, std::size_t head_size);
    void reserve(std::size_t positions);
    [[nodiscard]] const float* cosines() const { return cosines_.data(); }  // (positions, head_size / 2)
    [[nodiscard]] const float* sines() const { return sines_.data(); }

  private:
    std::vector<float> frequencies_;  // (head_size / 2)
    std::vector<float> cosines_, sines_;
};

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
    const Rotations* rotations = nullptr;
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

    // To be called before sentences of so many tokens are run.
    void reserve_positions(std::size_t positions);

  private:
    Layer pack(Products& products, const snapshot::LayerWeights& weights, std::size_t index, bool is_last);

    std::map<double, Rotations> rotations_;  // by base
};

}  // namespace wordbreadth::encoder::cpu
