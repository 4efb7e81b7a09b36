// BERT: learned positions and token types, norms after each half of a layer.
#include "encoder/snapshot/architectures/architectures.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

ModelConfig read_bert(const ConfigFile& file) {
    ModelConfig config = read_bert_like(
        file, {.vocabulary = 30522, .hidden = 768, .layers = 12, .heads = 12, .intermediate = 3072, .positions = 512});
    file.add_positions(config);
    return config;
}

}  // namespace

ModelConfig read_bert_like(const ConfigFile& file, const ModelConfig& defaults) {
    ModelConfig config = file.sizes(defaults);
    config.token_types = file.size_or("type_vocab_size", 2, limits::vocabulary);
    config.activation = file.activation_or("hidden_act", Activation::gelu);
    config.norm_epsilon = file.number_or("layer_norm_eps", 1e-12);
    file.require("position_embedding_type", "absolute");
    file.require("is_decoder", false, "an encoder");
    return config;
}

constexpr Architecture bert{.type = "bert",
                            .family = "Bert",
                            .tensors = bert_names("bert."),
                            .read = read_bert,
                            .telling = telling_bert,
                            .telling_types = Architecture::TokenTypes::several};

}  // namespace wordbreadth::encoder::snapshot
