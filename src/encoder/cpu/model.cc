#include "encoder/cpu/model.h"

#include <algorithm>

#include "encoder/encoder.h"

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

// (buckets, attended) to (heads, head_size, stride).
std::vector<float> by_head(const std::vector<float>& rows, std::size_t attended, std::size_t stride) {
    std::vector<float> table(attended * stride);
    for (std::size_t i = 0; i < rows.size(); ++i) table[i % attended * stride + i / attended] = rows[i];
    return table;
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
    const snapshot::Norm& norm = *embeddings.norm;
    const snapshot::Linear linear = scaled(qkv, norm.weight);
    words = products.make(linear, Epilogue::store, Activation::gelu);
    positions = projected(linear, embeddings.positions);
    types = embeddings.types.empty() ? std::vector<float>(qkv.outputs) : projected(linear, embeddings.types);
    ones = row_sums(linear, {}, {});
    const std::vector<float> no_bias(qkv.inputs, 0);
    rest = row_sums(qkv, norm.bias.empty() ? no_bias : norm.bias, qkv.bias);
}

FoldedAttention::FoldedAttention(const snapshot::Linear& qkv, const snapshot::ModelConfig& config) {
    const std::size_t size = config.head_size;
    Products products(Precision::f32);
    for (std::size_t head = 0; head < config.heads; ++head) {
        const std::size_t key = config.attended() + head * size;
        const std::size_t value = key + config.keys();
        ask.push_back(products.make(transposed(snapshot::rows_of(qkv, key, key + size)), Epilogue::store, {}));
        answer.push_back(products.make(snapshot::rows_of(qkv, value, value + size), Epilogue::store, {}));
    }
}

// In multiplications of float32 by oneDNN. Ours cost half as much again, and bfloat16's half. Measured with
// all-MiniLM-L6-v2: in sentences of 24 tokens both ways are even with 9 kept, and 6 in bfloat16; of 100 with 20,
// and 12.
bool folding_pays(std::size_t tokens, std::size_t kept, const snapshot::ModelConfig& config, Precision precision) {
    const std::size_t hidden = config.hidden;
    const std::size_t folded = kept * (2 * hidden * config.attended() + 3 * tokens * config.heads * hidden);
    const std::size_t plain = tokens * 2 * hidden * config.attended();
    return folded < (precision == Precision::bf16 ? plain / 2 : plain);
}

RelativeTables::RelativeTables(const snapshot::RelativeWeights& relative, const snapshot::LayerWeights& layer,
                               const snapshot::ModelConfig& config, double scale) {
    const std::size_t columns = stride(config);
    const auto table = [&](const std::optional<snapshot::Linear>& linear) {
        return linear ? by_head(projected(*linear, relative.rows), config.attended(), columns) : std::vector<float>();
    };
    keys = table(layer.position_keys);
    queries = table(layer.position_queries);
    if (relative.bias.empty()) return;
    bias = by_head(relative.bias, config.heads, columns);
    for (float& value : bias) value = static_cast<float>(value / scale);  // scores are scaled with it
}

std::size_t RelativeTables::stride(const snapshot::ModelConfig& config) {
    return config.relative ? config.relative->buckets + 16 : 0;
}

RelativeTerms RelativeTables::view(const snapshot::ModelConfig& config) const {
    const auto or_null = [](const std::vector<float>& values) { return values.empty() ? nullptr : values.data(); };
    return {.stride = stride(config),
            .bucket_of = config.relative->bucket_of.data() + config.positions - 1,
            .bias = or_null(bias),
            .keys = or_null(keys),
            .queries = or_null(queries)};
}

Model::Model(const snapshot::ModelWeights& weights, std::span<const LayerRange> asked_for, Precision asked)
    : config(weights.config()), precision(asked), embeddings(weights.embeddings()) {
    Products products(precision);
    const std::size_t last = deepest(asked_for);
    if (embeddings.projection) embedding_projection = products.make(*embeddings.projection, Epilogue::store, {});
    const snapshot::RelativeWeights relative = last > 0 ? weights.relative() : snapshot::RelativeWeights();
    layers.reserve(last);
    for (std::size_t i = 0; i < last; ++i) {
        const snapshot::LayerWeights layer = weights.layer(i);
        layers.push_back(pack(products, layer, i));
        if (i + 1 < last) layers.back().qkv = products.make(layer.qkv, Epilogue::store, config.activation);
        if (std::ranges::find(asked_for, i + 1, &LayerRange::last) != asked_for.end())
            layers.back().kept = pack_kept(products, layer, config.attention[i]);
        if (config.relative) layers.back().relative.emplace(relative, layer, config, config.attention[i].scale);
        if (i == 0 && last > 1 && starts_with_a_sum()) first_projection.emplace(embeddings, layer.qkv, products);
    }
    if (last == config.layers) final_norm = weights.final_norm();
}

bool Model::starts_with_a_sum() const {
    return !config.norms_first && config.norm_centres && embeddings.norm && !embeddings.projection &&
           !embeddings.positions.empty();
}

Layer Model::pack(Products& products, const snapshot::LayerWeights& weights, std::size_t index) {
    const snapshot::LayerAttention& attention = config.attention[index];
    Layer layer;
    layer.attention = &attention;
    if (!attention.rotation.empty())
        layer.rotations = &rotations_.try_emplace(attention.rotation, attention.rotation).first->second;
    const auto make = [&](const snapshot::Linear& linear, Epilogue epilogue) {
        return products.make(linear, epilogue, config.activation);
    };
    layer.query_norm = weights.query_norm;
    layer.key_norm = weights.key_norm;
    layer.out = make(weights.out, Epilogue::add);
    layer.up = make(weights.up, Epilogue::activate);
    if (weights.gate) layer.gate = make(*weights.gate, Epilogue::multiply);
    layer.down = make(weights.down, Epilogue::add);
    layer.attention_norm = weights.attention_norm;
    layer.mlp_norm = weights.mlp_norm;
    return layer;
}

KeptProjections Model::pack_kept(Products& products, const snapshot::LayerWeights& weights,
                                 const snapshot::LayerAttention& attention) const {
    const std::size_t attended = config.attended();
    const auto make = [&](std::size_t first, std::size_t end) {
        return products.make(snapshot::rows_of(weights.qkv, first, end), Epilogue::store, config.activation);
    };
    KeptProjections kept{make(0, attended), make(attended, weights.qkv.outputs), {}};
    // Only where keys are a product of the rows themselves, whatever their place.
    const bool of_rows = !config.norms_first && weights.key_norm.empty() && config.key_heads == config.heads;
    if (of_rows && attention.rotation.empty() && attention.sees_all() && !config.relative)
        kept.folded.emplace(weights.qkv, config);
    return kept;
}

void Model::reserve_positions(std::size_t positions) {
    for (auto& [angles, rotations] : rotations_) rotations.reserve(positions);
}

}  // namespace wordbreadth::encoder::cpu
