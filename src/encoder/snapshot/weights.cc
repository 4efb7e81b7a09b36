#include "encoder/snapshot/weights.h"

#include <cmath>
#include <numeric>
#include <span>
#include <string_view>

#include "base/failure.h"
#include "encoder/snapshot/architecture.h"

namespace wordbreadth::encoder::snapshot {

namespace {

void append(std::vector<float>& to, const std::vector<float>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

// (rows, columns) to (columns, rows).
std::vector<float> transposed(const std::vector<float>& values, std::size_t columns) {
    const std::size_t rows = values.size() / columns;
    std::vector<float> turned(values.size());
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            turned[column * rows + row] = values[row * columns + column];
    return turned;
}

// To mean 0 and variance 1, then scaled and shifted.
void normalize(const Norm& norm, double epsilon, std::span<float> row) {
    const auto size = static_cast<double>(row.size());
    const double mean = std::accumulate(row.begin(), row.end(), 0.0) / size;
    double variance = 0;
    for (const float value : row) variance += (value - mean) * (value - mean) / size;
    for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = static_cast<float>((row[i] - mean) / std::sqrt(variance + epsilon) * norm.weight[i] + norm.bias[i]);
}

// The tensors of a model by the names of its architecture, each with the shape it must have. Each function throws
// InputError when a tensor is missing or has another shape.
class WeightReader {
  public:
    // Names may carry the prefix in the file: all of them do when that of the words does. Both must outlive the reader.
    WeightReader(const TensorSource& source, const ModelConfig& model)
        : config(model), names(model.architecture->tensors), source_(source) {
        const std::string prefix(names.prefix);
        if (source.contains(prefix + std::string(names.words) + ".weight")) prefix_ = prefix;
    }

    [[nodiscard]] std::vector<float> read(const std::string& name, const arrays::Shape& shape) const {
        const auto found = source_.tensors.find(prefix_ + name);
        if (found == source_.tensors.end())
            base::fail(source_.where, "has no tensor " + base::in_quotes(prefix_ + name) +
                                          ", which the model of config.json needs; download the folder again");
        const StoredTensor& tensor = found->second;
        if (tensor.shape != shape)
            base::fail(tensor.where, "has the shape " + arrays::to_text(tensor.shape) + "; config.json asks for " +
                                         arrays::to_text(shape) + ": the two files are not of the same model");
        std::vector<float> values(*arrays::checked_product(shape, 1));  // as many as the file was found to hold
        tensor.read(values);
        return values;
    }

    [[nodiscard]] std::vector<float> table(std::string_view name, std::size_t rows, std::size_t width) const {
        if (name.empty() || rows == 0) return {};
        return read(std::string(name) + ".weight", {rows, width});
    }

    [[nodiscard]] Norm norm(const std::string& name, std::size_t size) const {
        // Models that were converted from TensorFlow call them gamma and beta.
        const bool old = source_.contains(prefix_ + name + ".gamma");
        Norm norm{read(name + (old ? ".gamma" : ".weight"), {size}), {}};
        if (config.norm_bias) norm.bias = read(name + (old ? ".beta" : ".bias"), {size});
        return norm;
    }

    [[nodiscard]] Linear linear(const std::string& name, std::size_t outputs, std::size_t inputs, bool has_bias) const {
        Linear linear{outputs, inputs, {}, {}};
        if (config.architecture->transposed) {
            linear.weight = transposed(read(name + ".weight", {inputs, outputs}), outputs);
        } else {
            linear.weight = read(name + ".weight", {outputs, inputs});
        }
        if (has_bias) linear.bias = read(name + ".bias", {outputs});
        return linear;
    }

    const ModelConfig& config;
    const TensorNames& names;

  private:
    const TensorSource& source_;
    std::string prefix_;
};

// The tensors of one layer.
class LayerReader {
  public:
    LayerReader(const WeightReader& reader, std::size_t index)
        : reader_(reader),
          config_(reader.config),
          names_(reader.names),
          place_(std::string(names_.layer) + std::to_string(index) + "."),
          is_first_(index == 0) {}

    [[nodiscard]] LayerWeights read() const {
        LayerWeights weights;
        weights.qkv = qkv();
        if (!is_first_ || config_.norms_first_layer) weights.attention_norm = norm(names_.attention_norm);
        weights.query_norm = head_norm(names_.query_norm);
        weights.key_norm = head_norm(names_.key_norm);
        if (config_.relative && config_.relative->position_keys)
            weights.position_keys = of_positions(names_.position_key, names_.key);
        if (config_.relative && config_.relative->position_queries)
            weights.position_queries = of_positions(names_.position_query, names_.query);
        weights.out = linear(names_.out, config_.hidden, config_.attended(), config_.out_bias);
        weights.mlp_norm = norm(names_.mlp_norm);
        read_mlp(weights);
        return weights;
    }

  private:
    [[nodiscard]] Norm norm(std::string_view name) const { return reader_.norm(full(name), config_.hidden); }

    [[nodiscard]] Linear linear(std::string_view name, std::size_t outputs, std::size_t inputs, bool has_bias) const {
        return reader_.linear(full(name), outputs, inputs, has_bias);
    }

    // One product here, whether it is one tensor in the file or three.
    [[nodiscard]] Linear qkv() const {
        const std::size_t all_outputs = config_.attended() + 2 * config_.keys();
        if (!names_.qkv.empty()) return linear(names_.qkv, all_outputs, config_.hidden, config_.attention_bias);
        Linear all{all_outputs, config_.hidden, {}, {}};
        for (const std::string_view part : {names_.query, names_.key, names_.value}) {
            const std::size_t outputs = part == names_.query ? config_.attended() : config_.keys();
            const Linear one = linear(part, outputs, config_.hidden, config_.attention_bias);
            append(all.weight, one.weight);
            append(all.bias, one.bias);
        }
        return all;
    }

    [[nodiscard]] std::vector<float> head_norm(std::string_view name) const {
        if (name.empty()) return {};
        return reader_.read(full(name) + ".weight", {config_.head_size});
    }

    [[nodiscard]] Linear of_positions(std::string_view own, std::string_view of_tokens) const {
        const std::string_view name = config_.relative->shares_projections ? of_tokens : own;
        return linear(name, config_.attended(), config_.hidden, config_.attention_bias);
    }

    void read_mlp(LayerWeights& weights) const {
        const std::size_t width = config_.intermediate;
        if (config_.gated && names_.gate == names_.up) {
            const Linear both = linear(names_.up, 2 * width, config_.hidden, config_.mlp_bias);
            weights.up = rows_of(both, 0, width);
            weights.gate = rows_of(both, width, 2 * width);
        } else {
            weights.up = linear(names_.up, width, config_.hidden, config_.mlp_bias);
            if (config_.gated) weights.gate = linear(names_.gate, width, config_.hidden, config_.mlp_bias);
        }
        weights.down = linear(names_.down, config_.hidden, width, config_.mlp_bias);
    }

    [[nodiscard]] std::string full(std::string_view name) const { return place_ + std::string(name); }

    const WeightReader& reader_;
    const ModelConfig& config_;
    const TensorNames& names_;
    std::string place_;
    bool is_first_;
};

}  // namespace

Linear rows_of(const Linear& linear, std::size_t begin, std::size_t end) {
    const auto part = [](std::span<const float> all, std::size_t from, std::size_t to) {
        const auto some = all.empty() ? all : all.subspan(from, to - from);
        return std::vector<float>(some.begin(), some.end());
    };
    return {end - begin, linear.inputs, part(linear.weight, begin * linear.inputs, end * linear.inputs),
            part(linear.bias, begin, end)};
}

ModelWeights::ModelWeights(const std::string& folder) : config_(read_config(folder)), tensors_(open_tensors(folder)) {}

EmbeddingWeights ModelWeights::embeddings() const {
    const WeightReader reader(tensors_, config_);
    const TensorNames& names = reader.names;
    EmbeddingWeights weights{reader.table(names.words, config_.vocabulary, config_.embedding),
                             reader.table(names.positions, config_.position_rows, config_.embedding),
                             reader.table(names.types, config_.token_types, config_.embedding),
                             {},
                             {}};
    if (!names.embedding_norm.empty()) weights.norm = reader.norm(std::string(names.embedding_norm), config_.embedding);
    if (config_.embedding != config_.hidden)
        weights.projection =
            reader.linear(std::string(names.embedding_projection), config_.hidden, config_.embedding, true);
    return weights;
}

RelativeWeights ModelWeights::relative() const {
    if (!config_.relative) return {};
    const WeightReader reader(tensors_, config_);
    const std::size_t buckets = config_.relative->buckets;
    RelativeWeights weights{reader.table(reader.names.relative_bias, buckets, config_.heads),
                            reader.table(reader.names.relative_rows, buckets, config_.hidden)};
    if (config_.relative->norms_rows) {
        const Norm norm = reader.norm(std::string(reader.names.relative_norm), config_.hidden);
        for (std::size_t row = 0; row < buckets; ++row)
            normalize(norm, config_.norm_epsilon,
                      std::span(weights.rows).subspan(row * config_.hidden, config_.hidden));
    }
    return weights;
}

LayerWeights ModelWeights::layer(std::size_t index) const {
    const WeightReader reader(tensors_, config_);
    return LayerReader(reader, index).read();
}

std::optional<Norm> ModelWeights::final_norm() const {
    const WeightReader reader(tensors_, config_);
    if (reader.names.final_norm.empty()) return std::nullopt;
    return reader.norm(std::string(reader.names.final_norm), config_.hidden);
}

}  // namespace wordbreadth::encoder::snapshot
