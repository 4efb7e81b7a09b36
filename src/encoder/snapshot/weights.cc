#include "encoder/snapshot/weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>

#include "arrays/safetensors.h"
#include "base/failure.h"
#include "base/file.h"
#include "encoder/snapshot/json_file.h"

namespace wordbreadth::encoder::snapshot {

namespace {

arrays::Element element_of(const std::string& where, const std::string& type) {
    if (type == "F16") return arrays::Element::f16;
    if (type == "BF16") return arrays::Element::bf16;
    if (type == "F32") return arrays::Element::f32;
    if (type == "F64") return arrays::Element::f64;
    base::fail(where, "holds values of type " + base::in_quotes(type) +
                          "; expected F32, F16 or BF16: a quantised model must be converted back");
}

TensorSource open_safetensors(const std::string& path) {
    const auto file = std::make_shared<base::File>(path);
    const arrays::SafetensorsHeader header = arrays::read_safetensors_header(*file);
    TensorSource source{path};
    for (const auto& [name, tensor] : header.tensors) {
        const std::string where = path + ":" + name;
        const auto read = [=, type = tensor.type, begin = header.data_begin + tensor.begin](std::span<float> into) {
            const arrays::Element element = element_of(where, type);
            file->seek(begin);
            read_floats(*file, where, element, into);
        };
        source.tensors.emplace(name, StoredTensor{where, tensor.shape, read});
    }
    return source;
}

// A name in the index must not lead out of the folder.
const std::string& plain_name(const JsonValue& file) {
    const std::string& name = file.text();
    if (name.empty() || name.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos || name == "." ||
        name == "..") {
        file.fail_expecting("the name of a file in the same folder");
    }
    return name;
}

// Several .safetensors files, and the index that tells which tensor is where.
TensorSource open_shards(const std::filesystem::path& index) {
    TensorSource all{index.string()};
    const nlohmann::json json = read_json_file(all.where);
    const JsonValue map = JsonValue(all.where, "", json).at("weight_map");
    std::map<std::string, TensorSource> shards;
    for (const auto& [name, file] : map.object().items()) {
        const JsonValue entry(all.where, "weight_map." + base::in_quotes(name), file);
        const std::string& shard = plain_name(entry);
        if (!shards.contains(shard)) shards.emplace(shard, open_safetensors((index.parent_path() / shard).string()));
        auto tensor = shards.at(shard).tensors.extract(name);
        if (tensor.empty()) entry.fail("points to " + shard + ", which has no such tensor; download the folder again");
        all.tensors.insert(std::move(tensor));
    }
    return all;
}

// Tensors by their name, each with the shape it must have. Each function throws InputError when a tensor is missing or
// has another shape.
class WeightReader {
  public:
    // Names may carry `prefix` in the file: all of them do when `landmark` does. `source` must outlive the reader.
    WeightReader(const TensorSource& source, const std::string& prefix, const std::string& landmark)
        : source_(source), prefix_(source.contains(prefix + landmark) ? prefix : "") {}

    [[nodiscard]] std::vector<float> read(const std::string& name, const arrays::Shape& shape) {
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

    [[nodiscard]] Norm norm(const std::string& name, std::size_t size, bool has_bias) {
        // Models that were converted from TensorFlow call them gamma and beta.
        const bool old = source_.contains(prefix_ + name + ".gamma");
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
    const TensorSource& source_;
    std::string prefix_;
};

WeightReader reader_of(const TensorSource& source, Architecture architecture) {
    if (architecture == Architecture::bert) return {source, "bert.", "embeddings.word_embeddings.weight"};
    return {source, "model.", "embeddings.tok_embeddings.weight"};
}

// Three tensors in the file, one product here.
Linear read_qkv(WeightReader& reader, const std::string& place, std::size_t hidden) {
    Linear all{3 * hidden, hidden, {}, {}};
    for (const char* part : {"query", "key", "value"}) {
        const Linear one = reader.linear(place + part, hidden, hidden, true);
        all.weight.insert(all.weight.end(), one.weight.begin(), one.weight.end());
        all.bias.insert(all.bias.end(), one.bias.begin(), one.bias.end());
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

TensorSource open_tensors(const std::string& folder) {
    const std::filesystem::path inside(folder);
    const auto has = [&](const char* name) {
        std::error_code ignored;
        return std::filesystem::exists(inside / name, ignored);
    };
    if (has("model.safetensors")) return open_safetensors((inside / "model.safetensors").string());
    if (has("model.safetensors.index.json")) return open_shards(inside / "model.safetensors.index.json");
    if (has("pytorch_model.bin")) return open_torch_file((inside / "pytorch_model.bin").string());
    base::fail(folder,
               "has no model.safetensors, model.safetensors.index.json or pytorch_model.bin; expected a Hugging Face "
               "snapshot folder");
}

void read_floats(base::Bytes& source, const std::string& where, arrays::Element type, std::span<float> into) {
    std::array<double, 4096> wide;
    while (!into.empty()) {
        const std::span<float> now = into.first(std::min(into.size(), wide.size()));
        if (type == arrays::Element::f32) {
            source.read_all(std::as_writable_bytes(now), "its values");
        } else {
            arrays::read_values(source, type, std::span(wide).first(now.size()));
            for (std::size_t i = 0; i < now.size(); ++i) now[i] = static_cast<float>(wide[i]);
        }
        // Counted: compilers do that for several at once, but do not look for the first so.
        if (std::ranges::count_if(now, [](float x) { return !std::isfinite(x); }) > 0)
            base::fail(where, "holds a weight that is not a finite number; download the file again");
        into = into.subspan(now.size());
    }
}

Linear rows_of(const Linear& linear, std::size_t begin, std::size_t end) {
    const auto part = [](std::span<const float> all, std::size_t from, std::size_t to) {
        const auto some = all.empty() ? all : all.subspan(from, to - from);
        return std::vector<float>(some.begin(), some.end());
    };
    return {end - begin, linear.inputs, part(linear.weight, begin * linear.inputs, end * linear.inputs),
            part(linear.bias, begin, end)};
}

ModelWeights::ModelWeights(const std::string& folder) : config_(read_config(folder)), tensors_(open_tensors(folder)) {}

EmbeddingWeights ModelWeights::embeddings() {
    const std::size_t hidden = config_.hidden;
    WeightReader reader = reader_of(tensors_, config_.architecture);
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
    WeightReader reader = reader_of(tensors_, config_.architecture);
    const std::string number = std::to_string(index) + ".";
    return config_.architecture == Architecture::bert
               ? bert_layer(reader, config_, "encoder.layer." + number)
               : modernbert_layer(reader, config_, "layers." + number, index == 0);
}

std::optional<Norm> ModelWeights::final_norm() {
    if (!config_.norms_first()) return std::nullopt;
    return reader_of(tensors_, config_.architecture).norm("final_norm", config_.hidden, config_.norm_bias);
}

}  // namespace wordbreadth::encoder::snapshot
