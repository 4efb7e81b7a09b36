// The model that an extraction uses: its tokenizer, its encoder, the hash that identifies it.
#pragma once

#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "encoder/encoder.h"
#include "encoder/tokenizer/tokenizer.h"
#include "extraction/encoders.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::extraction {

// What a store says of it.
struct ModelRecord {
    std::vector<LayerRange> layers;
    std::size_t model_layers = 0;  // that the model has
    std::string device;            // "cpu" or "cuda"
    std::string precision;         // that is really used
    std::string sha256;            // its fingerprint, or zeros while that is not known
    std::size_t shard_tokens = 0;  // a few minutes' work for two cores
};

struct Model : ModelRecord {
    std::unique_ptr<encoder::Encoder> encoder;
    double seconds_to_open = 0;
    std::vector<OpenEncoder> others = {};  // the same on each of the further GPUs
};

// Those asked for, ascending: the order in which they are named makes no difference to a store.
[[nodiscard]] std::vector<LayerRange> layers_of(const ExtractOptions& options);

// The SHA-256 that a model is known by again, of its config, tokenizer and weights. Throws InputError when the folder
// holds no model.
[[nodiscard]] std::string fingerprint(const std::string& folder);

// A model whose tokenizer is there at once, while weights are read and hashed on other threads, if there are to be any.
class OpeningModel {
  public:
    // `sha256` is its fingerprint where that is known already. Without weights there is nothing to require or get.
    // Throws InputError when the tokenizer cannot be used, or is another model's.
    explicit OpeningModel(const ExtractOptions& options, const std::string& sha256 = {}, bool with_weights = true);
    OpeningModel(const OpeningModel&) = delete;
    OpeningModel& operator=(const OpeningModel&) = delete;
    ~OpeningModel() = default;  // waits

    [[nodiscard]] const encoder::tokenizer::Tokenizer& tokenizer() const { return tokenizer_; }

    // What a plan says of it, but for the fingerprint: known soon.
    [[nodiscard]] const ModelRecord& record();

    // Waits for its fingerprint.
    [[nodiscard]] const std::string& sha256();

    // Waits until it is open, or throws InputError, each time, when the model cannot be used or the options ask for
    // what it lacks.
    void require_usable();

    // Waits until it is ready to run; throws as require_usable() does.
    [[nodiscard]] Model& get();

    // Throws what get() throws if that is known already.
    void check();

  private:
    encoder::tokenizer::Tokenizer tokenizer_;
    Timing* timing_;
    std::shared_future<std::string> sha256_;
    std::shared_future<ModelRecord> record_;
    std::shared_future<std::shared_ptr<Model>> model_;
    std::shared_future<void> warm_;
};

}  // namespace wordbreadth::extraction
