// The weights of a model in float32, a part at a time: whoever packs them need not have them all twice.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "encoder/snapshot/config.h"
#include "encoder/snapshot/tensors.h"

namespace wordbreadth::encoder::snapshot {

struct Linear {
    std::size_t outputs = 0;
    std::size_t inputs = 0;
    std::vector<float> weight;  // (outputs, inputs)
    std::vector<float> bias;    // (outputs), or empty
};

// Some of its outputs alone.
[[nodiscard]] Linear rows_of(const Linear& linear, std::size_t begin, std::size_t end);

struct Norm {
    std::vector<float> weight;  // (hidden)
    std::vector<float> bias;    // (hidden), or empty
};

struct EmbeddingWeights {
    std::vector<float> words;      // (vocabulary, hidden)
    std::vector<float> positions;  // (positions, hidden), or empty
    std::vector<float> types;      // (token_types, hidden), or empty
    Norm norm;
};

struct LayerWeights {
    std::optional<Norm> attention_norm;  // of the first half; ModernBERT's first layer has none
    Linear qkv;                          // queries, then keys, then values: (3 hidden, hidden)
    Linear out;
    Norm mlp_norm;  // of the second half
    Linear up;
    std::optional<Linear> gate;  // what the activated `up` is multiplied by
    Linear down;
};

class ModelWeights {
  public:
    // Opens a snapshot folder and reads no weights yet. Throws InputError when a file is missing or malformed.
    explicit ModelWeights(const std::string& folder);

    [[nodiscard]] const ModelConfig& config() const { return config_; }

    // Each throws InputError, naming the tensor, when one is missing or has not the shape that config.json asks for.
    [[nodiscard]] EmbeddingWeights embeddings();
    [[nodiscard]] LayerWeights layer(std::size_t index);  // 0 .. config().layers - 1
    [[nodiscard]] std::optional<Norm> final_norm();

  private:
    ModelConfig config_;
    std::unique_ptr<TensorSource> tensors_;
};

}  // namespace wordbreadth::encoder::snapshot
