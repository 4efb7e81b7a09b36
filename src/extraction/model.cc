#include "extraction/model.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "base/sha256.h"
#include "base/workers.h"
#include "encoder/batching/row_batch.h"
#include "encoder/encoder.h"
#include "wordbreadth/error.h"
#include "wordbreadth/names.h"
#include "wordbreadth/timing.h"

namespace wordbreadth::extraction {

namespace {

// What of a snapshot has a part in the vectors.
bool matters(const std::string& name) {
    for (const std::string_view exact : {"config.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt"})
        if (name == exact) return true;
    return name.ends_with(".safetensors") || name.ends_with(".safetensors.index.json") ||
           (name.starts_with("pytorch_model") && name.ends_with(".bin"));
}

// Whatever will run a shard, it is the same shard: what two cores do in about two minutes, at the 180 billion
// operations a second that were measured on an AVX-512 machine.
std::size_t tokens_of_a_shard(const encoder::snapshot::ModelConfig& config, std::size_t layers) {
    constexpr double operations = 2e13;
    const double mlp = (config.gated ? 3.0 : 2.0) * static_cast<double>(config.intermediate);
    const double attention = 2.0 * static_cast<double>(config.attended() + config.keys());
    const double weights = static_cast<double>(config.hidden) * (attention + mlp);
    const double a_token = 2 * weights * static_cast<double>(std::max<std::size_t>(1, layers));
    return static_cast<std::size_t>(std::clamp(operations / a_token, 16384.0, 4194304.0));
}

EncoderOptions encoder_options(const ExtractOptions& options) {
    return {.model = options.model,
            .mecab_dictionary = options.mecab_dictionary,
            .layers = layers_of(options),
            .max_tokens = options.max_tokens,
            .precision = options.precision,
            .device = options.device,
            .instruction_set = {},
            .threads = options.threads};
}

// With its first batch a GPU's memory is taken and its programs are loaded, which takes some tenths of a second: they
// are spent here, while the corpus is read. A batch as large as those to come.
void warm_up(encoder::Encoder& encoder, Timing* timing) {
    if (encoder.device() != "cuda") return;
    const Timing::Stage stage(timing, "warming the GPU up");
    constexpr std::size_t tokens = 32768, tokens_of_a_row = 8;
    const std::size_t length = std::min<std::size_t>(32, encoder.config().positions);
    std::vector<encoder::batching::RowBatch::Row> rows;
    for (std::size_t token = 0; token < length; token += tokens_of_a_row) rows.push_back({token, 1});
    encoder::batching::RowBatch batch;
    while (batch.tokens() + length <= tokens) batch.add(std::vector<std::int32_t>(length), rows);
    batch.encode(encoder);
}

// What may be wrong with the batch is said when it is wrong with those to come.
void warm_first_up(encoder::Encoder& encoder, Timing* timing) try {
    warm_up(encoder, timing);
} catch (const InputError&) {
}

// One whose memory does not hold such a batch is not opened.
std::vector<OpenEncoder> others_of(const ExtractOptions& options) {
    EncoderOptions one = encoder_options(options);
    const std::vector<std::string> gpus = encoder::gpus_of(one);
    one.threads = std::max(1U, base::thread_count(options.threads) / static_cast<unsigned>(gpus.size() + 1));
    std::vector<OpenEncoder> others;
    for (std::size_t k = 1; k < gpus.size(); ++k) {
        one.device = gpus[k];
        others.emplace_back([one, timing = options.timing](const std::stop_token& stop) {
            std::unique_ptr<encoder::Encoder> opened =
                timed(timing, "opening the model", [&] { return encoder::open_encoder(one, stop); });
            const encoder::Encoder::Watch watch(*opened, stop);
            warm_up(*opened, timing);
            return opened;
        });
    }
    return others;
}

ModelRecord record_of(const ExtractOptions& options, const std::string& sha256) {
    const encoder::ModelChoice choice = encoder::choose(encoder_options(options));
    const std::size_t shard_tokens = options.shard_tokens > 0
                                         ? options.shard_tokens
                                         : tokens_of_a_shard(choice.config, encoder::deepest(choice.layers));
    return {choice.layers,
            choice.config.layers,
            choice.device,
            std::string(name_of(choice.precision)),
            sha256.empty() ? std::string(64, '0') : sha256,
            shard_tokens};
}

}  // namespace

std::vector<LayerRange> layers_of(const ExtractOptions& options) {
    std::vector<LayerRange> layers = options.layers;
    std::ranges::sort(layers);
    return layers;
}

std::string fingerprint(const std::string& folder) {
    static_cast<void>(encoder::snapshot::read_config(folder));  // which has the best message when it is no model
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

OpeningModel::OpeningModel(const ExtractOptions& options, const std::string& sha256, bool with_weights)
    : tokenizer_(timed(options.timing, "opening the tokenizer",
                       [&] { return encoder::open_tokenizer(encoder_options(options)); })),
      timing_(options.timing) {
    const bool alone = base::thread_count(options.threads) == 1;
    // Where the system refuses to start a thread, the work is done when it is asked for.
    const auto policy = alone ? std::launch::deferred : std::launch::async | std::launch::deferred;
    sha256_ = std::async(policy, [folder = options.model, timing = options.timing, sha256] {
        return sha256.empty() ? timed(timing, "hashing the model", [&] { return fingerprint(folder); }) : sha256;
    });
    record_ = std::async(policy, [options, sha256] { return record_of(options, sha256); });
    if (!with_weights) return;
    model_ = std::async(policy, [this, options] {
        const auto start = std::chrono::steady_clock::now();
        std::unique_ptr<encoder::Encoder> opened =
            timed(options.timing, "opening the model", [&] { return encoder::open_encoder(encoder_options(options)); });
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        constexpr double least = 1;  // warming up, and the end of the driver, belong to it
        return std::make_shared<Model>(
            Model{record_.get(), std::move(opened), std::max(seconds.count(), least), others_of(options)});
    });
    warm_ = std::async(policy, [this] { warm_first_up(*model_.get()->encoder, timing_); });
    if (alone) static_cast<void>(get());
}

const ModelRecord& OpeningModel::record() {
    const Timing::Stage waiting(timing_, "");
    return record_.get();
}

void OpeningModel::require_usable() {
    const Timing::Stage waiting(timing_, "");
    static_cast<void>(model_.get());
}

Model& OpeningModel::get() {
    const Timing::Stage waiting(timing_, "");
    warm_.get();
    return *model_.get();
}

const std::string& OpeningModel::sha256() {
    const Timing::Stage waiting(timing_, "");
    return sha256_.get();
}

void OpeningModel::check() {
    if (model_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) require_usable();
}

}  // namespace wordbreadth::extraction
