// What makes an architecture: how its models are recognised, what their config.json means, what their tensors are
// called. Each is described in a file of architectures/ and listed in architecture.cc; nothing else knows its name.
#pragma once

#include <span>
#include <string_view>

#include "encoder/snapshot/config_file.h"

namespace wordbreadth::encoder::snapshot {

// Without ".weight" and ".bias". An empty name: there is none in this architecture.
struct TensorNames {
    std::string_view prefix;  // of all names, in most checkpoints; others leave it out

    std::string_view words;
    std::string_view positions = {}, types = {};  // where the configuration says that there are any
    std::string_view embedding_norm = {};
    std::string_view embedding_projection = {};  // where embeddings have another width

    std::string_view layer;  // followed by the layer's number, a dot and one of these
    std::string_view qkv = {}, query = {}, key = {}, value = {};  // one tensor or three
    std::string_view query_norm = {}, key_norm = {};              // of every head, before positions are rotated in
    std::string_view out;
    std::string_view attention_norm, mlp_norm;
    std::string_view up, gate = {}, down;  // `up` is what is activated; the same name twice: one tensor, `up` first

    std::string_view final_norm = {};

    std::string_view relative_bias = {};                      // (buckets, heads)
    std::string_view relative_rows = {}, relative_norm = {};  // (buckets, hidden), and their norm
    std::string_view position_key = {}, position_query = {};  // of a layer: what turns such rows into keys, queries
};

struct Architecture {
    std::string_view type;    // model_type
    std::string_view family;  // "Bert" of BertModel and BertForMaskedLM, in `architectures`
    TensorNames tensors;
    bool transposed = false;  // matrices are stored (inputs, outputs)

    // Throws InputError as read_config does. `architecture` is left to the caller.
    ModelConfig (*read)(const ConfigFile& file);

    // Tensors by which a model is recognised when config.json does not say what it is: all of these, with the prefix or
    // without it, and as many token types: BERT and RoBERTa differ in nothing else. None: it is not recognised.
    std::span<const std::string_view> telling = {};
    enum class TokenTypes { any, one, several } telling_types = TokenTypes::any;
};

// All of them, and the one of a snapshot folder. Throws InputError when it is none of them.
[[nodiscard]] std::span<const Architecture* const> architectures();
[[nodiscard]] const Architecture& architecture_of(const std::string& folder, const JsonValue& config);

}  // namespace wordbreadth::encoder::snapshot
