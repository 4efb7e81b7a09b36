#include "store/shards.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <vector>

#include "arrays/safetensors.h"
#include "base/failure.h"
#include "base/output_file.h"
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

// All rows, as if the shards were one file.
class Rows {
  public:
    explicit Rows(const Plan& plan) {
        for (std::size_t shard = 0; shard < plan.shards().size(); ++shard) {
            begins_.push_back(size_);
            shards_.emplace_back(plan, shard);
            size_ += plan.shards()[shard].rows;
            if (shards_.back().dimension() != shards_.front().dimension())
                base::fail(shard_path(plan.folder(), shard), "has vectors of another dimension than the first shard");
        }
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t dimension() const { return shards_.front().dimension(); }

    [[nodiscard]] std::span<const float> row(std::size_t index) const {
        const auto shard = std::ranges::upper_bound(begins_, index) - begins_.begin() - 1;
        return shards_[shard].rows().subspan((index - begins_[shard]) * dimension(), dimension());
    }

  private:
    std::vector<ShardFile> shards_;
    std::vector<std::size_t> begins_;
    std::size_t size_ = 0;
};

// The rows of each word, one word after the other: those of word w are list[begins[w]] .. list[begins[w + 1] - 1].
struct RowsByWord {
    std::vector<std::size_t> begins;  // (words + 1)
    std::vector<std::size_t> list;
};

RowsByWord rows_by_word(Plan& plan) {
    const std::vector<std::uint32_t> words = plan.words_of_rows();
    RowsByWord result{std::vector<std::size_t>(plan.words().size() + 1), std::vector<std::size_t>(words.size())};
    for (std::size_t w = 0; w < plan.words().size(); ++w) {
        result.begins[w + 1] = result.begins[w] + plan.words()[w].rows;
    }
    std::vector<std::size_t> next(result.begins.begin(), result.begins.end() - 1);
    const auto disagree = [&] {
        base::fail(plan_path(plan.folder()), "its words and occurrences do not agree; extract again");
    };
    if (result.begins.back() != words.size()) disagree();
    for (std::size_t row = 0; row < words.size(); ++row) {
        if (words[row] >= next.size() || next[words[row]] == result.begins[words[row] + 1]) disagree();
        result.list[next[words[row]]++] = row;
    }
    return result;
}

class CloudsWriter {
  public:
    CloudsWriter(const Plan& plan, std::size_t dimension) : file_(clouds_path(plan.folder())) {
        metadata_ = {
            {"format", "wordbreadth clouds"}, {"version", std::to_string(store_version)}, {"plan", plan.sha256()}};
        const std::string no_hash(64, '0');
        for (const StoredWord& word : plan.words()) {
            matrices_.push_back({word.word, word.rows, dimension});
            metadata_["sha256 " + word.word] = no_hash;
        }
        const std::string header = arrays::safetensors_header(matrices_, metadata_);  // the true one will be as long
        file_.write(std::as_bytes(std::span(header)));
    }

    void write(const std::string& word, std::span<const float> cloud) {
        metadata_["sha256 " + word] = base::sha256_of(std::as_bytes(cloud));
        file_.write(std::as_bytes(cloud));
    }

    void keep() {
        const std::string header = arrays::safetensors_header(matrices_, metadata_);
        file_.rewrite(0, std::as_bytes(std::span(header)));
        file_.keep();
    }

  private:
    base::OutputFile file_;
    std::vector<arrays::MatrixShape> matrices_;
    arrays::Metadata metadata_;
};

}  // namespace

void write_shard(const Plan& plan, std::size_t shard, std::size_t dimension, std::span<const float> rows) {
    const base::MadeFolder folder(shards_folder(plan.folder()));
    const std::array matrices{arrays::MatrixShape{tensor_name, rows.size() / dimension, dimension}};
    base::OutputFile file(shard_path(plan.folder(), shard));
    arrays::write_safetensors(file, matrices, metadata_of(plan, shard, rows), [&](std::size_t) { return rows; });
    file.keep();
}

ShardFile::ShardFile(const Plan& plan, std::size_t shard) : path_(shard_path(plan.folder(), shard)), file_(path_) {
    base::File file(path_);
    const arrays::SafetensorsHeader header = arrays::read_safetensors_header(file);
    const auto& [name, tensor] = *header.tensors.begin();
    if (header.tensors.size() != 1 || name != tensor_name || tensor.type != "F32" || tensor.shape.size() != 2)
        base::fail(path_, "is no shard of a store");
    if (tensor.shape[0] != plan.shards().at(shard).rows)
        base::fail(path_, "has " + std::to_string(tensor.shape[0]) + " rows; the plan asks for " +
                              std::to_string(plan.shards()[shard].rows));
    dimension_ = tensor.shape[1];
    const std::span<const std::byte> values = file_.bytes().subspan(header.data_begin);
    rows_ = {reinterpret_cast<const float*>(values.data()), values.size() / sizeof(float)};
    if (header.data_begin % alignof(float) != 0 || header.metadata != metadata_of(plan, shard, rows_))
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

void join_shards(Plan& plan) {
    const RowsByWord by_word = rows_by_word(plan);
    {
        const Rows rows(plan);
        CloudsWriter writer(plan, rows.dimension());
        std::vector<float> cloud;
        for (std::size_t w = 0; w < plan.words().size(); ++w) {
            cloud.clear();
            for (std::size_t i = by_word.begins[w]; i < by_word.begins[w + 1]; ++i) {
                const auto row = rows.row(by_word.list[i]);
                cloud.insert(cloud.end(), row.begin(), row.end());
            }
            writer.write(plan.words()[w].word, cloud);
        }
        writer.keep();
    }
    remove_leftovers(plan.folder());
}

bool is_incomplete(const std::string& name) {
    return name == "store.lock" || name.starts_with("store.lock.") || name.starts_with("store.sqlite.part-") ||
           name.starts_with("clouds.safetensors.part-");
}

void remove_incomplete(const std::string& folder) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        // Others may be asking for the lock just now.
        if (is_incomplete(name) && !name.starts_with("store.lock")) std::filesystem::remove(entry.path(), ignored);
    }
    for (const auto& entry : std::filesystem::directory_iterator(shards_folder(folder), ignored)) {
        const bool complete = entry.path().filename().string().find(".part-") == std::string::npos;
        if (!complete) std::filesystem::remove(entry.path(), ignored);
    }
}

void remove_leftovers(const std::string& folder) {
    std::error_code ignored;
    std::filesystem::remove_all(shards_folder(folder), ignored);
    remove_incomplete(folder);
}

}  // namespace wordbreadth::store
