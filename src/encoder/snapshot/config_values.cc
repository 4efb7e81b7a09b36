#include "encoder/snapshot/config_values.h"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

constexpr std::array<std::pair<std::string_view, Activation>, 13> activations{{
    {"gelu", Activation::gelu},
    {"gelu_python", Activation::gelu},
    {"gelu_new", Activation::gelu_tanh},
    {"gelu_fast", Activation::gelu_tanh},
    {"gelu_accurate", Activation::gelu_tanh},
    {"gelu_pytorch_tanh", Activation::gelu_tanh},
    {"gelu_python_tanh", Activation::gelu_tanh},
    {"quick_gelu", Activation::quick_gelu},
    {"relu", Activation::relu},
    {"silu", Activation::silu},
    {"swish", Activation::silu},
    {"tanh", Activation::tanh},
    {"sigmoid", Activation::sigmoid},
}};

}  // namespace

std::size_t size_or(const Json& config, const std::string& key, std::size_t otherwise, std::size_t most) {
    const auto found = config.find(key);
    if (!found) return otherwise;
    const std::int64_t size = found->whole_number();
    if (size < 1 || std::cmp_greater(size, most)) found->fail_expecting("1 to " + std::to_string(most));
    return static_cast<std::size_t>(size);
}

double number_or(const Json& config, const std::string& key, double otherwise) {
    const auto found = config.find(key);
    if (!found) return otherwise;
    const nlohmann::json& json = config.object()[key];
    const double number = json.is_number() ? json.get<double>() : 0;
    if (!(number > 0 && std::isfinite(number))) found->fail_expecting("a number above 0");
    return number;
}

Activation activation_or_gelu(const Json& config, const std::string& key) {
    const auto found = config.find(key);
    if (!found) return Activation::gelu;
    std::string known;
    for (const auto& [name, activation] : activations) {
        if (found->text() == name) return activation;
        known.append(known.empty() ? "" : ", ").append(name);
    }
    found->fail_expecting("one of " + known);
}

void read_sizes(const Json& json, ModelConfig& config) {
    config.vocabulary = size_or(json, "vocab_size", config.vocabulary, limits::vocabulary);
    config.hidden = size_or(json, "hidden_size", config.hidden, limits::dimension);
    config.layers = size_or(json, "num_hidden_layers", config.layers, limits::model_layers);
    config.heads = size_or(json, "num_attention_heads", config.heads, config.hidden);
    config.intermediate = size_or(json, "intermediate_size", config.intermediate, limits::model_intermediate);
    config.positions = size_or(json, "max_position_embeddings", config.positions, limits::model_positions);
    if (config.hidden % config.heads == 0) return;
    json.fail("has a hidden_size of " + std::to_string(config.hidden) + ", which is no multiple of its " +
              std::to_string(config.heads) + " num_attention_heads; download the file again");
}

}  // namespace wordbreadth::encoder::snapshot
