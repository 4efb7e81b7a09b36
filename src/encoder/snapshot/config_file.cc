#include "encoder/snapshot/config_file.h"

#include <array>
#include <cmath>
#include <utility>

#include "base/failure.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::snapshot {

namespace {

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

std::size_t whole_number_in(const JsonValue& value, std::size_t least, std::size_t most) {
    const std::int64_t number = value.whole_number();
    if (std::cmp_less(number, least) || std::cmp_greater(number, most))
        value.fail_expecting(std::to_string(least) + " to " + std::to_string(most));
    return static_cast<std::size_t>(number);
}

double number_above_zero(const JsonValue& parent, const std::string& key, double otherwise) {
    const auto found = parent.find(key);
    if (!found) return otherwise;
    const nlohmann::json& json = parent.object()[key];
    const double number = json.is_number() ? json.get<double>() : 0;
    if (!(number > 0 && std::isfinite(number))) found->fail_expecting("a number above 0");
    return number;
}

double required_number(const JsonValue& parent, const std::string& key) {
    static_cast<void>(parent.at(key));
    return number_above_zero(parent, key, 0);
}

std::string rotation_type(const JsonValue& parameters) {
    for (const char* key : {"rope_type", "type"})
        if (const auto type = parameters.find(key)) return type->text();
    return "default";
}

[[noreturn]] void fail_rotation(const JsonValue& parameters) {
    const char* key = parameters.find("rope_type") ? "rope_type" : "type";
    parameters.at(key).fail_expecting("\"default\", \"linear\" or \"llama3\", the rotations supported here");
}

// Llama 3.1's: slow angles become slower, those between are interpolated. In float32 and in the order of transformers'
// operations, to the last bit: a number divided by a tensor is there its reciprocal, multiplied. At position 300 two
// units in the last place of an angle show as 1e-4 in a vector. `original` has the number of positions before scaling.
void scale_as_llama3(const JsonValue& parameters, const JsonValue& original, std::vector<float>& frequencies) {
    const auto factor = static_cast<float>(required_number(parameters, "factor"));
    const auto low = static_cast<float>(required_number(parameters, "low_freq_factor"));
    const auto high = static_cast<float>(required_number(parameters, "high_freq_factor"));
    const auto context = static_cast<float>(required_number(original, "original_max_position_embeddings"));
    if (!(high > low)) parameters.at("high_freq_factor").fail("must be above low_freq_factor");
    for (float& frequency : frequencies) {
        const float length = 1 / frequency * 6.283185307179586F;
        const float smooth = (1 / length * context - low) / (high - low);
        if (length > context / low) {
            frequency /= factor;
        } else if (length >= context / high) {
            frequency = (1 - smooth) * frequency / factor + smooth * frequency;
        }
    }
}

}  // namespace

std::size_t ConfigFile::size_or(const std::string& key, std::size_t otherwise, std::size_t most) const {
    const auto found = json_.find(key);
    return found ? whole_number_in(*found, 1, most) : otherwise;
}

std::size_t ConfigFile::count_or(const std::string& key, std::size_t otherwise, std::size_t most) const {
    const auto found = json_.find(key);
    return found ? whole_number_in(*found, 0, most) : otherwise;
}

double ConfigFile::number_or(const std::string& key, double otherwise) const {
    return number_above_zero(json_, key, otherwise);
}

bool ConfigFile::boolean_or(const std::string& key, bool otherwise) const {
    return json_.boolean_or(key, otherwise);
}

Activation ConfigFile::activation_or(const std::string& key, Activation otherwise) const {
    const auto found = json_.find(key);
    if (!found) return otherwise;
    for (const auto& [name, activation] : activations)
        if (found->text() == name) return activation;
    found->fail_expecting("one of " + base::joined(activations, ", ", [](const auto& one) { return one.first; }));
}

ModelConfig ConfigFile::sizes(ModelConfig config, const SizeKeys& keys) const {
    const auto size = [&](const char* SizeKeys::*key, std::size_t otherwise, std::size_t most) {
        return size_or(SizeKeys().*key, size_or(keys.*key, otherwise, most), most);
    };
    config.vocabulary = size_or("vocab_size", config.vocabulary, limits::vocabulary);
    config.hidden = size(&SizeKeys::hidden, config.hidden, limits::dimension);
    config.layers = size(&SizeKeys::layers, config.layers, limits::model_layers);
    config.heads = size(&SizeKeys::heads, config.heads, limits::dimension);
    config.intermediate = size_or(keys.intermediate, config.intermediate, limits::model_intermediate);
    config.positions = size(&SizeKeys::positions, config.positions, limits::model_positions);
    if (config.head_size == 0 && config.hidden % config.heads != 0)
        json_.fail("has a " + std::string(keys.hidden) + " of " + std::to_string(config.hidden) +
                   ", which is not a multiple of its " + std::to_string(config.heads) + " " + keys.heads +
                   "; download the file again");
    if (config.head_size == 0) config.head_size = config.hidden / config.heads;
    config.key_heads = config.heads;
    config.embedding = config.hidden;
    config.attention.assign(config.layers, {.scale = 1 / std::sqrt(static_cast<double>(config.head_size))});
    return config;
}

ModelConfig ConfigFile::decoder_sizes(ModelConfig defaults) const {
    defaults.head_size = size_or("head_dim", defaults.head_size, limits::dimension);
    ModelConfig config = sizes(defaults);
    if (config.attended() > limits::dimension)
        json_.fail("has " + std::to_string(config.heads) + " heads of " + std::to_string(config.head_size) +
                   " values; expected at most " + std::to_string(limits::dimension) + " in all");
    // Where a file says null, every head has its own.
    const bool is_missing = !json_.object().contains("num_key_value_heads");
    const std::size_t otherwise = is_missing && defaults.key_heads > 0 ? defaults.key_heads : config.heads;
    config.key_heads = size_or("num_key_value_heads", otherwise, config.heads);
    if (config.heads % config.key_heads != 0)
        json_.fail("has " + std::to_string(config.heads) + " num_attention_heads, which is not a multiple of its " +
                   std::to_string(config.key_heads) + " num_key_value_heads; download the file again");
    see_before(config);
    return config;
}

void ConfigFile::see_before(ModelConfig& config) const {
    if (!boolean_or("is_causal", true)) return;
    for (LayerAttention& attention : config.attention) attention.after = 0;
}

std::vector<float> ConfigFile::rotation(const JsonValue* parameters, double base, std::size_t head_size) const {
    if (head_size % 2 != 0)
        json_.fail("gives heads of an odd size, " + std::to_string(head_size) + ", which cannot be rotated");
    if (parameters != nullptr) base = number_above_zero(*parameters, "rope_theta", base);
    // In float32 as transformers does it: at far positions the rounding of a frequency shows.
    std::vector<float> frequencies;
    for (std::size_t i = 0; i < head_size / 2; ++i) {
        const float exponent = static_cast<float>(2 * i) / static_cast<float>(head_size);
        frequencies.push_back(1.0F / std::pow(static_cast<float>(base), exponent));
    }
    if (parameters == nullptr) return frequencies;
    if (number_above_zero(*parameters, "partial_rotary_factor", 1) != 1)
        parameters->at("partial_rotary_factor").fail_expecting("1: heads are rotated as a whole");
    const std::string type = rotation_type(*parameters);
    if (type == "linear") {
        const auto factor = static_cast<float>(required_number(*parameters, "factor"));
        for (float& frequency : frequencies) frequency /= factor;
    } else if (type == "llama3") {
        scale_as_llama3(*parameters, json_.find("original_max_position_embeddings") ? json_ : *parameters, frequencies);
    } else if (type != "default") {
        fail_rotation(*parameters);
    }
    return frequencies;
}

void ConfigFile::rotate(ModelConfig& config, double default_base) const {
    auto parameters = json_.find("rope_scaling");
    if (!parameters || parameters->object().empty()) parameters = json_.find("rope_parameters");
    const std::vector<float> angles =
        rotation(parameters ? &*parameters : nullptr, number_or("rope_theta", default_base), config.head_size);
    for (LayerAttention& attention : config.attention) attention.rotation = angles;
}

std::vector<bool> ConfigFile::listed_local_layers(std::size_t layers) const {
    std::vector<bool> local;
    const auto types = json_.find("layer_types");
    if (!types) return local;
    for (const JsonValue& type : types->items()) {
        if (type.text() != "sliding_attention" && type.text() != "full_attention")
            type.fail_expecting("\"full_attention\" or \"sliding_attention\"");
        local.push_back(type.text() == "sliding_attention");
    }
    if (local.size() != layers)
        types->fail("has " + std::to_string(local.size()) + " members; expected " + std::to_string(layers) +
                    ", one per layer");
    return local;
}

void ConfigFile::require(const std::string& key, bool expected, const std::string& why) const {
    if (json_.boolean_or(key, expected) == expected) return;
    json_.at(key).fail_expecting((expected ? "true: " : "false: ") + why);
}

void ConfigFile::require(const std::string& key, std::string_view expected) const {
    const auto found = json_.find(key);
    if (found && found->text() != expected) found->fail_expecting("\"" + std::string(expected) + "\"");
}

void ConfigFile::add_positions(ModelConfig& config, std::size_t first_position,
                               std::optional<std::int32_t> padding) const {
    if (config.positions <= first_position)
        json_.fail("has a max_position_embeddings of " + std::to_string(config.positions) + "; expected more than " +
                   std::to_string(first_position) + ", the first that is used");
    config.position_rows = config.positions;
    config.first_position = first_position;
    config.padding = padding;
    config.positions -= first_position;
}

}  // namespace wordbreadth::encoder::snapshot
