// DeBERTa versions 2 and 3: BERT, with scores that also have a query's product with the position of the key, relative
// to it, and a key's product with the position of the query.
#include <algorithm>
#include <cmath>

#include "base/strings.h"
#include "encoder/snapshot/architectures/architectures.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

constexpr std::array<std::string_view, 2> telling_deberta{"embeddings.word_embeddings.weight",
                                                          "encoder.layer.0.attention.self.query_proj.weight"};

constexpr TensorNames deberta_names() {
    TensorNames names = bert_names("deberta.");
    names.query = "attention.self.query_proj";
    names.key = "attention.self.key_proj";
    names.value = "attention.self.value_proj";
    names.relative_rows = "encoder.rel_embeddings";
    names.relative_norm = "encoder.LayerNorm";
    names.position_key = "attention.self.pos_key_proj";
    names.position_query = "attention.self.pos_query_proj";
    return names;
}

// Short distances have a bucket each, longer ones share them by their logarithm. In float32, as transformers does it.
std::int64_t log_bucket(std::int64_t distance, std::size_t buckets, std::size_t farthest) {
    const auto half = static_cast<std::int64_t>(buckets / 2);
    const std::int64_t length = std::abs(distance);
    if (length <= half) return distance;
    const float share = std::log(static_cast<float>(length) / static_cast<float>(half)) /
                        std::log(static_cast<float>(static_cast<double>(farthest - 1) / static_cast<double>(half)));
    const auto bucket = static_cast<std::int64_t>(std::ceil(share * static_cast<float>(half - 1))) + half;
    return distance < 0 ? -bucket : bucket;
}

// A list of words: in one text, apart by '|', or a JSON list of texts.
bool lists(const ConfigFile& file, const std::string& key, std::string_view word) {
    const auto found = file.json().find(key);
    if (!found) return false;
    if (!found->is_text())
        return std::ranges::any_of(found->items(), [&](const JsonValue& item) { return item.text() == word; });
    return base::ascii_lower(found->text()).find(word) != std::string::npos;
}

// Above 0, or nothing.
std::size_t size_if_any(const ConfigFile& file, const std::string& key, std::size_t otherwise) {
    const auto found = file.json().find(key);
    return found && found->whole_number() > 0 ? file.size_or(key, 0, limits::model_positions) : otherwise;
}

void read_relative_attention(const ConfigFile& file, ModelConfig& config, bool of_keys, bool of_queries) {
    if (!file.boolean_or("relative_attention", false) || (!of_keys && !of_queries)) return;
    const std::size_t farthest = size_if_any(file, "max_relative_positions", config.positions);
    const std::size_t buckets = size_if_any(file, "position_buckets", 0);
    if (buckets == 1) file.json().at("position_buckets").fail_expecting("2 or more, or none");
    if (buckets > 0 && buckets / 2 + 1 >= farthest && buckets / 2 + 1 < config.positions)
        file.json().at("position_buckets").fail_expecting("less than twice max_relative_positions");
    const auto span = static_cast<std::int64_t>(buckets > 0 ? buckets : farthest);
    config.relative = RelativeAttention::by_distance(
        static_cast<std::size_t>(2 * span), config.positions, [&](std::int64_t distance) {
            const std::int64_t bucket = buckets > 0 ? log_bucket(distance, buckets, farthest) : distance;
            return static_cast<std::int32_t>(std::clamp<std::int64_t>(bucket + span, 0, 2 * span - 1));
        });
    config.relative->position_keys = of_keys;
    config.relative->position_queries = of_queries;
    config.relative->shares_projections = file.boolean_or("share_att_key", false);
    config.relative->norms_rows = lists(file, "norm_rel_ebd", "layer_norm");
}

void require_known_parts(const ConfigFile& file, const ModelConfig& config) {
    const auto require = [&](const char* key, std::size_t expected, const std::string& why) {
        const auto found = file.json().find(key);
        if (found && std::cmp_not_equal(found->whole_number(), expected))
            found->fail_expecting(std::to_string(expected) + ": " + why);
    };
    require("conv_kernel_size", 0, "models with a convolution cannot be used");
    require("embedding_size", config.hidden, "models with projected embeddings cannot be used");
    require("attention_head_size", config.head_size, "hidden_size / num_attention_heads");
}

ModelConfig read_deberta(const ConfigFile& file) {
    ModelConfig config = file.sizes(
        {.vocabulary = 128100, .hidden = 1536, .layers = 24, .heads = 24, .intermediate = 6144, .positions = 512});
    require_known_parts(file, config);
    config.activation = file.activation_or("hidden_act", Activation::gelu);
    config.norm_epsilon = file.number_or("layer_norm_eps", 1e-7);
    config.token_types = file.count_or("type_vocab_size", 0, limits::vocabulary);
    if (file.boolean_or("position_biased_input", true)) file.add_positions(config);
    const bool of_keys = lists(file, "pos_att_type", "c2p");
    const bool of_queries = lists(file, "pos_att_type", "p2c");
    for (LayerAttention& attention : config.attention) attention.scale /= std::sqrt(1.0 + of_keys + of_queries);
    read_relative_attention(file, config, of_keys, of_queries);
    return config;
}

}  // namespace

constexpr Architecture deberta{.type = "deberta-v2",
                               .family = "DebertaV2",
                               .tensors = deberta_names(),
                               .read = read_deberta,
                               .telling = telling_deberta};

}  // namespace wordbreadth::encoder::snapshot
