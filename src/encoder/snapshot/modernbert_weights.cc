// The names of ModernBERT's tensors.
#include <algorithm>

#include "encoder/snapshot/weight_reader.h"

namespace wordbreadth::encoder::snapshot {

namespace {

WeightReader reader_of(TensorSource& tensors) {
    return {tensors, "model.", "embeddings.tok_embeddings.weight"};
}

std::vector<float> part(const std::vector<float>& values, std::size_t which) {
    const auto half = static_cast<std::ptrdiff_t>(values.size() / 2);
    const auto begin = values.begin() + (which == 0 ? 0 : half);
    return {begin, begin + half};
}

// One tensor in the file holds both the activated rows and, below them, those of the gate.
Linear half_of(const Linear& both, std::size_t which) {
    return {both.outputs / 2, both.inputs, part(both.weight, which), part(both.bias, which)};
}

}  // namespace

EmbeddingWeights modernbert_embeddings(TensorSource& tensors, const ModelConfig& config) {
    WeightReader reader = reader_of(tensors);
    return {reader.read("embeddings.tok_embeddings.weight", {config.vocabulary, config.hidden}),
            {},
            {},
            reader.norm("embeddings.norm", config.hidden, config.norm_bias)};
}

LayerWeights modernbert_layer(TensorSource& tensors, const ModelConfig& config, std::size_t index) {
    WeightReader reader = reader_of(tensors);
    const std::string layer = "layers." + std::to_string(index) + ".";
    LayerWeights weights;
    if (index > 0) weights.attention_norm = reader.norm(layer + "attn_norm", config.hidden, config.norm_bias);
    weights.qkv = reader.linear(layer + "attn.Wqkv", 3 * config.hidden, config.hidden, config.attention_bias);
    weights.out = reader.linear(layer + "attn.Wo", config.hidden, config.hidden, config.attention_bias);
    weights.mlp_norm = reader.norm(layer + "mlp_norm", config.hidden, config.norm_bias);
    const Linear both = reader.linear(layer + "mlp.Wi", 2 * config.intermediate, config.hidden, config.mlp_bias);
    weights.up = half_of(both, 0);
    weights.gate = half_of(both, 1);
    weights.down = reader.linear(layer + "mlp.Wo", config.hidden, config.intermediate, config.mlp_bias);
    return weights;
}

Norm modernbert_final_norm(TensorSource& tensors, const ModelConfig& config) {
    return reader_of(tensors).norm("final_norm", config.hidden, config.norm_bias);
}

}  // namespace wordbreadth::encoder::snapshot
