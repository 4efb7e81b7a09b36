// Tensors of several .safetensors files, and the index that tells which is where.
#include <filesystem>
#include <map>
#include <utility>

#include "base/failure.h"
#include "encoder/snapshot/json_file.h"
#include "encoder/snapshot/tensors.h"

namespace wordbreadth::encoder::snapshot {

namespace {

// A name in the index must not lead out of the folder.
const std::string& plain_name(const JsonValue& file) {
    const std::string& name = file.text();
    if (name.empty() || name.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos || name == "." ||
        name == "..") {
        file.fail_expecting("the name of a file in the same folder");
    }
    return name;
}

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
        if (!shard) shard = open_safetensors_file((std::filesystem::path(folder) / file).string());
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

std::unique_ptr<TensorSource> open_shards(const std::string& folder, const std::string& index) {
    return std::make_unique<Shards>(folder, index);
}

}  // namespace wordbreadth::encoder::snapshot
