// GPT-2: a decoder with learned positions, norms before each half of a layer, and matrices stored the other way round.
#include <cmath>

#include "encoder/snapshot/architectures/architectures.h"

namespace wordbreadth::encoder::snapshot {

namespace {

constexpr std::array<std::string_view, 2> telling_gpt2{"wte.weight", "h.0.attn.c_attn.weight"};

void read_scales(const ConfigFile& file, ModelConfig& config) {
    const bool by_size = file.boolean_or("scale_attn_weights", true);
    const bool by_layer = file.boolean_or("scale_attn_by_inverse_layer_idx", false);
    for (std::size_t layer = 0; layer < config.layers; ++layer) {
        LayerAttention& attention = config.attention[layer];
        if (!by_size) attention.scale = 1;
        if (by_layer) attention.scale /= static_cast<double>(layer + 1);
    }
}

ModelConfig read_gpt2(const ConfigFile& file) {
    ModelConfig config = file.sizes(
        {.vocabulary = 50257, .hidden = 768, .layers = 12, .heads = 12, .intermediate = 0, .positions = 1024},
        {.hidden = "n_embd",
         .layers = "n_layer",
         .heads = "n_head",
         .intermediate = "n_inner",
         .positions = "n_positions"});
    if (config.intermediate == 0) config.intermediate = 4 * config.hidden;
    config.activation = file.activation_or("activation_function", Activation::gelu_tanh);
    config.norm_epsilon = file.number_or("layer_norm_epsilon", 1e-5);
    config.norms_first = true;
    file.see_before(config);
    read_scales(file, config);
    file.add_positions(config);
    file.require("add_cross_attention", false, "a decoder by itself");
    return config;
}

}  // namespace

constexpr Architecture gpt2{.type = "gpt2",
                            .family = "GPT2",
                            .tensors = {.prefix = "transformer.",
                                        .words = "wte",
                                        .positions = "wpe",
                                        .layer = "h.",
                                        .qkv = "attn.c_attn",
                                        .out = "attn.c_proj",
                                        .attention_norm = "ln_1",
                                        .mlp_norm = "ln_2",
                                        .up = "mlp.c_fc",
                                        .down = "mlp.c_proj",
                                        .final_norm = "ln_f"},
                            .transposed = true,
                            .read = read_gpt2,
                            .telling = telling_gpt2};

}  // namespace wordbreadth::encoder::snapshot
