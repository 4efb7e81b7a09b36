// Tensors by their name, each with the shape it must have.
#pragma once

#include <string>
#include <vector>

#include "encoder/snapshot/weights.h"

namespace wordbreadth::encoder::snapshot {

class WeightReader {
  public:
    // Names may carry `prefix` in the file: all of them do when `landmark` does. `tensors` must outlive the reader.
    WeightReader(TensorSource& tensors, const std::string& prefix, const std::string& landmark)
        : tensors_(tensors), prefix_(tensors.contains(prefix + landmark) ? prefix : "") {}

    // Each throws InputError when a tensor is missing or has another shape.
    [[nodiscard]] std::vector<float> read(const std::string& name, const arrays::Shape& shape);
    [[nodiscard]] Norm norm(const std::string& name, std::size_t size, bool has_bias);
    [[nodiscard]] Linear linear(const std::string& name, std::size_t outputs, std::size_t inputs, bool has_bias);

  private:
    TensorSource& tensors_;
    std::string prefix_;
};

// What the two architectures call their tensors.
[[nodiscard]] EmbeddingWeights bert_embeddings(TensorSource& tensors, const ModelConfig& config);
[[nodiscard]] LayerWeights bert_layer(TensorSource& tensors, const ModelConfig& config, std::size_t index);
[[nodiscard]] EmbeddingWeights modernbert_embeddings(TensorSource& tensors, const ModelConfig& config);
[[nodiscard]] LayerWeights modernbert_layer(TensorSource& tensors, const ModelConfig& config, std::size_t index);
[[nodiscard]] Norm modernbert_final_norm(TensorSource& tensors, const ModelConfig& config);

}  // namespace wordbreadth::encoder::snapshot
