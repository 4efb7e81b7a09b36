#include "store/shards.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <optional>
#include <system_error>
#include <vector>

#include "base/failure.h"
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

// The rows of some shards, by their number among all rows of the plan.
class Rows {
  public:
    Rows(const Plan& plan, std::span<const std::size_t> shards, std::size_t dimension, base::Workers& workers)
        : shards_(plan.shards().size()), dimension_(dimension) {
        std::size_t size = 0;
        for (const PlannedShard& shard : plan.shards()) {
            begins_.push_back(size);
            size += shard.rows;
        }
        workers.run(shards.size(), [&](std::size_t i, std::size_t) {
            const ShardFile& file = shards_[shards[i]].emplace(plan, shards[i]);
            if (file.dimension() != dimension)
                base::fail(shard_path(plan.folder(), shards[i]),
                           "has vectors of another dimension than the store: " + std::to_string(file.dimension()) +
                               "; expected " + std::to_string(dimension));
        });
    }

    // Empty where it is in another shard.
    [[nodiscard]] std::span<const float> row(std::size_t index) const {
        const auto shard = std::ranges::upper_bound(begins_, index) - begins_.begin() - 1;
        if (!shards_[shard]) return {};
        return shards_[shard]->rows().subspan((index - begins_[shard]) * dimension_, dimension_);
    }

  private:
    std::vector<std::optional<ShardFile>> shards_;
    std::vector<std::size_t> begins_;
    std::size_t dimension_;
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

}  // namespace

ShardWriter::ShardWriter(const Plan& plan, std::size_t shard, std::size_t rows, std::size_t dimension,
                         std::launch hashing)
    : plan_(plan),
      shard_(shard),
      rows_(rows),
      dimension_(dimension),
      missing_(rows * dimension),
      folder_(shards_folder(plan.folder())),
      file_(shard_path(plan.folder(), shard)),
      hashing_(hashing) {
    const std::string unfinished = header(no_hash());
    file_.write(std::as_bytes(std::span(unfinished)));
}

std::string ShardWriter::header(const std::string& sha256) const {
    const std::array matrices{arrays::MatrixShape{tensor_name, rows_, dimension_}};
    return arrays::safetensors_header(matrices, metadata_of(plan_, shard_, sha256));
}

void ShardWriter::write(std::span<const float> rows) {
    missing_ -= rows.size();
    std::future<void> hashed = std::async(hashing_, [&] { sha256_.add(std::as_bytes(rows)); });
    file_.write(std::as_bytes(rows));
    hashed.get();
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

ShardState glance_at(const Plan& plan, std::size_t shard) try {
    const std::string path = shard_path(plan.folder(), shard);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return ShardState::missing;
    base::File file(path);
    const arrays::SafetensorsHeader header = arrays::read_safetensors_header(file);
    const auto hash = header.metadata.find("sha256");
    const auto rows = header.tensors.find(tensor_name);
    const bool is_good = hash != header.metadata.end() && hash->second != no_hash() &&
                         header.metadata == metadata_of(plan, shard, hash->second) && rows != header.tensors.end() &&
                         rows->second.shape.size() == 2 && rows->second.shape[0] == plan.shards().at(shard).rows;
    return is_good ? ShardState::finished : ShardState::unusable;
} catch (const InputError&) {
    return ShardState::unusable;
}

std::vector<ShardState> states_of(const Plan& plan, unsigned threads) {
    std::vector<ShardState> states(plan.shards().size());
    base::Workers workers(std::min<unsigned>(threads, static_cast<unsigned>(states.size())));
    workers.run(states.size(), [&](std::size_t shard, std::size_t) { states[shard] = state_of(plan, shard); });
    return states;
}

CloudsWriter::CloudsWriter(const Plan& plan, std::size_t dimension)
    : dimension_(dimension), file_(clouds_path(plan.folder())) {
    metadata_ = {{"format", "wordbreadth clouds"}, {"version", std::to_string(store_version)}, {"plan", plan.sha256()}};
    for (const StoredWord& word : plan.words()) {
        matrices_.push_back({word.word, word.rows, dimension});
        metadata_["sha256 " + word.word] = no_hash();
    }
    std::uint64_t offset = header().size();
    for (const arrays::MatrixShape& matrix : matrices_) {
        offsets_.push_back(offset);
        offset += matrix.rows * dimension * sizeof(float);
        missing_ += matrix.rows;
    }
    offsets_.push_back(offset);
}

std::string CloudsWriter::header() const {
    return arrays::safetensors_header(matrices_, metadata_);
}

void CloudsWriter::place(std::size_t word, std::size_t row, std::span<const float> values) {
    const arrays::MatrixShape& matrix = matrices_[word];
    const std::size_t count = values.size() / dimension_;
    if (row >= matrix.rows || count > matrix.rows - row)
        base::fail(file_.path(), "there is a row " + std::to_string(row + count - 1) + " of " +
                                     base::in_quotes(matrix.name) + ", which has " + std::to_string(matrix.rows) +
                                     "; extract again");
    file_.rewrite(offsets_[word] + row * dimension_ * sizeof(float), std::as_bytes(values));
    missing_ -= count;
}

void CloudsWriter::place_shards(Plan& plan, std::span<const std::size_t> shards, base::Workers& workers) {
    const RowsByWord by_word = rows_by_word(plan);
    const Rows rows(plan, shards, dimension_, workers);
    workers.run(matrices_.size(), [&](std::size_t word, std::size_t) {
        const std::size_t begin = by_word.begins[word];
        for (std::size_t i = begin; i < by_word.begins[word + 1]; ++i)
            if (const auto row = rows.row(by_word.list[i]); !row.empty()) place(word, i - begin, row);
    });
}

std::vector<std::string> CloudsWriter::hashes(base::Workers& workers) const {
    const base::MappedFile file(file_.temporary());
    std::vector<std::string> found(matrices_.size());
    workers.run(found.size(), [&](std::size_t word, std::size_t) {
        found[word] = base::sha256_of(file.bytes().subspan(offsets_[word], offsets_[word + 1] - offsets_[word]));
    });
    return found;
}

void CloudsWriter::keep(base::Workers& workers, Timing* timing) {
    if (missing_ != 0) base::fail(file_.path(), std::to_string(missing_) + " rows are missing; extract again");
    timed(timing, "hashing clouds", [&] {
        const std::vector<std::string> found = hashes(workers);
        for (std::size_t word = 0; word < found.size(); ++word)
            metadata_["sha256 " + matrices_[word].name] = found[word];
        const std::string finished = header();  // as long as the one without hashes
        file_.rewrite(0, std::as_bytes(std::span(finished)));
    });
    timed(timing, "waiting for the disk", [&] { file_.keep(); });
}

void join_shards(Plan& plan, unsigned threads) {
    {
        base::Workers workers(threads);
        std::vector<std::size_t> all(plan.shards().size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        CloudsWriter clouds(plan, ShardFile(plan, 0).dimension());
        clouds.place_shards(plan, all, workers);
        clouds.keep(workers, nullptr);
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
