// config.json: a model's architecture and every size that the tensors must have.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace wordbreadth::encoder::snapshot {

enum class Architecture { bert, modernbert };

enum class Activation { gelu, gelu_tanh, quick_gelu, relu, silu, tanh, sigmoid };

// How one layer attends.
struct LayerAttention {
    static constexpr std::size_t everywhere = std::numeric_limits<std::size_t>::max();
    std::size_t reach = everywhere;  // a token sees those at most this far away
    double rotary_base = 0;          // 0: positions are not rotated in
};

struct ModelConfig {
    Architecture architecture = Architecture::bert;
    std::size_t vocabulary = 0;
    std::size_t hidden = 0;  // the dimension of the vectors; a multiple of heads
    std::size_t layers = 0;
    std::size_t heads = 0;
    std::size_t intermediate = 0;
    std::size_t positions = 0;    // the longest sentence, in tokens
    std::size_t token_types = 0;  // 0: the architecture has none
    Activation activation = Activation::gelu;
    double norm_epsilon = 0;
    bool norm_bias = true;
    bool attention_bias = true;
    bool mlp_bias = true;
    std::vector<LayerAttention> attention = {};  // one per layer

    [[nodiscard]] std::size_t head_size() const { return hidden / heads; }
    // Norms stand before the two halves of a layer (and after the last layer), or after each half.
    [[nodiscard]] bool norms_first() const { return architecture == Architecture::modernbert; }
};

// Reads `folder`/config.json. Throws InputError, naming the key, when the file is missing or malformed, a size is past
// a limit or does not fit the others, or the model is of a kind that is not known here. Where there is no model_type,
// the kind is seen from the architectures or, without these too, from the names of the tensors.
[[nodiscard]] ModelConfig read_config(const std::string& folder);

}  // namespace wordbreadth::encoder::snapshot
