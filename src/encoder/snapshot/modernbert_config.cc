// config.json of ModernBERT, as the published models have it and as transformers 5 writes it.
#include "encoder/snapshot/config_values.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

constexpr std::size_t longest_window = 2 * limits::model_positions;

void require_plain_rotation(const Json& parameters) {
    for (const char* key : {"rope_type", "type"}) {
        const auto type = parameters.find(key);
        if (type && type->text() != "default") type->fail_expecting("\"default\", the one rotation known here");
    }
}

// The new place of the base, by the kind of the layer, or the old one.
double rotary_base(const Json& json, const std::string& kind, const std::string& old_key, double otherwise) {
    const double base = number_or(json, old_key, otherwise);
    const auto all = json.find("rope_parameters");
    const auto parameters = all ? all->find(kind) : std::nullopt;
    if (!parameters) return base;
    require_plain_rotation(*parameters);
    return number_or(*parameters, "rope_theta", base);
}

// Which layers see only their surroundings: listed, or all but every n-th.
std::vector<bool> local_layers(const Json& json, std::size_t layers) {
    std::vector<bool> local;
    if (const auto types = json.find("layer_types")) {
        for (const Json& type : types->items()) {
            if (type.text() != "sliding_attention" && type.text() != "full_attention") {
                type.fail_expecting("\"full_attention\" or \"sliding_attention\"");
            }
            local.push_back(type.text() == "sliding_attention");
        }
        if (local.size() != layers)
            types->fail("has " + std::to_string(local.size()) + " members; expected " + std::to_string(layers) +
                        ", one a layer");
        return local;
    }
    const std::size_t every = size_or(json, "global_attn_every_n_layers", 3, limits::model_layers);
    for (std::size_t layer = 0; layer < layers; ++layer) local.push_back(layer % every != 0);
    return local;
}

std::vector<LayerAttention> attention_of(const Json& json, std::size_t layers) {
    if (const auto scaling = json.find("rope_scaling")) require_plain_rotation(*scaling);
    const double global_base = rotary_base(json, "full_attention", "global_rope_theta", 160'000);
    // Where a file says null, transformers took the global base when such files were written.
    const bool null = json.object().contains("local_rope_theta") && !json.find("local_rope_theta");
    const double local_base = rotary_base(json, "sliding_attention", "local_rope_theta", null ? global_base : 10'000);
    const std::size_t reach = size_or(json, "local_attention", 128, longest_window) / 2;
    std::vector<LayerAttention> attention;
    for (const bool local : local_layers(json, layers)) {
        attention.push_back(local ? LayerAttention{reach, local_base}
                                  : LayerAttention{LayerAttention::everywhere, global_base});
    }
    return attention;
}

}  // namespace

ModelConfig modernbert_config(const Json& json) {
    ModelConfig config{.architecture = Architecture::modernbert,
                       .vocabulary = 50368,
                       .hidden = 768,
                       .layers = 22,
                       .heads = 12,
                       .intermediate = 1152,
                       .positions = 8192};
    read_sizes(json, config);
    if (config.head_size() % 2 != 0)
        json.at("num_attention_heads")
            .fail("gives heads of an odd size, " + std::to_string(config.head_size()) + ", which cannot be rotated");
    config.activation = activation_or_gelu(json, "hidden_activation");
    config.norm_epsilon = number_or(json, "norm_eps", 1e-5);
    config.norm_bias = json.boolean_or("norm_bias", false);
    config.attention_bias = json.boolean_or("attention_bias", false);
    config.mlp_bias = json.boolean_or("mlp_bias", false);
    config.attention = attention_of(json, config.layers);
    return config;
}

}  // namespace wordbreadth::encoder::snapshot
