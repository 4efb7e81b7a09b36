#include "encoder/weights.h"

#include "encoder/weight_reader.h"

namespace wordbreadth::encoder {

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

}  // namespace wordbreadth::encoder
