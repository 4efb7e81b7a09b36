// RoBERTa, XLM-RoBERTa and CamemBERT: BERT, but positions are counted from the padding token's id on.
#include "encoder/snapshot/architectures/architectures.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

ModelConfig read_with_vocabulary(const ConfigFile& file, std::size_t vocabulary) {
    ModelConfig config = read_bert_like(
        file,
        {.vocabulary = vocabulary, .hidden = 768, .layers = 12, .heads = 12, .intermediate = 3072, .positions = 512});
    const std::size_t padding = file.count_or("pad_token_id", 1, limits::vocabulary);
    file.add_positions(config, padding + 1, static_cast<std::int32_t>(padding));
    return config;
}

ModelConfig read_roberta(const ConfigFile& file) {
    return read_with_vocabulary(file, 50265);
}

// transformers has BERT's vocabulary as their default.
ModelConfig read_relative_of_roberta(const ConfigFile& file) {
    return read_with_vocabulary(file, 30522);
}

}  // namespace

constexpr Architecture roberta{.type = "roberta",
                               .family = "Roberta",
                               .tensors = bert_names("roberta."),
                               .read = read_roberta,
                               .telling = telling_bert,
                               .telling_types = Architecture::TokenTypes::one};

constexpr Architecture xlm_roberta{
    .type = "xlm-roberta", .family = "XLMRoberta", .tensors = bert_names("roberta."), .read = read_relative_of_roberta};

constexpr Architecture camembert{
    .type = "camembert", .family = "Camembert", .tensors = bert_names("roberta."), .read = read_relative_of_roberta};

}  // namespace wordbreadth::encoder::snapshot
