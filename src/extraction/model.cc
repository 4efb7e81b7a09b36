#include "extraction/model.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/failure.h"
#include "base/sha256.h"
#include "encoder/tokenizer/load.h"
#include "extraction/settings.h"
#include "wordbreadth/device.h"
#include "wordbreadth/error.h"

namespace wordbreadth::extraction {

namespace {

// What of a snapshot has a part in the vectors.
bool matters(const std::string& name) {
    for (const std::string_view exact : {"config.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt"})
        if (name == exact) return true;
    return name.ends_with(".safetensors") || name.ends_with(".safetensors.index.json") ||
           (name.starts_with("pytorch_model") && name.ends_with(".bin"));
}

LayerRange layers_of(const ExtractOptions& options, const encoder::ModelConfig& config) {
    if (options.layers) return *options.layers;
    const std::size_t upper = (2 * config.layers + 1) / 3;  // 4 of 6, 16 of 24
    return {upper, upper};
}

// Whatever will run a shard, it is the same shard: what two cores do in about two minutes, at the 180 billion
// operations a second that were measured on an AVX-512 machine.
std::size_t tokens_of_a_shard(const encoder::ModelConfig& config, std::size_t layers) {
    constexpr double operations = 2e13;
    const double mlp = (config.architecture == encoder::Architecture::modernbert ? 3.0 : 2.0) *
                       static_cast<double>(config.intermediate);
    const double weights = static_cast<double>(config.hidden) * (4.0 * static_cast<double>(config.hidden) + mlp);
    const double a_token = 2 * weights * static_cast<double>(std::max<std::size_t>(1, layers));
    return static_cast<std::size_t>(std::clamp(operations / a_token, 16384.0, 4194304.0));
}

void require_fitting_tokenizer(const std::string& folder, const tokenizer::Tokenizer& tokenizer,
                               const encoder::ModelConfig& config) {
    const auto ids = static_cast<std::size_t>(tokenizer.vocabulary_end());
    if (ids <= config.vocabulary) return;
    base::fail(folder, "its tokenizer has ids up to " + std::to_string(ids - 1) + ", but config.json says vocab_size " +
                           std::to_string(config.vocabulary) + ": the files are of different models");
}

void require_fitting_length(const ExtractOptions& options, const encoder::ModelConfig& config) {
    if (options.max_tokens >= 3 && options.max_tokens <= config.positions) return;
    throw InputError("max tokens " + std::to_string(options.max_tokens) + ": expected 3 to " +
                     std::to_string(config.positions) + ", which is what the model " + options.model + " takes");
}

bool gpu_is_usable() {
    const std::vector<Device> all = devices();
    return std::ranges::any_of(all, [](const Device& device) { return device.name == "cuda" && device.available; });
}

std::string device_of(const ExtractOptions& options) {
    if (options.device == "cpu" || options.device == "cuda") return options.device;
    if (options.device != "auto")
        throw InputError("device " + base::in_quotes(options.device) + ": expected auto, cpu or cuda");
    return gpu_is_usable() ? "cuda" : "cpu";
}

encoder::Precision precision_of(const ExtractOptions& options, const std::string& device) {
    switch (options.number_type) {
        case NumberType::automatic:
            return device == "cuda" ? encoder::Precision::f16 : encoder::Precision::f32;
        case NumberType::f32:
            return encoder::Precision::f32;
        case NumberType::bf16:
            return encoder::Precision::bf16;
        case NumberType::f16:
            if (device == "cpu") throw InputError("precision f16 needs a GPU; on the CPU expected auto, f32 or bf16");
            return encoder::Precision::f16;
    }
    return encoder::Precision::f32;
}

const char* name_of(encoder::Precision precision) {
    switch (precision) {
        case encoder::Precision::f32:
            return "f32";
        case encoder::Precision::bf16:
            return "bf16";
        case encoder::Precision::f16:
            return "f16";
    }
    return "";
}

}  // namespace

std::string fingerprint(const std::string& folder) {
    static_cast<void>(encoder::read_config(folder));  // which has the best message when it is no model
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (matters(name) && entry.is_regular_file()) names.push_back(name);
    }
    std::ranges::sort(names);
    std::string list;
    for (const std::string& name : names) list += base::sha256_of_file(folder + "/" + name) + "  " + name + "\n";
    return base::sha256_of(std::as_bytes(std::span(list)));
}

Model open_model(const ExtractOptions& options, const std::string& sha256) {
    const encoder::ModelConfig config = encoder::read_config(options.model);
    require_fitting_length(options, config);
    Model model{{layers_of(options, config), device_of(options), "", sha256, 0},
                tokenizer::load_tokenizer(options.model, {options.mecab_dictionary}),
                nullptr};
    require_fitting_tokenizer(options.model, model.tokenizer, config);
    encoder::EncoderOptions encoding;
    encoding.layers = {model.layers.first, model.layers.last};
    encoding.precision = precision_of(options, model.device);
    encoding.threads = threads_of(options);
    model.encoder = model.device == "cuda" ? encoder::open_cuda_encoder(options.model, encoding)
                                           : encoder::open_cpu_encoder(options.model, encoding);
    model.number_type = name_of(model.encoder->precision());
    if (model.sha256.empty()) model.sha256 = fingerprint(options.model);
    model.shard_tokens = options.shard_tokens > 0 ? options.shard_tokens : tokens_of_a_shard(config, model.layers.last);
    return model;
}

}  // namespace wordbreadth::extraction
