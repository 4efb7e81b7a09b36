// The names of BERT's tensors.
#include "encoder/snapshot/weight_reader.h"

namespace wordbreadth::encoder::snapshot {

namespace {

WeightReader reader_of(TensorSource& tensors) {
    return {tensors, "bert.", "embeddings.word_embeddings.weight"};
}

void append(std::vector<float>& to, const std::vector<float>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

// Three tensors in the file, one product here.
Linear read_qkv(WeightReader& reader, const std::string& place, std::size_t hidden) {
    Linear all{3 * hidden, hidden, {}, {}};
    for (const char* part : {"query", "key", "value"}) {
        const Linear one = reader.linear(place + part, hidden, hidden, true);
        append(all.weight, one.weight);
        append(all.bias, one.bias);
    }
    return all;
}

}  // namespace

EmbeddingWeights bert_embeddings(TensorSource& tensors, const ModelConfig& config) {
    WeightReader reader = reader_of(tensors);
    return {reader.read("embeddings.word_embeddings.weight", {config.vocabulary, config.hidden}),
            reader.read("embeddings.position_embeddings.weight", {config.positions, config.hidden}),
            reader.read("embeddings.token_type_embeddings.weight", {config.token_types, config.hidden}),
            reader.norm("embeddings.LayerNorm", config.hidden, true)};
}

LayerWeights bert_layer(TensorSource& tensors, const ModelConfig& config, std::size_t index) {
    WeightReader reader = reader_of(tensors);
    const std::string layer = "encoder.layer." + std::to_string(index) + ".";
    LayerWeights weights;
    weights.qkv = read_qkv(reader, layer + "attention.self.", config.hidden);
    weights.out = reader.linear(layer + "attention.output.dense", config.hidden, config.hidden, true);
    weights.attention_norm = reader.norm(layer + "attention.output.LayerNorm", config.hidden, true);
    weights.up = reader.linear(layer + "intermediate.dense", config.intermediate, config.hidden, true);
    weights.down = reader.linear(layer + "output.dense", config.hidden, config.intermediate, true);
    weights.mlp_norm = reader.norm(layer + "output.LayerNorm", config.hidden, true);
    return weights;
}

}  // namespace wordbreadth::encoder::snapshot
