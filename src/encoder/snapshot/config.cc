#include "encoder/snapshot/config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/failure.h"
#include "encoder/snapshot/json_file.h"
#include "encoder/snapshot/weights.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

using Json = JsonValue;

constexpr std::array<std::pair<std::string_view, Activation>, 13> activations{{
    {"gelu", Activation::gelu},
    {"gelu_python", Activation::gelu},
    {"gelu_new", Activation::gelu_tanh},
    {"gelu_fast", Activation::gelu_tanh},
    {"gelu_accurate", Activation::gelu_tanh},
    {"gelu_pytorch_tanh", Activation::gelu_tanh},
    {"gelu_python_tanh", Activation::gelu_tanh},
    {"quick_gelu", Activation::quick_gelu},
    {"relu", Activation::relu},
    {"silu", Activation::silu},
    {"swish", Activation::silu},
    {"tanh", Activation::tanh},
    {"sigmoid", Activation::sigmoid},
}};

// Values that have a default, as transformers has it. Sizes: 1 .. most, or InputError.
std::size_t size_or(const Json& config, const std::string& key, std::size_t otherwise, std::size_t most) {
    const auto found = config.find(key);
    if (!found) return otherwise;
    const std::int64_t size = found->whole_number();
    if (size < 1 || std::cmp_greater(size, most)) found->fail_expecting("1 to " + std::to_string(most));
    return static_cast<std::size_t>(size);
}

// Finite and more than 0, or InputError.
double number_or(const Json& config, const std::string& key, double otherwise) {
    const auto found = config.find(key);
    if (!found) return otherwise;
    const nlohmann::json& json = config.object()[key];
    const double number = json.is_number() ? json.get<double>() : 0;
    if (!(number > 0 && std::isfinite(number))) found->fail_expecting("a number above 0");
    return number;
}

Activation activation_or_gelu(const Json& config, const std::string& key) {
    const auto found = config.find(key);
    if (!found) return Activation::gelu;
    for (const auto& [name, activation] : activations)
        if (found->text() == name) return activation;
    found->fail_expecting("one of " + base::joined(activations, ", ", [](const auto& one) { return one.first; }));
}

// The sizes that every architecture has, under the same names, with this architecture's defaults in `config`.
void read_sizes(const Json& json, ModelConfig& config) {
    config.vocabulary = size_or(json, "vocab_size", config.vocabulary, limits::vocabulary);
    config.hidden = size_or(json, "hidden_size", config.hidden, limits::dimension);
    config.layers = size_or(json, "num_hidden_layers", config.layers, limits::model_layers);
    config.heads = size_or(json, "num_attention_heads", config.heads, config.hidden);
    config.intermediate = size_or(json, "intermediate_size", config.intermediate, limits::model_intermediate);
    config.positions = size_or(json, "max_position_embeddings", config.positions, limits::model_positions);
    if (config.hidden % config.heads == 0) return;
    json.fail("has a hidden_size of " + std::to_string(config.hidden) + ", which is no multiple of its " +
              std::to_string(config.heads) + " num_attention_heads; download the file again");
}

ModelConfig bert_config(const Json& json) {
    ModelConfig config{.architecture = Architecture::bert,
                       .vocabulary = 30522,
                       .hidden = 768,
                       .layers = 12,
                       .heads = 12,
                       .intermediate = 3072,
                       .positions = 512};
    read_sizes(json, config);
    config.token_types = size_or(json, "type_vocab_size", 2, limits::vocabulary);
    config.activation = activation_or_gelu(json, "hidden_act");
    config.norm_epsilon = number_or(json, "layer_norm_eps", 1e-12);
    config.attention.assign(config.layers, LayerAttention{});
    const std::string positions = json.text_or("position_embedding_type", "absolute");
    if (positions != "absolute") json.at("position_embedding_type").fail_expecting("\"absolute\"");
    if (json.boolean_or("is_decoder", false)) json.at("is_decoder").fail_expecting("false: an encoder");
    return config;
}

// ModernBERT: as the published models have it and as transformers 5 writes it.
constexpr std::size_t longest_window = 2 * limits::model_positions;

void require_plain_rotation(const Json& parameters) {
    for (const char* key : {"rope_type", "type"}) {
        const auto type = parameters.find(key);
        if (type && type->text() != "default") type->fail_expecting("\"default\", the one rotation known here");
    }
}

// The new place of the base, by the kind of the layer, or the old one.
double rotary_base(const Json& json, const std::string& kind, const std::string& old_key, double otherwise) {
    const double base = number_or(json, old_key, otherwise);
    const auto all = json.find("rope_parameters");
    const auto parameters = all ? all->find(kind) : std::nullopt;
    if (!parameters) return base;
    require_plain_rotation(*parameters);
    return number_or(*parameters, "rope_theta", base);
}

// Which layers see only their surroundings: listed, or all but every n-th.
std::vector<bool> local_layers(const Json& json, std::size_t layers) {
    std::vector<bool> local;
    if (const auto types = json.find("layer_types")) {
        for (const Json& type : types->items()) {
            if (type.text() != "sliding_attention" && type.text() != "full_attention") {
                type.fail_expecting("\"full_attention\" or \"sliding_attention\"");
            }
            local.push_back(type.text() == "sliding_attention");
        }
        if (local.size() != layers)
            types->fail("has " + std::to_string(local.size()) + " members; expected " + std::to_string(layers) +
                        ", one per layer");
        return local;
    }
    const std::size_t every = size_or(json, "global_attn_every_n_layers", 3, limits::model_layers);
    for (std::size_t layer = 0; layer < layers; ++layer) local.push_back(layer % every != 0);
    return local;
}

std::vector<LayerAttention> attention_of(const Json& json, std::size_t layers) {
    if (const auto scaling = json.find("rope_scaling")) require_plain_rotation(*scaling);
    const double global_base = rotary_base(json, "full_attention", "global_rope_theta", 160'000);
    // Where a file says null, transformers took the global base when such files were written.
    const bool null = json.object().contains("local_rope_theta") && !json.find("local_rope_theta");
    const double local_base = rotary_base(json, "sliding_attention", "local_rope_theta", null ? global_base : 10'000);
    const std::size_t reach = size_or(json, "local_attention", 128, longest_window) / 2;
    std::vector<LayerAttention> attention;
    for (const bool local : local_layers(json, layers)) {
        attention.push_back(local ? LayerAttention{reach, local_base}
                                  : LayerAttention{LayerAttention::everywhere, global_base});
    }
    return attention;
}

ModelConfig modernbert_config(const Json& json) {
    ModelConfig config{.architecture = Architecture::modernbert,
                       .vocabulary = 50368,
                       .hidden = 768,
                       .layers = 22,
                       .heads = 12,
                       .intermediate = 1152,
                       .positions = 8192};
    read_sizes(json, config);
    if (config.head_size() % 2 != 0)
        json.at("num_attention_heads")
            .fail("gives heads of an odd size, " + std::to_string(config.head_size()) + ", which cannot be rotated");
    config.activation = activation_or_gelu(json, "hidden_activation");
    config.norm_epsilon = number_or(json, "norm_eps", 1e-5);
    config.norm_bias = json.boolean_or("norm_bias", false);
    config.attention_bias = json.boolean_or("attention_bias", false);
    config.mlp_bias = json.boolean_or("mlp_bias", false);
    config.attention = attention_of(json, config.layers);
    return config;
}

// "BertForMaskedLM", "BertModel".
std::optional<Architecture> architecture_named(const std::vector<Json>& names) {
    for (const Json& name : names) {
        const auto is = [&](const std::string& kind) {
            return name.text().starts_with(kind + "For") || name.text() == kind + "Model";
        };
        if (is("Bert")) return Architecture::bert;
        if (is("ModernBert")) return Architecture::modernbert;
    }
    return std::nullopt;
}

constexpr std::array bert_tensors{"embeddings.word_embeddings.weight", "embeddings.token_type_embeddings.weight",
                                  "encoder.layer.0.attention.self.query.weight"};
constexpr std::array modernbert_tensors{"embeddings.tok_embeddings.weight", "layers.0.attn.Wqkv.weight"};

// The prefix with which the source has all of the names, if there is one.
std::optional<std::string> prefix_of(const TensorSource& source, const std::string& prefix,
                                     std::span<const char* const> names) {
    for (const std::string& tried : {prefix, std::string()})
        if (std::ranges::all_of(names, [&](const char* name) { return source.contains(tried + name); })) return tried;
    return std::nullopt;
}

std::optional<Architecture> architecture_seen(const TensorSource& source) {
    if (const auto prefix = prefix_of(source, "bert.", bert_tensors)) {
        // RoBERTa has tensors of the same names, but counts positions otherwise; it is known by its single token type.
        const arrays::Shape& types = source.tensors.at(*prefix + bert_tensors[1]).shape;
        if (!types.empty() && types[0] > 1) return Architecture::bert;
    }
    if (prefix_of(source, "model.", modernbert_tensors)) return Architecture::modernbert;
    return std::nullopt;
}

// Configurations of the first years have no model_type.
Architecture recognised(const std::string& folder, const Json& json) {
    const auto list = json.find("architectures");
    const std::vector<Json> names = list ? list->items() : std::vector<Json>();
    if (const auto named = architecture_named(names)) return *named;
    if (names.empty())
        if (const auto seen = architecture_seen(open_tensors(folder))) return *seen;
    const auto first_names = std::span(names).first(std::min<std::size_t>(names.size(), 5));
    const auto quoted = [](const Json& name) { return base::in_quotes(name.text()); };
    json.fail("has no \"model_type\"; looked for BERT or ModernBERT among its architectures, which are " +
              (names.empty() ? "none" : base::joined(first_names, ", ", quoted)) +
              (names.empty() ? ", and among the tensors, for \"" + std::string(bert_tensors[2]) + "\" or \"" +
                                   modernbert_tensors[1] + "\" and the rest"
                             : "") +
              ": if the model is one of them, add \"model_type\": \"bert\" or \"modernbert\"");
}

Architecture architecture_of(const std::string& folder, const Json& json) {
    const auto type = json.find("model_type");
    if (!type) return recognised(folder, json);
    if (type->text() == "bert") return Architecture::bert;
    if (type->text() == "modernbert") return Architecture::modernbert;
    type->fail_expecting("\"bert\" or \"modernbert\", the architectures known here");
}

}  // namespace

ModelConfig read_config(const std::string& folder) {
    const std::string path = (std::filesystem::path(folder) / "config.json").string();
    const nlohmann::json file = read_json_file(path);
    const Json json(path, "", file);
    return architecture_of(folder, json) == Architecture::bert ? bert_config(json) : modernbert_config(json);
}

}  // namespace wordbreadth::encoder::snapshot
