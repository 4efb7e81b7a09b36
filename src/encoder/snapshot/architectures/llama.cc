// Llama and its relatives: decoders with rotary positions, grouped queries, gated MLPs, and norms before each half of a
// layer that divide by the root mean square. Too many others have tensors of these names: they are recognised by name
// alone.
#include <algorithm>

#include "encoder/snapshot/architectures/architectures.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

constexpr TensorNames llama_names() {
    return {.prefix = "model.",
            .words = "embed_tokens",
            .layer = "layers.",
            .query = "self_attn.q_proj",
            .key = "self_attn.k_proj",
            .value = "self_attn.v_proj",
            .out = "self_attn.o_proj",
            .attention_norm = "input_layernorm",
            .mlp_norm = "post_attention_layernorm",
            .up = "mlp.gate_proj",
            .gate = "mlp.up_proj",
            .down = "mlp.down_proj",
            .final_norm = "norm"};
}

constexpr TensorNames qwen3_names() {
    TensorNames names = llama_names();
    names.query_norm = "self_attn.q_norm";
    names.key_norm = "self_attn.k_norm";
    return names;
}

ModelConfig read_common(const ConfigFile& file, const ModelConfig& defaults) {
    ModelConfig config = file.decoder_sizes(defaults);
    config.activation = file.activation_or("hidden_act", Activation::silu);
    config.gated = true;
    config.norm_epsilon = file.number_or("rms_norm_eps", 1e-6);
    config.norm_centres = config.norm_bias = false;
    config.norms_first = true;
    config.attention_bias = config.out_bias = config.mlp_bias = false;
    file.rotate(config, 10'000);
    return config;
}

ModelConfig read_llama(const ConfigFile& file) {
    ModelConfig config = read_common(
        file,
        {.vocabulary = 32000, .hidden = 4096, .layers = 32, .heads = 32, .intermediate = 11008, .positions = 2048});
    config.attention_bias = config.out_bias = file.boolean_or("attention_bias", false);
    config.mlp_bias = file.boolean_or("mlp_bias", false);
    return config;
}

// Upper layers may see only the last tokens: as many as the window with the token itself. Of layers that also see those
// after it, as many again on each side, which is how transformers counts there.
void read_windows(const ConfigFile& file, ModelConfig& config) {
    const bool null = file.json().object().contains("sliding_window") && !file.json().find("sliding_window");
    const bool used = file.boolean_or("use_sliding_window", false) && !null;
    const std::size_t window = file.size_or("sliding_window", 4096, limits::model_positions);
    const std::size_t below = file.count_or("max_window_layers", 28, limits::model_layers);
    const auto local = file.local_layers(config.layers, [&](std::size_t layer) { return used && layer >= below; });
    for (std::size_t layer = 0; layer < config.layers; ++layer) {
        LayerAttention& attention = config.attention[layer];
        if (!local[layer] || !used) continue;
        attention.before = attention.after == 0 ? window - 1 : window;
        attention.after = std::min(attention.after, window);
    }
}

ModelConfig read_qwen(const ConfigFile& file, std::size_t head_size) {
    ModelConfig config = read_common(file, {.vocabulary = 151936,
                                            .hidden = 4096,
                                            .layers = 32,
                                            .heads = 32,
                                            .key_heads = 32,
                                            .head_size = head_size,
                                            .intermediate = 22016,
                                            .positions = 32768});
    read_windows(file, config);
    return config;
}

ModelConfig read_qwen2(const ConfigFile& file) {
    ModelConfig config = read_qwen(file, 0);
    config.attention_bias = true;
    return config;
}

ModelConfig read_qwen3(const ConfigFile& file) {
    ModelConfig config = read_qwen(file, 128);
    config.attention_bias = config.out_bias = file.boolean_or("attention_bias", false);
    return config;
}

}  // namespace

constexpr Architecture llama{.type = "llama", .family = "Llama", .tensors = llama_names(), .read = read_llama};

constexpr Architecture qwen2{.type = "qwen2", .family = "Qwen2", .tensors = llama_names(), .read = read_qwen2};

constexpr Architecture qwen3{.type = "qwen3", .family = "Qwen3", .tensors = qwen3_names(), .read = read_qwen3};

}  // namespace wordbreadth::encoder::snapshot
