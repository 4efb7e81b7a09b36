// ELECTRA: BERT, with embeddings that may be narrower than the layers and are then projected.
#include "encoder/snapshot/architectures/architectures.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

constexpr std::array<std::string_view, 2> telling_electra{"embeddings_project.weight",
                                                          "encoder.layer.0.attention.self.query.weight"};

constexpr TensorNames electra_names() {
    TensorNames names = bert_names("electra.");
    names.embedding_projection = "embeddings_project";
    return names;
}

ModelConfig read_electra(const ConfigFile& file) {
    ModelConfig config = read_bert_like(
        file, {.vocabulary = 30522, .hidden = 256, .layers = 12, .heads = 4, .intermediate = 1024, .positions = 512});
    config.embedding = file.size_or("embedding_size", 128, limits::dimension);
    file.add_positions(config);
    return config;
}

}  // namespace

constexpr Architecture electra{.type = "electra",
                               .family = "Electra",
                               .tensors = electra_names(),
                               .read = read_electra,
                               .telling = telling_electra};

}  // namespace wordbreadth::encoder::snapshot
