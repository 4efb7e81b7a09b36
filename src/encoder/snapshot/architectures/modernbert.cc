// ModernBERT: rotary positions, local and global layers in turn, gated MLPs, norms before each half of a layer. Its
// config.json as the published models have it, and as transformers 5 writes it.
#include "encoder/snapshot/architectures/architectures.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

constexpr std::array<std::string_view, 2> telling_modernbert{"embeddings.tok_embeddings.weight",
                                                             "layers.0.attn.Wqkv.weight"};

// The base is in the new place, by the kind of the layer, or in the old one.
std::vector<float> rotation_of(const ConfigFile& file, const std::string& kind, double base, std::size_t head_size) {
    const auto scaling = file.json().find("rope_scaling");
    const auto all = file.json().find("rope_parameters");
    if (all && scaling) scaling->fail_expecting("null where there are rope_parameters");
    const auto parameters = all ? all->find(kind) : scaling;
    return file.rotation(parameters ? &*parameters : nullptr, base, head_size);
}

void read_attention(const ConfigFile& file, ModelConfig& config) {
    const double global_base = file.number_or("global_rope_theta", 160'000);
    // Where a file says null, transformers took the global base when such files were written.
    const bool null = file.json().object().contains("local_rope_theta") && !file.json().find("local_rope_theta");
    const double local_base = file.number_or("local_rope_theta", null ? global_base : 10'000);
    const std::vector<float> global = rotation_of(file, "full_attention", global_base, config.head_size);
    const std::vector<float> local = rotation_of(file, "sliding_attention", local_base, config.head_size);
    const std::size_t reach = file.size_or("local_attention", 128, 2 * limits::model_positions) / 2;
    const std::size_t every = file.size_or("global_attn_every_n_layers", 3, limits::model_layers);
    const auto is_local = file.local_layers(config.layers, [&](std::size_t layer) { return layer % every != 0; });
    for (std::size_t layer = 0; layer < config.layers; ++layer) {
        LayerAttention& attention = config.attention[layer];
        if (is_local[layer]) attention.before = attention.after = reach;
        attention.rotation = is_local[layer] ? local : global;
    }
}

ModelConfig read_modernbert(const ConfigFile& file) {
    ModelConfig config = file.sizes(
        {.vocabulary = 50368, .hidden = 768, .layers = 22, .heads = 12, .intermediate = 1152, .positions = 8192});
    config.activation = file.activation_or("hidden_activation", Activation::gelu);
    config.gated = true;
    config.norm_epsilon = file.number_or("norm_eps", 1e-5);
    config.norms_first = true;
    config.norms_first_layer = false;
    config.norm_bias = file.boolean_or("norm_bias", false);
    config.attention_bias = config.out_bias = file.boolean_or("attention_bias", false);
    config.mlp_bias = file.boolean_or("mlp_bias", false);
    read_attention(file, config);
    return config;
}

}  // namespace

constexpr Architecture modernbert{.type = "modernbert",
                                  .family = "ModernBert",
                                  .tensors = {.prefix = "model.",
                                              .words = "embeddings.tok_embeddings",
                                              .embedding_norm = "embeddings.norm",
                                              .layer = "layers.",
                                              .qkv = "attn.Wqkv",
                                              .out = "attn.Wo",
                                              .attention_norm = "attn_norm",
                                              .mlp_norm = "mlp_norm",
                                              .up = "mlp.Wi",
                                              .gate = "mlp.Wi",
                                              .down = "mlp.Wo",
                                              .final_norm = "final_norm"},
                                  .read = read_modernbert,
                                  .telling = telling_modernbert};

}  // namespace wordbreadth::encoder::snapshot
