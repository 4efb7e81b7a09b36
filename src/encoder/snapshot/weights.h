// The named tensors of a snapshot, whatever files they lie in, and the weights of a model that they are: in float32, a
// part at a time, so that whoever packs them need not have them all twice.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arrays/array_file.h"
#include "base/file.h"
#include "encoder/snapshot/config.h"

namespace wordbreadth::encoder::snapshot {

struct StoredTensor {
    std::string where;    // "FILE:NAME", for messages
    arrays::Shape shape;  // the file has been found to hold as many values

    // Reads all values; `into` has their number. Throws InputError when they are not float16, bfloat16, float32 or
    // float64, or cannot be read, or are not finite.
    std::function<void(std::span<float> into)> read;
};

struct TensorSource {
    std::string where;  // the file that should have a tensor where there is none
    std::map<std::string, StoredTensor> tensors = {};

    [[nodiscard]] bool contains(const std::string& name) const { return tensors.contains(name); }
};

// model.safetensors; or else the shards that model.safetensors.index.json lists; or else pytorch_model.bin.
// Throws InputError when `folder` has none of them, or the one it has is malformed.
[[nodiscard]] TensorSource open_tensors(const std::string& folder);

// pytorch_model.bin by itself: see torch.cc. Throws InputError when the file is missing or malformed.
[[nodiscard]] TensorSource open_torch_file(const std::string& path);

// Reads into.size() values of the tensor `where` from where `source` stands; throws InputError when one is not finite.
void read_floats(base::Bytes& source, const std::string& where, arrays::Element type, std::span<float> into);

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
    TensorSource tensors_;
};

}  // namespace wordbreadth::encoder::snapshot
