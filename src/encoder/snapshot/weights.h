// The weights of a model, in float32, a part at a time, so that whoever packs them need not have them all twice.
#pragma once

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
    std::vector<float> weight;  // (width)
    std::vector<float> bias;    // (width), or empty
};

struct EmbeddingWeights {
    std::vector<float> words;      // (vocabulary, embedding)
    std::vector<float> positions;  // (position_rows, embedding), or empty
    std::vector<float> types;      // (token_types, embedding), or empty
    std::optional<Norm> norm;
    std::optional<Linear> projection;  // (hidden, embedding), of the norm
};

// What scores have by distance, the same for all layers; see RelativeAttention.
struct RelativeWeights {
    std::vector<float> bias;  // (buckets, heads), added to the scaled scores; or empty
    std::vector<float> rows;  // (buckets, hidden), of which each layer makes keys and queries; or empty
};

struct LayerWeights {
    std::optional<Norm> attention_norm;  // of the first half; a first layer may have none
    Linear qkv;                          // queries, then keys, then values: (attended + 2 keys, hidden)
    std::vector<float> query_norm;       // (head_size): each head's queries are divided by their root mean square and
    std::vector<float> key_norm;         // multiplied by this, and each head's keys; or empty
    std::optional<Linear> position_keys, position_queries;  // of RelativeWeights::rows: (attended, hidden)
    Linear out;                                             // (hidden, attended)
    Norm mlp_norm;                                          // of the second half
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
    [[nodiscard]] EmbeddingWeights embeddings() const;
    [[nodiscard]] RelativeWeights relative() const;
    [[nodiscard]] LayerWeights layer(std::size_t index) const;  // 0 .. config().layers - 1
    [[nodiscard]] std::optional<Norm> final_norm() const;

  private:
    ModelConfig config_;
    TensorSource tensors_;
};

}  // namespace wordbreadth::encoder::snapshot
