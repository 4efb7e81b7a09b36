#include "encoder/snapshot/tensors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include "arrays/safetensors.h"
#include "base/failure.h"
#include "base/file.h"
#include "encoder/snapshot/json_file.h"

namespace wordbreadth::encoder::snapshot {

namespace {

arrays::Element element_of(const std::string& where, const std::string& type) {
    if (type == "F16") return arrays::Element::float16;
    if (type == "BF16") return arrays::Element::bfloat16;
    if (type == "F32") return arrays::Element::float32;
    if (type == "F64") return arrays::Element::float64;
    base::fail(where, "holds values of type " + base::in_quotes(type) +
                          "; expected F32, F16 or BF16: a quantised model must be converted back");
}

// A file, called by the tensor that is being read.
class NamedBytes : public base::Bytes {
  public:
    NamedBytes(base::File& file, const std::string& where) : file_(file), where_(where) {}
    std::size_t read(std::span<std::byte> into) override { return file_.read(into); }
    [[nodiscard]] const std::string& where() const override { return where_; }

  private:
    base::File& file_;
    const std::string& where_;
};

// Tensors of one .safetensors file.
class SafetensorsSource : public TensorSource {
  public:
    explicit SafetensorsSource(const std::string& path)
        : file_(path), header_(arrays::read_safetensors_header(file_)) {}

    [[nodiscard]] bool contains(const std::string& name) const override { return header_.tensors.contains(name); }
    [[nodiscard]] std::string where(const std::string& name) const override {
        return contains(name) ? file_.where() + ":" + name : file_.where();
    }
    [[nodiscard]] arrays::Shape shape(const std::string& name) const override { return header_.tensors.at(name).shape; }

    void read(const std::string& name, std::span<float> into) override {
        const arrays::Tensor& tensor = header_.tensors.at(name);
        const std::string place = where(name);
        read_floats(file_, header_.data_begin + tensor.begin, place, element_of(place, tensor.type), into);
    }

  private:
    base::File file_;
    arrays::SafetensorsHeader header_;
};

// A name in the index must not lead out of the folder.
const std::string& plain_name(const JsonValue& file) {
    const std::string& name = file.text();
    if (name.empty() || name.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos || name == "." ||
        name == "..") {
        file.fail_expecting("the name of a file in the same folder");
    }
    return name;
}

// Tensors of several .safetensors files, and the index that tells which is where.
class Shards : public TensorSource {
  public:
    Shards(const std::string& folder, const std::string& index)
        : index_((std::filesystem::path(folder) / index).string()) {
        const nlohmann::json json = read_json_file(index_);
        const JsonValue map = JsonValue(index_, "", json).at("weight_map");
        for (const auto& [name, file] : map.object().items()) {
            add(folder, name, plain_name(JsonValue(index_, "weight_map." + base::in_quotes(name), file)));
        }
    }

    [[nodiscard]] bool contains(const std::string& name) const override { return places_.contains(name); }
    [[nodiscard]] std::string where(const std::string& name) const override {
        return contains(name) ? places_.at(name)->where(name) : index_;
    }
    [[nodiscard]] arrays::Shape shape(const std::string& name) const override { return places_.at(name)->shape(name); }
    void read(const std::string& name, std::span<float> into) override { places_.at(name)->read(name, into); }

  private:
    void add(const std::string& folder, const std::string& name, const std::string& file) {
        auto& shard = files_[file];
        if (!shard) shard = std::make_unique<SafetensorsSource>((std::filesystem::path(folder) / file).string());
        if (!shard->contains(name)) {
            JsonValue(index_, "weight_map." + base::in_quotes(name), nlohmann::json(file))
                .fail("points to " + file + ", which has no such tensor; download the folder again");
        }
        places_.emplace(name, shard.get());
    }

    std::string index_;
    std::map<std::string, std::unique_ptr<TensorSource>> files_;
    std::map<std::string, TensorSource*> places_;
};

}  // namespace

std::unique_ptr<TensorSource> open_tensors(const std::string& folder) {
    const std::filesystem::path inside(folder);
    const auto has = [&](const char* name) {
        std::error_code ignored;
        return std::filesystem::exists(inside / name, ignored);
    };
    if (has("model.safetensors")) return std::make_unique<SafetensorsSource>((inside / "model.safetensors").string());
    if (has("model.safetensors.index.json")) return std::make_unique<Shards>(folder, "model.safetensors.index.json");
    if (has("pytorch_model.bin")) return open_torch_file((inside / "pytorch_model.bin").string());
    base::fail(folder,
               "has no model.safetensors, model.safetensors.index.json or pytorch_model.bin; expected a Hugging Face "
               "snapshot folder");
}

void read_floats(base::Bytes& source, arrays::Element type, std::span<float> into) {
    std::array<double, 4096> piece;
    while (!into.empty()) {
        const std::size_t count = std::min(into.size(), piece.size());
        arrays::read_values(source, type, std::span(piece).first(count));
        for (std::size_t i = 0; i < count; ++i) into[i] = static_cast<float>(piece[i]);
        if (!std::all_of(into.begin(), into.begin() + static_cast<std::ptrdiff_t>(count),
                         [](float x) { return std::isfinite(x); })) {
            base::fail(source.where(), "holds a weight that is not a finite number; download the file again");
        }
        into = into.subspan(count);
    }
}

void read_floats(base::File& file, std::uint64_t offset, const std::string& where, arrays::Element type,
                 std::span<float> into) {
    NamedBytes bytes(file, where);
    file.seek(offset);
    read_floats(bytes, type, into);
}

}  // namespace wordbreadth::encoder::snapshot
