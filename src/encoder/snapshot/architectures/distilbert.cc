// DistilBERT: BERT without token types, with names of its own.
#include "encoder/snapshot/architectures/architectures.h"

namespace wordbreadth::encoder::snapshot {

namespace {

constexpr std::array<std::string_view, 1> telling_distilbert{"transformer.layer.0.attention.q_lin.weight"};

ModelConfig read_distilbert(const ConfigFile& file) {
    ModelConfig config = file.sizes(
        {.vocabulary = 30522, .hidden = 768, .layers = 6, .heads = 12, .intermediate = 3072, .positions = 512},
        {.hidden = "dim", .layers = "n_layers", .heads = "n_heads", .intermediate = "hidden_dim"});
    config.activation = file.activation_or("activation", Activation::gelu);
    config.norm_epsilon = 1e-12;
    file.add_positions(config);
    return config;
}

}  // namespace

constexpr Architecture distilbert{.type = "distilbert",
                                  .family = "DistilBert",
                                  .tensors = {.prefix = "distilbert.",
                                              .words = "embeddings.word_embeddings",
                                              .positions = "embeddings.position_embeddings",
                                              .embedding_norm = "embeddings.LayerNorm",
                                              .layer = "transformer.layer.",
                                              .query = "attention.q_lin",
                                              .key = "attention.k_lin",
                                              .value = "attention.v_lin",
                                              .out = "attention.out_lin",
                                              .attention_norm = "sa_layer_norm",
                                              .mlp_norm = "output_layer_norm",
                                              .up = "ffn.lin1",
                                              .down = "ffn.lin2"},
                                  .read = read_distilbert,
                                  .telling = telling_distilbert};

}  // namespace wordbreadth::encoder::snapshot
