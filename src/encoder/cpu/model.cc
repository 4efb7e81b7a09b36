#include "encoder/cpu/model.h"

#include <cmath>

namespace wordbreadth::encoder::cpu {

// In float32 as transformers does it: at far positions the rounding of a frequency shows.
Rotations::Rotations(double base, std::size_t head_size) {
    for (std::size_t i = 0; i < head_size / 2; ++i) {
        const float exponent = static_cast<float>(2 * i) / static_cast<float>(head_size);
        frequencies_.push_back(1.0F / std::pow(static_cast<float>(base), exponent));
    }
}

void Rotations::reserve(std::size_t positions) {
    for (std::size_t position = cosines_.size() / frequencies_.size(); position < positions; ++position) {
        for (const float frequency : frequencies_) {
            const double angle = static_cast<float>(position) * frequency;
            cosines_.push_back(static_cast<float>(std::cos(angle)));
            sines_.push_back(static_cast<float>(std::sin(angle)));
        }
    }
}

Model::Model(snapshot::ModelWeights& weights, std::size_t last, Precision asked)
    : config(weights.config()), precision(asked), embeddings(weights.embeddings()) {
    Products products(precision);
    layers.reserve(last);
    for (std::size_t i = 0; i < last; ++i) {
        const snapshot::LayerWeights layer = weights.layer(i);
        layers.push_back(pack(products, layer, i, i + 1 == last));
        const bool is_sum = !config.norms_first() && !embeddings.positions.empty() && !embeddings.types.empty();
        if (i == 0 && last > 1 && is_sum) first_projection.emplace(embeddings, layer.qkv, products);
    }
    if (last == config.layers) final_norm = weights.final_norm();
}

Layer Model::pack(Products& products, const snapshot::LayerWeights& weights, std::size_t index, bool is_last) {
    const snapshot::LayerAttention& attention = config.attention[index];
    const std::size_t hidden = config.hidden;
    Layer layer;
    layer.reach = attention.reach;
    if (attention.rotary_base > 0) {
        layer.rotations =
            &rotations_.try_emplace(attention.rotary_base, attention.rotary_base, config.head_size()).first->second;
    }
    const auto make = [&](const snapshot::Linear& linear, Then then) {
        return products.make(linear, then, config.activation);
    };
    if (is_last) layer.queries = make(snapshot::rows_of(weights.qkv, 0, hidden), Then::store);
    layer.qkv = make(is_last ? snapshot::rows_of(weights.qkv, hidden, 3 * hidden) : weights.qkv, Then::store);
    // Only where keys are a product of the rows themselves, whatever their place.
    if (is_last && !config.norms_first() && attention.rotary_base == 0 &&
        attention.reach == snapshot::LayerAttention::everywhere)
        layer.folded.emplace(weights.qkv, config.heads);
    layer.out = make(weights.out, Then::add);
    layer.up = make(weights.up, Then::activate);
    if (weights.gate) layer.gate = make(*weights.gate, Then::multiply);
    layer.down = make(weights.down, Then::add);
    layer.attention_norm = weights.attention_norm;
    layer.mlp_norm = weights.mlp_norm;
    return layer;
}

void Model::reserve_positions(std::size_t positions) {
    for (auto& [base, rotations] : rotations_) rotations.reserve(positions);
}

}  // namespace wordbreadth::encoder::cpu
