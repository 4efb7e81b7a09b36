// Values of config.json that have a default, as transformers has it.
#pragma once

#include "encoder/snapshot/config.h"
#include "encoder/snapshot/json_file.h"

namespace wordbreadth::encoder::snapshot {

using Json = JsonValue;

// 1 .. most, or InputError.
[[nodiscard]] std::size_t size_or(const Json& config, const std::string& key, std::size_t otherwise, std::size_t most);

// Finite and more than 0, or InputError.
[[nodiscard]] double number_or(const Json& config, const std::string& key, double otherwise);

[[nodiscard]] Activation activation_or_gelu(const Json& config, const std::string& key);

// The sizes that every architecture has, under the same names, with this architecture's defaults in `config`.
void read_sizes(const Json& json, ModelConfig& config);

// What is particular to an architecture.
[[nodiscard]] ModelConfig bert_config(const Json& json);
[[nodiscard]] ModelConfig modernbert_config(const Json& json);

}  // namespace wordbreadth::encoder::snapshot
