#include "store/shards.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "arrays/safetensors.h"
#include "base/failure.h"
#include "base/workers.h"
#include "store/layout.h"
#include "wordbreadth/error.h"

namespace wordbreadth::store {

namespace {

constexpr const char* tensor_name = "rows";

// Stands in a header until the true one is known, which is as long.
std::string no_hash() {
    return std::string(64, '0');
}

arrays::Metadata metadata_of(const Plan& plan, std::size_t shard, const std::string& sha256) {
    return {{"format", "wordbreadth shard"},
            {"version", std::to_string(store_version)},
            {"plan", plan.sha256()},
            {"shard", std::to_string(shard)},
            {"sha256", sha256}};
}

// All rows, as if the shards were one file.
class Rows {
  public:
    Rows(const Plan& plan, base::Workers& workers) : shards_(plan.shards().size()) {
        workers.run(shards_.size(), [&](std::size_t shard, std::size_t) { shards_[shard].emplace(plan, shard); });
        std::size_t size = 0;
        for (std::size_t shard = 0; shard < shards_.size(); ++shard) {
            begins_.push_back(size);
            size += plan.shards()[shard].rows;
            if (shards_[shard]->dimension() != dimension())
                base::fail(shard_path(plan.folder(), shard), "has vectors of another dimension than the first shard");
        }
    }

    [[nodiscard]] std::size_t dimension() const { return shards_.front()->dimension(); }

    [[nodiscard]] std::span<const float> row(std::size_t index) const {
        const auto shard = std::ranges::upper_bound(begins_, index) - begins_.begin() - 1;
        return shards_[shard]->rows().subspan((index - begins_[shard]) * dimension(), dimension());
    }

  private:
    std::vector<std::optional<ShardFile>> shards_;
    std::vector<std::size_t> begins_;
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
        for (const StoredWord& word : plan.words()) {
            matrices_.push_back({word.word, word.rows, dimension});
            metadata_["sha256 " + word.word] = no_hash();
        }
        const std::string header = arrays::safetensors_header(matrices_, metadata_);
        file_.write(std::as_bytes(std::span(header)));
    }

    // Of the next words.
    void write(std::span<const float> clouds, std::span<const std::string> hashes) {
        for (const std::string& sha256 : hashes) metadata_["sha256 " + matrices_[next_++].name] = sha256;
        file_.write(std::as_bytes(clouds));
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
    std::size_t next_ = 0;
};

// Consecutive words whose clouds are put together at the same time, and then written.
class Group {
  public:
    // From word `first` on as many as a reasonable amount of memory holds, but one at least; none past the last.
    void begin(const RowsByWord& by_word, std::size_t first, std::size_t dimension) {
        constexpr std::size_t most_values = std::size_t{1} << 23;  // 32 MiB
        const std::size_t words = by_word.begins.size() - 1;
        const auto values = [&](std::size_t end) { return (by_word.begins[end] - by_word.begins[first]) * dimension; };
        std::size_t end = std::min(first + 1, words);
        while (end < words && values(end + 1) <= most_values) ++end;
        first_ = first;
        values_.resize(values(end));
        hashes_.resize(end - first);
    }

    [[nodiscard]] std::size_t size() const { return hashes_.size(); }
    [[nodiscard]] std::size_t end() const { return first_ + size(); }

    void join(std::size_t i, const RowsByWord& by_word, const Rows& rows) {
        const std::size_t* begin = by_word.begins.data() + first_;
        float* const cloud = values_.data() + (begin[i] - begin[0]) * rows.dimension();
        float* to = cloud;
        for (std::size_t k = begin[i]; k < begin[i + 1]; ++k) to = std::ranges::copy(rows.row(by_word.list[k]), to).out;
        hashes_[i] = base::sha256_of(std::as_bytes(std::span(cloud, to)));
    }

    void write(CloudsWriter& writer) const { writer.write(values_, hashes_); }

  private:
    std::size_t first_ = 0;
    std::vector<float> values_;  // of one cloud after the other
    std::vector<std::string> hashes_;
};

// While one group is written, the next is put together.
void write_clouds(const RowsByWord& by_word, const Rows& rows, CloudsWriter& writer, base::Workers& workers) {
    Group made, next;
    do {
        std::swap(made, next);
        next.begin(by_word, made.end(), rows.dimension());
        workers.run(1 + next.size(), [&](std::size_t piece, std::size_t) {
            if (piece == 0) {
                made.write(writer);
            } else {
                next.join(piece - 1, by_word, rows);
            }
        });
    } while (next.size() > 0);
}

}  // namespace

ShardWriter::ShardWriter(const Plan& plan, std::size_t shard, std::size_t rows, std::size_t dimension)
    : plan_(plan),
      shard_(shard),
      rows_(rows),
      dimension_(dimension),
      missing_(rows * dimension),
      folder_(shards_folder(plan.folder())),
      file_(shard_path(plan.folder(), shard)) {
    const std::string unfinished = header(no_hash());
    file_.write(std::as_bytes(std::span(unfinished)));
}

std::string ShardWriter::header(const std::string& sha256) const {
    const std::array matrices{arrays::MatrixShape{tensor_name, rows_, dimension_}};
    return arrays::safetensors_header(matrices, metadata_of(plan_, shard_, sha256));
}

void ShardWriter::write(std::span<const float> rows) {
    missing_ -= rows.size();
    sha256_.add(std::as_bytes(rows));
    file_.write(std::as_bytes(rows));
}

void ShardWriter::keep() {
    const std::string finished = header(sha256_.digest());
    file_.rewrite(0, std::as_bytes(std::span(finished)));
    file_.keep(false);
}

void write_shard(const Plan& plan, std::size_t shard, std::size_t dimension, std::span<const float> rows) {
    ShardWriter writer(plan, shard, rows.size() / dimension, dimension);
    writer.write(rows);
    writer.keep();
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
    if (header.data_begin % alignof(float) != 0 ||
        header.metadata != metadata_of(plan, shard, base::sha256_of(std::as_bytes(rows_))))
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

std::vector<ShardState> states_of(const Plan& plan, unsigned threads) {
    std::vector<ShardState> states(plan.shards().size());
    base::Workers workers(std::min<unsigned>(threads, static_cast<unsigned>(states.size())));
    workers.run(states.size(), [&](std::size_t shard, std::size_t) { states[shard] = state_of(plan, shard); });
    return states;
}

void join_shards(Plan& plan, unsigned threads, Timing* timing) {
    {
        base::Workers workers(threads);
        const RowsByWord by_word = timed(timing, "joining shards", [&] { return rows_by_word(plan); });
        const Rows rows = timed(timing, "checking shards", [&] { return Rows(plan, workers); });
        CloudsWriter writer(plan, rows.dimension());
        timed(timing, "joining shards", [&] { write_clouds(by_word, rows, writer, workers); });
        timed(timing, "waiting for the disk", [&] { writer.keep(); });
    }
    const Timing::Stage removing(timing, "removing shards");
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
