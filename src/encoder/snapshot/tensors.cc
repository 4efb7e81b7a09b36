#include "encoder/snapshot/tensors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>

#include "arrays/safetensors.h"
#include "base/failure.h"
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
    if (has("pytorch_model.bin.index.json"))
        base::fail(folder,
                   "has its pytorch_model.bin in several files, which is not supported; save the model again as "
                   "model.safetensors");
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

}  // namespace wordbreadth::encoder::snapshot
