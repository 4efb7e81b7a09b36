#include "encoder/snapshot/weights.h"

#include "encoder/snapshot/weight_reader.h"

namespace wordbreadth::encoder::snapshot {

namespace {

std::vector<float> stretch(const std::vector<float>& values, std::size_t begin, std::size_t end) {
    if (values.empty()) return {};
    return {values.begin() + static_cast<std::ptrdiff_t>(begin), values.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace

Linear rows_of(const Linear& linear, std::size_t begin, std::size_t end) {
    return {end - begin, linear.inputs, stretch(linear.weight, begin * linear.inputs, end * linear.inputs),
            stretch(linear.bias, begin, end)};
}

ModelWeights::ModelWeights(const std::string& folder) : config_(read_config(folder)), tensors_(open_tensors(folder)) {}

EmbeddingWeights ModelWeights::embeddings() {
    return config_.architecture == Architecture::bert ? bert_embeddings(*tensors_, config_)
                                                      : modernbert_embeddings(*tensors_, config_);
}

LayerWeights ModelWeights::layer(std::size_t index) {
    return config_.architecture == Architecture::bert ? bert_layer(*tensors_, config_, index)
                                                      : modernbert_layer(*tensors_, config_, index);
}

std::optional<Norm> ModelWeights::final_norm() {
    if (!config_.norms_first()) return std::nullopt;
    return modernbert_final_norm(*tensors_, config_);
}

}  // namespace wordbreadth::encoder::snapshot
