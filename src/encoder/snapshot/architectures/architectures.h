// The architectures, one file each, and what relatives share.
#pragma once

#include <array>

#include "encoder/snapshot/architecture.h"

namespace wordbreadth::encoder::snapshot {

extern const Architecture bert, roberta, xlm_roberta, camembert, distilbert, electra, mpnet, deberta,
    modernbert;                                       // encoders
extern const Architecture gpt2, llama, qwen2, qwen3;  // decoders

// BERT's tensors.
[[nodiscard]] constexpr TensorNames bert_names(std::string_view prefix) {
    return {.prefix = prefix,
            .words = "embeddings.word_embeddings",
            .positions = "embeddings.position_embeddings",
            .types = "embeddings.token_type_embeddings",
            .embedding_norm = "embeddings.LayerNorm",
            .layer = "encoder.layer.",
            .query = "attention.self.query",
            .key = "attention.self.key",
            .value = "attention.self.value",
            .out = "attention.output.dense",
            .attention_norm = "attention.output.LayerNorm",
            .mlp_norm = "output.LayerNorm",
            .up = "intermediate.dense",
            .down = "output.dense"};
}

inline constexpr std::array<std::string_view, 3> telling_bert{"embeddings.word_embeddings.weight",
                                                              "embeddings.token_type_embeddings.weight",
                                                              "encoder.layer.0.attention.self.query.weight"};

// What BERT's relatives have in config.json, but for the way they count positions.
[[nodiscard]] ModelConfig read_bert_like(const ConfigFile& file, const ModelConfig& defaults);

}  // namespace wordbreadth::encoder::snapshot
