// config.json, and what architectures have in common in it. Values that have a default are given it, as transformers
// does; each function throws InputError, naming the key, when there is something else than it expects.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/snapshot/config.h"
#include "encoder/snapshot/json_file.h"

namespace wordbreadth::encoder::snapshot {

// What the sizes are called. But for the width of the MLPs, the names below stand for them in every architecture, and
// are believed first, as in transformers.
struct SizeKeys {
    const char* hidden = "hidden_size";
    const char* layers = "num_hidden_layers";
    const char* heads = "num_attention_heads";
    const char* intermediate = "intermediate_size";
    const char* positions = "max_position_embeddings";
};

class ConfigFile {
  public:
    // `json` must outlive the object.
    explicit ConfigFile(const JsonValue& json) : json_(json) {}

    [[nodiscard]] const JsonValue& json() const { return json_; }

    [[nodiscard]] std::size_t size_or(const std::string& key, std::size_t otherwise, std::size_t most) const;   // 1 ..
    [[nodiscard]] std::size_t count_or(const std::string& key, std::size_t otherwise, std::size_t most) const;  // 0 ..
    [[nodiscard]] double number_or(const std::string& key, double otherwise) const;  // finite and above 0
    [[nodiscard]] bool boolean_or(const std::string& key, bool otherwise) const;
    [[nodiscard]] Activation activation_or(const std::string& key, Activation otherwise) const;

    // The sizes of `defaults` as the file has them. A head's size is hidden / heads, and every head has keys and values
    // of its own; every layer sees all, and embeddings are as wide as the rows.
    [[nodiscard]] ModelConfig sizes(ModelConfig defaults, const SizeKeys& keys = {}) const;

    // The same for decoders: head_dim, or else a default (0: hidden / heads), and num_key_value_heads; see_before().
    [[nodiscard]] ModelConfig decoder_sizes(ModelConfig defaults) const;

    // Every token sees those before it alone, unless is_causal is false: decoders made into encoders, as transformers 5
    // has them.
    void see_before(ModelConfig& config) const;

    // Rotary angles for heads of this size. `parameters` is where transformers 5 has them, or rope_scaling; may be
    // null.
    [[nodiscard]] std::vector<float> rotation(const JsonValue* parameters, double base, std::size_t head_size) const;
    // For all layers: rope_scaling, or else rope_parameters, and rope_theta where they have none.
    void rotate(ModelConfig& config, double default_base) const;

    // Which layers see only their surroundings, as layer_types lists them; without that, those that `otherwise` says.
    template <class Otherwise>
    [[nodiscard]] std::vector<bool> local_layers(std::size_t layers, const Otherwise& otherwise) const {
        std::vector<bool> local = listed_local_layers(layers);
        for (std::size_t layer = local.size(); layer < layers; ++layer) local.push_back(otherwise(layer));
        return local;
    }

    // Every token its row of a table of positions, which has as many as `config.positions` says: as in ModelConfig.
    void add_positions(ModelConfig& config, std::size_t first_position = 0,
                       std::optional<std::int32_t> padding = std::nullopt) const;

    // Throws InputError unless the key is missing or has the one value that is supported.
    void require(const std::string& key, bool expected, const std::string& why) const;
    void require(const std::string& key, std::string_view expected) const;

  private:
    [[nodiscard]] std::vector<bool> listed_local_layers(std::size_t layers) const;

    const JsonValue& json_;
};

}  // namespace wordbreadth::encoder::snapshot
