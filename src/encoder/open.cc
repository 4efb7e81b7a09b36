#include "encoder/open.h"

#include <algorithm>
#include <string>

#include "base/failure.h"
#include "base/workers.h"
#include "encoder/tokenizer/load.h"

namespace wordbreadth::encoder {

namespace {

LayerRange layers_of(const EncoderOptions& options, const snapshot::ModelConfig& config) {
    if (options.layers) return *options.layers;
    const std::size_t upper = (2 * config.layers + 1) / 3;  // 4 of 6, 16 of 24
    return {upper, upper};
}

void require_fitting_tokenizer(const std::string& folder, const tokenizer::Tokenizer& tokenizer,
                               const snapshot::ModelConfig& config) {
    const auto ids = static_cast<std::size_t>(tokenizer.vocabulary_end());
    if (ids <= config.vocabulary) return;
    base::fail(folder, "its tokenizer has ids up to " + std::to_string(ids - 1) + ", but config.json says vocab_size " +
                           std::to_string(config.vocabulary) + ": the files are of different models");
}

void require_fitting_length(const EncoderOptions& options, const snapshot::ModelConfig& config) {
    if (options.max_tokens >= 3 && options.max_tokens <= config.positions) return;
    throw InputError("max tokens " + std::to_string(options.max_tokens) + ": expected 3 to " +
                     std::to_string(config.positions) + ", which is what the model " + options.model + " takes");
}

// A forced instruction set also chooses the device: avx2 is no reason to fail where there is a GPU.
bool may_use(const Device& device, const std::string& instruction_set) {
    return device.available &&
           (instruction_set.empty() ||
            std::ranges::find(device.instruction_sets, instruction_set) != device.instruction_sets.end());
}

bool runs_on_gpu(const EncoderOptions& options) {
    if (options.device == "cpu" || options.device == "cuda") return options.device == "cuda";
    if (options.device != "auto")
        throw InputError("device " + base::in_quotes(options.device) + ": expected auto, cpu or cuda");
    return may_use(describe_cuda(), options.instruction_set);
}

Precision precision_of(Precision asked, bool on_gpu) {
    if (asked == Precision::f16 && !on_gpu)
        throw InputError("precision f16 needs a GPU; on the CPU expected auto, f32 or bf16");
    if (asked == Precision::automatic) return on_gpu ? Precision::f16 : Precision::f32;
    return asked;
}

}  // namespace

OpenModel open_model(const EncoderOptions& options) {
    const snapshot::ModelConfig config = snapshot::read_config(options.model);
    require_fitting_length(options, config);
    const bool on_gpu = runs_on_gpu(options);
    OpenModel model{layers_of(options, config), tokenizer::load_tokenizer(options.model, {options.mecab_dictionary}),
                    nullptr};
    require_fitting_tokenizer(options.model, model.tokenizer, config);
    const RunOptions run{model.layers, precision_of(options.precision, on_gpu), base::thread_count(options.threads),
                         options.instruction_set};
    model.encoder = (on_gpu ? open_cuda_encoder : open_cpu_encoder)(options.model, run);
    return model;
}

}  // namespace wordbreadth::encoder
