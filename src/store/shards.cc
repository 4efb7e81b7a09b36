#include "store/shards.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <numeric>
#include <system_error>
#include <utility>
#include <vector>

#include "base/failure.h"
#include "base/temporary.h"
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

// Where a row of a shard belongs.
struct RowPlace {
    std::uint32_t word = 0;
    std::uint32_t row = 0;  // of the word's cloud
};

// Of all rows of the plan, shard after shard.
std::vector<RowPlace> places_of_rows(Plan& plan) {
    const std::vector<std::uint32_t> words = plan.words_of_rows();
    std::vector<std::uint32_t> next(plan.words().size());
    std::vector<RowPlace> places(words.size());
    const auto disagree = [&] {
        base::fail(plan_path(plan.folder()), "its words and occurrences do not agree; extract again");
    };
    for (std::size_t row = 0; row < words.size(); ++row) {
        if (words[row] >= next.size() || next[words[row]] == plan.words()[words[row]].rows) disagree();
        places[row] = {words[row], next[words[row]]++};
    }
    std::uint64_t planned = 0;
    for (const PlannedShard& shard : plan.shards()) planned += shard.rows;
    if (planned != words.size()) disagree();
    return places;
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

// One shard per thread is in memory: there may be more of them than fit.
void CloudsWriter::place_shards(Plan& plan, std::span<const std::size_t> shards, base::Workers& workers) {
    const std::vector<RowPlace> places = places_of_rows(plan);
    std::vector<std::size_t> begins;
    std::size_t rows = 0;
    for (const PlannedShard& shard : plan.shards()) begins.push_back(std::exchange(rows, rows + shard.rows));
    workers.run(shards.size(), [&](std::size_t i, std::size_t) {
        const ShardFile file(plan, shards[i]);
        if (file.dimension() != dimension_)
            base::fail(shard_path(plan.folder(), shards[i]),
                       "has vectors of another dimension than the store: " + std::to_string(file.dimension()) +
                           "; expected " + std::to_string(dimension_));
        for (std::size_t row = 0; row < plan.shards()[shards[i]].rows; ++row) {
            const auto& [word, place_in_cloud] = places[begins[shards[i]] + row];
            place(word, place_in_cloud, file.rows().subspan(row * dimension_, dimension_));
        }
    });
}

// Read a piece at a time, not mapped: a mapped file counts as memory of the process.
std::vector<std::string> CloudsWriter::hashes(base::Workers& workers) const {
    constexpr std::size_t piece_bytes = 1024 * 1024;
    std::vector<std::string> found(matrices_.size());
    std::vector<std::unique_ptr<base::File>> files(workers.size());
    std::vector<std::vector<std::byte>> pieces(workers.size());
    workers.run(found.size(), [&](std::size_t word, std::size_t worker) {
        if (!files[worker]) files[worker] = std::make_unique<base::File>(file_.temporary(), file_.path());
        pieces[worker].resize(piece_bytes);
        base::Sha256 sha256;
        files[worker]->seek(offsets_[word]);
        for (std::uint64_t left = offsets_[word + 1] - offsets_[word]; left > 0;) {
            const auto piece = std::span(pieces[worker]).first(std::min<std::uint64_t>(left, piece_bytes));
            files[worker]->read_all(piece, "a cloud");
            sha256.add(piece);
            left -= piece.size();
        }
        found[word] = sha256.digest();
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
        if (is_incomplete(name) && !name.starts_with("store.lock") && !base::may_be_in_use(name))
            std::filesystem::remove(entry.path(), ignored);
    }
    for (const auto& entry : std::filesystem::directory_iterator(shards_folder(folder), ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.find(".part-") != std::string::npos && !base::may_be_in_use(name))
            std::filesystem::remove(entry.path(), ignored);
    }
}

void remove_leftovers(const std::string& folder) {
    std::error_code ignored;
    std::filesystem::remove_all(shards_folder(folder), ignored);
    remove_incomplete(folder);
}

}  // namespace wordbreadth::store
