// MPNet: positions as RoBERTa has them, no token types, and a bias of the scores by distance that all layers share.
#include <algorithm>
#include <cmath>

#include "encoder/snapshot/architectures/architectures.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

constexpr std::array<std::string_view, 2> telling_mpnet{"encoder.relative_attention_bias.weight",
                                                        "encoder.layer.0.attention.attn.q.weight"};

// T5's: short distances have a bucket each, longer ones share them by their logarithm; keys after the query have the
// upper half. In float32, as transformers does it.
constexpr std::int64_t used_buckets = 32;

std::int32_t bucket_of(std::int64_t distance) {
    constexpr std::int64_t half = used_buckets / 2;
    constexpr std::int64_t exact = half / 2;
    constexpr double farthest = 128;
    const std::int64_t length = std::abs(distance);
    std::int64_t bucket = length;
    if (length >= exact) {
        const float ratio = std::log(static_cast<float>(length) / static_cast<float>(exact)) /
                            static_cast<float>(std::log(farthest / exact));
        bucket = std::min(exact + static_cast<std::int64_t>(ratio * static_cast<float>(half - exact)), half - 1);
    }
    return static_cast<std::int32_t>(distance < 0 ? half + bucket : bucket);
}

ModelConfig read_mpnet(const ConfigFile& file) {
    ModelConfig config = read_bert_like(
        file, {.vocabulary = 30527, .hidden = 768, .layers = 12, .heads = 12, .intermediate = 3072, .positions = 512});
    config.token_types = 0;
    file.add_positions(config, 2, 1);  // whatever pad_token_id is
    const std::size_t buckets = file.size_or("relative_attention_num_buckets", 32, limits::vocabulary);
    if (std::cmp_less(buckets, used_buckets))
        file.json().at("relative_attention_num_buckets").fail_expecting("at least " + std::to_string(used_buckets));
    config.relative = RelativeAttention::by_distance(buckets, config.positions, bucket_of);
    return config;
}

}  // namespace

constexpr Architecture mpnet{.type = "mpnet",
                             .family = "MPNet",
                             .tensors = {.prefix = "mpnet.",
                                         .words = "embeddings.word_embeddings",
                                         .positions = "embeddings.position_embeddings",
                                         .embedding_norm = "embeddings.LayerNorm",
                                         .layer = "encoder.layer.",
                                         .query = "attention.attn.q",
                                         .key = "attention.attn.k",
                                         .value = "attention.attn.v",
                                         .out = "attention.attn.o",
                                         .attention_norm = "attention.LayerNorm",
                                         .mlp_norm = "output.LayerNorm",
                                         .up = "intermediate.dense",
                                         .down = "output.dense",
                                         .relative_bias = "encoder.relative_attention_bias"},
                             .read = read_mpnet,
                             .telling = telling_mpnet};

}  // namespace wordbreadth::encoder::snapshot
