#include "store/shard_file.h"

#include <array>
#include <filesystem>
#include <system_error>

#include "arrays/safetensors.h"
#include "base/failure.h"
#include "base/file.h"
#include "base/made_folder.h"
#include "base/sha256.h"
#include "store/layout.h"
#include "wordbreadth/error.h"

namespace wordbreadth::store {

namespace {

constexpr const char* tensor_name = "rows";

arrays::Metadata metadata_of(const Plan& plan, std::size_t shard, std::span<const float> rows) {
    return {{"format", "wordbreadth shard"},
            {"version", std::to_string(store_version)},
            {"plan", plan.sha256()},
            {"shard", std::to_string(shard)},
            {"sha256", base::sha256_of(std::as_bytes(rows))}};
}

struct Contents {
    std::uint64_t begin = 0;
    arrays::Shape shape;
};

Contents contents_of(const std::string& path) {
    base::File file(path);
    const arrays::SafetensorsHeader header = arrays::read_safetensors_header(file);
    const auto found = header.tensors.find(tensor_name);
    if (header.tensors.size() != 1 || found == header.tensors.end() || found->second.type != "F32" ||
        found->second.shape.size() != 2)
        base::fail(path, "is no shard of a store");
    return {header.data_begin, found->second.shape};
}

}  // namespace

void write_shard(const Plan& plan, std::size_t shard, std::size_t dimension, std::span<const float> rows) {
    const base::MadeFolder folder(shards_folder(plan.folder()));
    const std::array matrices{arrays::MatrixShape{tensor_name, rows.size() / dimension, dimension}};
    base::OutputFile file(shard_path(plan.folder(), shard));
    const std::string header = arrays::safetensors_header(matrices, metadata_of(plan, shard, rows));
    file.write(std::as_bytes(std::span(header)));
    file.write(std::as_bytes(rows));
    file.keep();
}

ShardFile::ShardFile(const Plan& plan, std::size_t shard) : path_(shard_path(plan.folder(), shard)), file_(path_) {
    const auto [begin, shape] = contents_of(path_);
    if (shape[0] != plan.shards().at(shard).rows)
        base::fail(path_, "has " + std::to_string(shape[0]) + " rows; the plan asks for " +
                              std::to_string(plan.shards()[shard].rows));
    dimension_ = shape[1];
    const std::span<const std::byte> values = file_.bytes().subspan(begin);
    rows_ = {reinterpret_cast<const float*>(values.data()), values.size() / sizeof(float)};
    if (begin % alignof(float) != 0 || arrays::read_metadata(path_) != metadata_of(plan, shard, rows_))
        base::fail(path_, "is damaged, or was made for another plan");
}

ShardState state_of(const Plan& plan, std::size_t shard) {
    std::error_code ignored;
    if (!std::filesystem::exists(shard_path(plan.folder(), shard), ignored)) return ShardState::missing;
    try {
        const ShardFile file(plan, shard);
        return ShardState::finished;
    } catch (const InputError&) {
        return ShardState::unusable;
    }
}

}  // namespace wordbreadth::store
