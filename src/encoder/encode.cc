// The public face of the encoder, and how its model is opened.
#include "wordbreadth/encode.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/failure.h"
#include "base/workers.h"
#include "cuda/gpu_names.h"
#include "encoder/batching/row_batch.h"
#include "encoder/encoder.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder {

namespace {

std::vector<LayerRange> layers_of(const EncoderOptions& options, const snapshot::ModelConfig& config) {
    if (!options.layers.empty()) return options.layers;
    return {{default_layer(config.layers), default_layer(config.layers)}};
}

void require_layers(const std::string& folder, const LayerRange& layers, std::size_t most) {
    if (layers.first > layers.last)
        throw InputError("layers " + std::to_string(layers.first) + " to " + std::to_string(layers.last) +
                         ": the first is above the last");
    if (layers.last > most)
        base::fail(folder, "layer " + std::to_string(layers.last) + " was asked for; the model has " +
                               std::to_string(most) + " (0 is the embeddings)");
}

void require_each_once(std::vector<LayerRange> layers) {
    std::ranges::sort(layers);
    const auto twice = std::ranges::adjacent_find(layers);
    if (twice != layers.end()) throw InputError("layers: " + text_of(*twice) + " is named twice; name each once");
    if (layers.empty() || layers.size() > limits::model_layers)
        throw InputError(std::to_string(layers.size()) + " layers were asked for; expected 1 to " +
                         std::to_string(limits::model_layers));
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

bool runs_on_gpu(const EncoderOptions& options) {
    const std::string kind = wordbreadth::cuda::kind_of_device(options.device);
    if (kind == "cpu" || kind == "cuda") return kind == "cuda";
    if (kind != "auto")
        throw InputError("device " + base::in_quotes(options.device) +
                         ": expected auto, cpu or cuda, or cuda:0, cuda:1, ... for one GPU");
    // A forced instruction set also chooses the device: avx2 is no reason to fail where there is a GPU.
    const Device gpu = describe_cuda();
    const std::string& forced = options.instruction_set;
    return gpu.available && (forced.empty() || std::ranges::count(gpu.instruction_sets, forced) > 0);
}

Precision precision_of(Precision asked, bool on_gpu) {
    if (asked == Precision::f16 && !on_gpu)
        throw InputError("precision f16 needs a GPU; on the CPU expected auto, f32 or bf16");
    if (asked == Precision::automatic) return on_gpu ? Precision::f16 : Precision::f32;
    return asked;
}

}  // namespace

std::size_t deepest(std::span<const LayerRange> layers) {
    std::size_t last = 0;
    for (const LayerRange& range : layers) last = std::max(last, range.last);
    return last;
}

void require_good_options(const std::string& folder, const snapshot::ModelConfig& config, const RunOptions& options) {
    for (const LayerRange& layers : options.layers) require_layers(folder, layers, config.layers);
    require_each_once(options.layers);
    if (options.threads < 1 || options.threads > limits::threads)
        throw InputError(std::to_string(options.threads) + " threads were asked for; expected 1 to " +
                         std::to_string(limits::threads));
}

tokenizer::Tokenizer open_tokenizer(const EncoderOptions& options) {
    const snapshot::ModelConfig config = snapshot::read_config(options.model);
    require_fitting_length(options, config);
    tokenizer::Tokenizer tokenizer = tokenizer::load_tokenizer(options.model, options.mecab_dictionary);
    require_fitting_tokenizer(options.model, tokenizer, config);
    return tokenizer;
}

ModelChoice choose(const EncoderOptions& options) {
    const bool on_gpu = runs_on_gpu(options);
    snapshot::ModelConfig config = snapshot::read_config(options.model);
    std::vector<LayerRange> layers = layers_of(options, config);
    const Precision precision = precision_of(options.precision, on_gpu);
    return {std::move(config), std::move(layers), on_gpu ? "cuda" : "cpu",
            on_gpu ? precision : precision_on_cpu(precision)};
}

std::unique_ptr<Encoder> open_encoder(const EncoderOptions& options, const std::stop_token& stop) {
    const ModelChoice choice = choose(options);
    const RunOptions run{choice.layers,
                         choice.precision,
                         base::thread_count(options.threads),
                         options.instruction_set,
                         wordbreadth::cuda::gpu_named(options.device) ? options.device : "cuda",
                         stop};
    const auto open = choice.device == "cuda" ? open_cuda_encoder : open_cpu_encoder;
    return open(options.model, run);
}

std::vector<std::string> gpus_of(const EncoderOptions& options) {
    if (!runs_on_gpu(options)) return {};
    return wordbreadth::cuda::gpu_named(options.device) ? std::vector{options.device} : gpus_alike();
}

OpenModel open_model(const EncoderOptions& options) {
    tokenizer::Tokenizer tokenizer = open_tokenizer(options);
    return {std::move(tokenizer), open_encoder(options)};
}

}  // namespace wordbreadth::encoder

namespace wordbreadth {

namespace {

using encoder::batching::RowBatch;
using encoder::tokenizer::Encoding;

std::vector<TextSpan> spans_of(const std::vector<encoder::tokenizer::Span>& spans) {
    std::vector<TextSpan> plain;
    for (const auto& [begin, end] : spans) plain.push_back({begin, end});
    return plain;
}

}  // namespace

struct Encoder::State {
    explicit State(const EncoderOptions& options)
        : model(encoder::open_model(options)),
          max_tokens(options.max_tokens),
          workers(base::thread_count(options.threads)) {}

    std::vector<Encoding> tokenize(std::span<const std::string> texts, const EncodeControl& control) {
        std::vector<Encoding> encodings(texts.size());
        workers.run(texts.size(), [&](std::size_t text, std::size_t) {
            if (control.stop.stop_requested()) throw Cancelled();
            try {
                encodings[text] = model.tokenizer.encode(texts[text], {.max_tokens = max_tokens});
            } catch (const InputError& error) {
                throw InputError("text " + std::to_string(text + 1) + ": " + error.what());
            }
        });
        return encodings;
    }

    // The rows of all texts, one after the other; `rows_of` gives those of a text from its number of tokens.
    template <class RowsOf>
    std::vector<float> run(const std::vector<Encoding>& texts, const EncodeControl& control, RowsOf rows_of) {
        const encoder::Encoder::Watch watch(*model.encoder, control.stop);
        std::vector<float> rows;
        RowBatch batch;
        std::size_t done = 0;
        const std::size_t most = encoder::batching::tokens_per_batch(*model.encoder);
        const std::size_t all =
            std::accumulate(texts.begin(), texts.end(), std::size_t{0},
                            [](std::size_t sum, const Encoding& text) { return sum + text.size(); });
        const auto encode = [&] {
            if (control.stop.stop_requested()) throw Cancelled();
            done += batch.tokens();
            batch.encode(*model.encoder);
            const auto of_batch = batch.rows();
            rows.insert(rows.end(), of_batch.begin(), of_batch.end());
            batch.clear();
            if (control.progress) control.progress(static_cast<double>(done) / static_cast<double>(all));
        };
        for (const Encoding& text : texts) {
            if (text.size() == 0) continue;
            if (batch.tokens() > 0 && batch.tokens() + text.size() > most) encode();
            batch.add(text.ids, rows_of(text.size()));
        }
        if (batch.tokens() > 0) encode();
        return rows;
    }

    encoder::OpenModel model;
    std::size_t max_tokens;
    base::Workers workers;
};

Encoder::Encoder(const EncoderOptions& options) : state_(std::make_unique<State>(options)) {}
Encoder::Encoder(Encoder&&) noexcept = default;
Encoder& Encoder::operator=(Encoder&&) noexcept = default;
Encoder::~Encoder() = default;

std::vector<EncodedText> Encoder::encode(std::span<const std::string> texts, const EncodeControl& control) const {
    std::vector<Encoding> encodings = state_->tokenize(texts, control);
    const std::vector<float> vectors = state_->run(encodings, control, [](std::size_t tokens) {
        std::vector<RowBatch::Row> rows(tokens);
        for (std::size_t i = 0; i < tokens; ++i) rows[i] = {i, 1};
        return rows;
    });
    std::vector<EncodedText> encoded;
    encoded.reserve(texts.size());
    auto at = vectors.begin();
    for (Encoding& text : encodings) {
        const auto end = at + static_cast<std::ptrdiff_t>(text.size() * state_->model.encoder->width());
        encoded.push_back(
            {std::move(text.ids), spans_of(text.bytes), spans_of(text.characters), {at, end}, text.truncated});
        at = end;
    }
    return encoded;
}

std::vector<float> Encoder::encode_pooled(std::span<const std::string> texts, const EncodeControl& control) const {
    const std::vector<Encoding> encodings = state_->tokenize(texts, control);
    for (std::size_t i = 0; i < encodings.size(); ++i)
        if (encodings[i].size() == 0)
            throw InputError("text " + std::to_string(i + 1) + ": has no tokens to take the mean of; leave it out");
    return state_->run(encodings, control, [](std::size_t tokens) { return std::vector<RowBatch::Row>{{0, tokens}}; });
}

std::size_t Encoder::dimension() const {
    return state_->model.encoder->config().hidden;
}

std::size_t Encoder::model_layers() const {
    return state_->model.encoder->config().layers;
}

const std::vector<LayerRange>& Encoder::layers() const {
    return state_->model.encoder->layers();
}

Precision Encoder::precision() const {
    return state_->model.encoder->precision();
}

std::string Encoder::device() const {
    const encoder::Encoder& encoder = *state_->model.encoder;
    return encoder.device() + " (" + encoder.instruction_set() + ")";
}

std::vector<EncodedText> encode(std::span<const std::string> texts, const EncoderOptions& options,
                                const EncodeControl& control) {
    return Encoder(options).encode(texts, control);
}

std::vector<Device> encoder_devices() {
    return {encoder::describe_cuda(), encoder::describe_cpu()};
}

}  // namespace wordbreadth
