// config.json: a model's kind and every size that its tensors must have. Devices ask for properties; what the
// architecture is called concerns this room alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace wordbreadth::encoder::snapshot {

struct Architecture;

enum class Activation { gelu, gelu_tanh, quick_gelu, relu, silu, tanh, sigmoid };

// How one layer attends.
struct LayerAttention {
    static constexpr std::size_t everywhere = std::numeric_limits<std::size_t>::max();
    std::size_t before = everywhere;   // a token sees those at most this far before it
    std::size_t after = everywhere;    // and after it: 0 in a decoder
    double scale = 1;                  // of the scores
    std::vector<float> rotation = {};  // (head_size / 2): angles per position; empty: positions are not rotated in

    [[nodiscard]] bool sees_all() const { return before == everywhere && after == everywhere; }
};

// Terms of the scores that depend on how far apart a query and a key are. Distances share buckets.
struct RelativeAttention {
    std::size_t buckets = 0;
    std::vector<std::int32_t> bucket_of = {};  // (2 positions - 1): of query - key, from -(positions - 1) on
    bool position_keys = false;                // a bucket has a key for every head, which queries are multiplied with
    bool position_queries = false;             // and a query, which keys are multiplied with
    bool shares_projections = false;           // these are made as those of tokens are; else by matrices of their own
    bool norms_rows = false;                   // the rows that they are made of are normed

    // `of(distance)` is the bucket of query - key.
    template <class Function>
    [[nodiscard]] static RelativeAttention by_distance(std::size_t buckets, std::size_t positions, const Function& of) {
        RelativeAttention relative{.buckets = buckets};
        const auto farthest = static_cast<std::int64_t>(positions) - 1;
        for (std::int64_t distance = -farthest; distance <= farthest; ++distance)
            relative.bucket_of.push_back(of(distance));
        return relative;
    }
};

struct ModelConfig {
    std::size_t vocabulary = 0;
    std::size_t hidden = 0;  // the dimension of the vectors
    std::size_t layers = 0;
    std::size_t heads = 0;
    std::size_t key_heads = 0;  // of keys and values; each serves heads / key_heads heads in turn
    std::size_t head_size = 0;
    std::size_t intermediate = 0;
    std::size_t positions = 0;  // the longest sentence, in tokens

    // The embeddings: the sum of those that there are, then perhaps a norm, then perhaps (only where norms stand last)
    // a projection.
    std::size_t embedding = 0;                 // their width; other than `hidden`: they are projected
    std::size_t position_rows = 0;             // 0: no positions are added
    std::size_t first_position = 0;            // the row of a sentence's first token
    std::optional<std::int32_t> padding = {};  // tokens of this id have row first_position - 1, and are not counted
    std::size_t token_types = 0;               // 0: none are added

    Activation activation = Activation::gelu;
    bool gated = false;  // the activated values are multiplied by others
    double norm_epsilon = 0;
    bool norm_centres = true;  // norms subtract the mean; else they divide by the root mean square alone
    bool norms_first = false;  // norms stand before the halves of a layer and after the last layer; else after each
    bool norms_first_layer = true;  // where norms stand first: false, the first layer's attention has none
    bool norm_bias = true;
    bool attention_bias = true;  // of queries, keys and values
    bool out_bias = true;        // of the product that follows attention
    bool mlp_bias = true;

    std::vector<LayerAttention> attention = {};  // one per layer
    std::optional<RelativeAttention> relative = {};
    const Architecture* architecture = nullptr;  // what its tensors are called

    [[nodiscard]] std::size_t attended() const { return heads * head_size; }
    [[nodiscard]] std::size_t keys() const { return key_heads * head_size; }  // or values
};

// Reads `folder`/config.json. Throws InputError, naming the key, when the file is missing or malformed, a size is past
// a limit or does not fit the others, or the model is of a kind that is not supported. Where there is no model_type,
// the kind is seen from the architectures or, without these too, from the names of the tensors.
[[nodiscard]] ModelConfig read_config(const std::string& folder);

}  // namespace wordbreadth::encoder::snapshot
