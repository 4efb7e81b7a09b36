#include "encoder/cpu/model.h"

#include <algorithm>

namespace wordbreadth::encoder::cpu {

namespace {

// The norm's weights go into the matrix.
snapshot::Linear scaled(const snapshot::Linear& qkv, const std::vector<float>& norm) {
    snapshot::Linear linear{qkv.outputs, qkv.inputs, qkv.weight, {}};
    for (std::size_t i = 0; i < linear.weight.size(); ++i) linear.weight[i] *= norm[i % linear.inputs];
    return linear;
}

// In float32, whatever the precision of the model: this is done once.
std::vector<float> projected(const snapshot::Linear& linear, const std::vector<float>& rows) {
    const std::size_t count = rows.size() / linear.inputs;
    const std::size_t padded = Product::padded_rows(count);
    Buffer in;
    Buffer out;
    in.reserve(padded * linear.inputs * sizeof(float));
    out.reserve(padded * linear.outputs * sizeof(float));
    std::ranges::copy(rows, in.as<float>());
    Products(Precision::f32).make(linear, Epilogue::store, Activation::gelu).run(count, in.as<void>(), out.as<void>());
    return {out.as<float>(), out.as<float>() + count * linear.outputs};
}

std::vector<float> row_sums(const snapshot::Linear& linear, const std::vector<float>& factors,
                            const std::vector<float>& bias) {
    std::vector<float> sums;
    for (std::size_t o = 0; o < linear.outputs; ++o) {
        double sum = bias.empty() ? 0 : bias[o];
        for (std::size_t i = 0; i < linear.inputs; ++i)
            sum += double{linear.weight[o * linear.inputs + i]} * (factors.empty() ? 1 : factors[i]);
        sums.push_back(static_cast<float>(sum));
    }
    return sums;
}

snapshot::Linear transposed(const snapshot::Linear& linear) {
    snapshot::Linear result{linear.inputs, linear.outputs, std::vector<float>(linear.weight.size()), {}};
    for (std::size_t o = 0; o < linear.outputs; ++o) {
        for (std::size_t i = 0; i < linear.inputs; ++i)
            result.weight[i * linear.outputs + o] = linear.weight[o * linear.inputs + i];
    }
    return result;
}

}  // namespace

FirstProjection::FirstProjection(const snapshot::EmbeddingWeights& embeddings, const snapshot::Linear& qkv,
                                 Products& products) {
    const snapshot::Linear linear = scaled(qkv, embeddings.norm.weight);
    words = products.make(linear, Epilogue::store, Activation::gelu);
    positions = projected(linear, embeddings.positions);
    types = projected(linear, embeddings.types);
    ones = row_sums(linear, {}, {});
    const std::vector<float> no_bias(qkv.inputs, 0);
    rest = row_sums(qkv, embeddings.norm.bias.empty() ? no_bias : embeddings.norm.bias, qkv.bias);
}

FoldedAttention::FoldedAttention(const snapshot::Linear& qkv, std::size_t heads) {
    const std::size_t hidden = qkv.inputs;
    const std::size_t head_size = hidden / heads;
    Products products(Precision::f32);
    for (std::size_t head = 0; head < heads; ++head) {
        const std::size_t key = hidden + head * head_size;
        const std::size_t value = key + hidden;
        ask.push_back(products.make(transposed(snapshot::rows_of(qkv, key, key + head_size)), Epilogue::store, {}));
        answer.push_back(products.make(snapshot::rows_of(qkv, value, value + head_size), Epilogue::store, {}));
    }
}

// In multiplications of float32 by oneDNN. Ours cost half as much again, and bfloat16's half. Measured with
// all-MiniLM-L6-v2: in sentences of 24 tokens both ways are even with 9 kept, and 6 in bfloat16; of 100 with 20,
// and 12.
bool folding_pays(std::size_t tokens, std::size_t kept, const snapshot::ModelConfig& config, Precision precision) {
    const std::size_t hidden = config.hidden;
    const std::size_t folded = kept * (2 * hidden * hidden + 3 * tokens * config.heads * hidden);
    const std::size_t plain = tokens * 2 * hidden * hidden;
    return folded < (precision == Precision::bf16 ? plain / 2 : plain);
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
    const auto make = [&](const snapshot::Linear& linear, Epilogue epilogue) {
        return products.make(linear, epilogue, config.activation);
    };
    if (is_last) layer.queries = make(snapshot::rows_of(weights.qkv, 0, hidden), Epilogue::store);
    layer.qkv = make(is_last ? snapshot::rows_of(weights.qkv, hidden, 3 * hidden) : weights.qkv, Epilogue::store);
    // Only where keys are a product of the rows themselves, whatever their place.
    if (is_last && !config.norms_first() && attention.rotary_base == 0 &&
        attention.reach == snapshot::LayerAttention::everywhere)
        layer.folded.emplace(weights.qkv, config.heads);
    layer.out = make(weights.out, Epilogue::add);
    layer.up = make(weights.up, Epilogue::activate);
    if (weights.gate) layer.gate = make(*weights.gate, Epilogue::multiply);
    layer.down = make(weights.down, Epilogue::add);
    layer.attention_norm = weights.attention_norm;
    layer.mlp_norm = weights.mlp_norm;
    return layer;
}

void Model::reserve_positions(std::size_t positions) {
    for (auto& [base, rotations] : rotations_) rotations.reserve(positions);
}

}  // namespace wordbreadth::encoder::cpu
