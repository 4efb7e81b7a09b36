// config.json of BERT.
#include "encoder/snapshot/config_values.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

ModelConfig bert_config(const Json& json) {
    ModelConfig config{.architecture = Architecture::bert,
                       .vocabulary = 30522,
                       .hidden = 768,
                       .layers = 12,
                       .heads = 12,
                       .intermediate = 3072,
                       .positions = 512};
    read_sizes(json, config);
    config.token_types = size_or(json, "type_vocab_size", 2, limits::vocabulary);
    config.activation = activation_or_gelu(json, "hidden_act");
    config.norm_epsilon = number_or(json, "layer_norm_eps", 1e-12);
    config.attention.assign(config.layers, LayerAttention{});
    const std::string positions = json.text_or("position_embedding_type", "absolute");
    if (positions != "absolute") json.at("position_embedding_type").fail_expecting("\"absolute\"");
    if (json.boolean_or("is_decoder", false)) json.at("is_decoder").fail_expecting("false: an encoder");
    return config;
}

}  // namespace wordbreadth::encoder::snapshot
