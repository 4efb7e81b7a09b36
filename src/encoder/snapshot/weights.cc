#include "encoder/snapshot/weights.h"

#include "base/failure.h"

namespace wordbreadth::encoder::snapshot {

namespace {

// Tensors by their name, each with the shape it must have. Each function throws InputError when a tensor is missing or
// has another shape.
class WeightReader {
  public:
    // Names may carry `prefix` in the file: all of them do when `landmark` does. `tensors` must outlive the reader.
    WeightReader(TensorSource& tensors, const std::string& prefix, const std::string& landmark)
        : tensors_(tensors), prefix_(tensors.contains(prefix + landmark) ? prefix : "") {}

    [[nodiscard]] std::vector<float> read(const std::string& name, const arrays::Shape& shape) {
        const std::string full = prefix_ + name;
        if (!tensors_.contains(full)) {
            base::fail(tensors_.where(full), "has no tensor " + base::in_quotes(full) +
                                                 ", which the model of config.json needs; download the folder again");
        }
        const arrays::Shape found = tensors_.shape(full);
        if (found != shape) {
            base::fail(tensors_.where(full), "has the shape " + arrays::to_text(found) + "; config.json asks for " +
                                                 arrays::to_text(shape) + ": the two files are not of the same model");
        }
        std::vector<float> values(*arrays::checked_product(found, 1));  // as many as the file was found to hold
        tensors_.read(full, values);
        return values;
    }

    [[nodiscard]] Norm norm(const std::string& name, std::size_t size, bool has_bias) {
        // Models that were converted from TensorFlow call them gamma and beta.
        const bool old = tensors_.contains(prefix_ + name + ".gamma");
        Norm norm{read(name + (old ? ".gamma" : ".weight"), {size}), {}};
        if (has_bias) norm.bias = read(name + (old ? ".beta" : ".bias"), {size});
        return norm;
    }

    [[nodiscard]] Linear linear(const std::string& name, std::size_t outputs, std::size_t inputs, bool has_bias) {
        Linear linear{outputs, inputs, read(name + ".weight", {outputs, inputs}), {}};
        if (has_bias) linear.bias = read(name + ".bias", {outputs});
        return linear;
    }

  private:
    TensorSource& tensors_;
    std::string prefix_;
};

WeightReader reader_of(TensorSource& tensors, Architecture architecture) {
    if (architecture == Architecture::bert) return {tensors, "bert.", "embeddings.word_embeddings.weight"};
    return {tensors, "model.", "embeddings.tok_embeddings.weight"};
}

std::vector<float> stretch(const std::vector<float>& values, std::size_t begin, std::size_t end) {
    if (values.empty()) return {};
    return {values.begin() + static_cast<std::ptrdiff_t>(begin), values.begin() + static_cast<std::ptrdiff_t>(end)};
}

void append(std::vector<float>& to, const std::vector<float>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

// Three tensors in the file, one product here.
Linear read_qkv(WeightReader& reader, const std::string& place, std::size_t hidden) {
    Linear all{3 * hidden, hidden, {}, {}};
    for (const char* part : {"query", "key", "value"}) {
        const Linear one = reader.linear(place + part, hidden, hidden, true);
        append(all.weight, one.weight);
        append(all.bias, one.bias);
    }
    return all;
}

LayerWeights bert_layer(WeightReader& reader, const ModelConfig& config, const std::string& layer) {
    LayerWeights weights;
    weights.qkv = read_qkv(reader, layer + "attention.self.", config.hidden);
    weights.out = reader.linear(layer + "attention.output.dense", config.hidden, config.hidden, true);
    weights.attention_norm = reader.norm(layer + "attention.output.LayerNorm", config.hidden, true);
    weights.up = reader.linear(layer + "intermediate.dense", config.intermediate, config.hidden, true);
    weights.down = reader.linear(layer + "output.dense", config.hidden, config.intermediate, true);
    weights.mlp_norm = reader.norm(layer + "output.LayerNorm", config.hidden, true);
    return weights;
}

LayerWeights modernbert_layer(WeightReader& reader, const ModelConfig& config, const std::string& layer, bool first) {
    LayerWeights weights;
    if (!first) weights.attention_norm = reader.norm(layer + "attn_norm", config.hidden, config.norm_bias);
    weights.qkv = reader.linear(layer + "attn.Wqkv", 3 * config.hidden, config.hidden, config.attention_bias);
    weights.out = reader.linear(layer + "attn.Wo", config.hidden, config.hidden, config.attention_bias);
    weights.mlp_norm = reader.norm(layer + "mlp_norm", config.hidden, config.norm_bias);
    // One tensor in the file holds both the activated rows and, below them, those of the gate.
    const Linear both = reader.linear(layer + "mlp.Wi", 2 * config.intermediate, config.hidden, config.mlp_bias);
    weights.up = rows_of(both, 0, config.intermediate);
    weights.gate = rows_of(both, config.intermediate, both.outputs);
    weights.down = reader.linear(layer + "mlp.Wo", config.hidden, config.intermediate, config.mlp_bias);
    return weights;
}

}  // namespace

Linear rows_of(const Linear& linear, std::size_t begin, std::size_t end) {
    return {end - begin, linear.inputs, stretch(linear.weight, begin * linear.inputs, end * linear.inputs),
            stretch(linear.bias, begin, end)};
}

ModelWeights::ModelWeights(const std::string& folder) : config_(read_config(folder)), tensors_(open_tensors(folder)) {}

EmbeddingWeights ModelWeights::embeddings() {
    const std::size_t hidden = config_.hidden;
    WeightReader reader = reader_of(*tensors_, config_.architecture);
    if (config_.architecture == Architecture::modernbert)
        return {reader.read("embeddings.tok_embeddings.weight", {config_.vocabulary, hidden}),
                {},
                {},
                reader.norm("embeddings.norm", hidden, config_.norm_bias)};
    return {reader.read("embeddings.word_embeddings.weight", {config_.vocabulary, hidden}),
            reader.read("embeddings.position_embeddings.weight", {config_.positions, hidden}),
            reader.read("embeddings.token_type_embeddings.weight", {config_.token_types, hidden}),
            reader.norm("embeddings.LayerNorm", hidden, true)};
}

LayerWeights ModelWeights::layer(std::size_t index) {
    WeightReader reader = reader_of(*tensors_, config_.architecture);
    const std::string number = std::to_string(index) + ".";
    return config_.architecture == Architecture::bert
               ? bert_layer(reader, config_, "encoder.layer." + number)
               : modernbert_layer(reader, config_, "layers." + number, index == 0);
}

std::optional<Norm> ModelWeights::final_norm() {
    if (!config_.norms_first()) return std::nullopt;
    return reader_of(*tensors_, config_.architecture).norm("final_norm", config_.hidden, config_.norm_bias);
}

}  // namespace wordbreadth::encoder::snapshot
