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
            {"version", std::to_string(plan.version())},
            {"plan", plan.sha256()},
            {"shard", std::to_string(shard)},
            {"sha256", sha256}};
}

// At most what a word takes of a header: its entry, with its shape and its place, and its hash. In JSON quotes and
// backslashes are two bytes, and names have no control characters, which would be more.
std::uint64_t header_bytes_of(std::string_view word) {
    const auto is_escaped = [](char c) { return c == '"' || c == '\\'; };
    return 200 + 2 * (word.size() + static_cast<std::uint64_t>(std::ranges::count_if(word, is_escaped)));
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

ShardWriter::ShardWriter(const Plan& plan, std::size_t shard, std::size_t rows, std::size_t width, std::launch hashing)
    : plan_(plan),
      shard_(shard),
      rows_(rows),
      width_(width),
      missing_(rows * width),
      folder_(shards_folder(plan.folder())),
      file_(shard_path(plan.folder(), shard)),
      hashing_(hashing) {
    const std::string unfinished = header(no_hash());
    file_.write(std::as_bytes(std::span(unfinished)));
}

std::string ShardWriter::header(const std::string& sha256) const {
    const std::array matrices{arrays::MatrixShape{tensor_name, rows_, width_}};
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

void write_shard(const Plan& plan, std::size_t shard, std::size_t width, std::span<const float> rows) {
    ShardWriter writer(plan, shard, rows.size() / width, width);
    writer.write(rows);
    writer.keep();
}

ShardFile::ShardFile(const Plan& plan, std::size_t shard) : path_(shard_path(plan.folder(), shard)), file_(path_) {
    base::File file(path_);
    const arrays::SafetensorsHeader header = arrays::read_safetensors_header(file);
    const auto& [name, tensor] = *header.tensors.begin();
    if (header.tensors.size() != 1 || name != tensor_name || tensor.type != "F32" || tensor.shape.size() != 2)
        base::fail(path_, "is not a shard of a store");
    if (tensor.shape[0] != plan.shards().at(shard).rows)
        base::fail(path_, "has " + std::to_string(tensor.shape[0]) + " rows; the plan asks for " +
                              std::to_string(plan.shards()[shard].rows));
    width_ = tensor.shape[1];
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

LayerWriter::LayerWriter(const Plan& plan, std::size_t layer, std::size_t dimension, const FileLimits& limits)
    : LayerWriter(plan.folder(), plan.words(), dimension, plan.version(),
                  plan.layers().size() > 1 ? plan.layers()[layer] : "", limits) {
    belong_to(plan);
}

LayerWriter::LayerWriter(const std::string& folder, std::span<const StoredWord> words, std::size_t dimension,
                         std::int64_t version, const std::string& layer, const FileLimits& limits)
    : dimension_(dimension) {
    arrays::Metadata common{
        {"format", "wordbreadth clouds"}, {"version", std::to_string(version)}, {"plan", no_hash()}};
    if (!layer.empty()) common["layer"] = layer;
    std::uint64_t bytes = 0, header_bytes = 0;
    for (const StoredWord& word : words) {
        const std::uint64_t more = word.rows * dimension * sizeof(float), in_header = header_bytes_of(word.word);
        if (files_.empty() || bytes + more > limits.bytes || header_bytes + in_header > limits.header_bytes) {
            File& file = files_.emplace_back(clouds_path(folder, layer, files_.size()));
            file.first_word = file_of_.size();
            file.metadata = common;
            bytes = header_bytes = 0;
        }
        bytes += more;
        header_bytes += in_header;
        files_.back().matrices.push_back({word.word, word.rows, dimension});
        files_.back().metadata["sha256 " + word.word] = no_hash();
        file_of_.push_back(static_cast<std::uint32_t>(files_.size() - 1));
        missing_ += word.rows;
    }
    for (std::size_t i = 0; i < files_.size(); ++i) {
        File& file = files_[i];
        if (files_.size() > 1) file.metadata[file_key] = std::to_string(i + 1) + " of " + std::to_string(files_.size());
        std::uint64_t offset = file.header().size();
        for (const arrays::MatrixShape& matrix : file.matrices)
            file.offsets.push_back(std::exchange(offset, offset + matrix.rows * dimension * sizeof(float)));
        file.offsets.push_back(offset);
    }
}

void LayerWriter::reserve() {
    for (File& file : files_) file.file.reserve(file.offsets.back());
}

void LayerWriter::belong_to(const Plan& plan) {
    for (File& file : files_) file.metadata["plan"] = plan.sha256();
}

void LayerWriter::place(std::size_t word, std::size_t row, std::span<const std::byte> values) {
    File& file = files_[file_of_[word]];
    const arrays::MatrixShape& matrix = file.matrices[word - file.first_word];
    const std::size_t count = values.size() / (dimension_ * sizeof(float));
    if (row >= matrix.rows || count > matrix.rows - row)
        base::fail(file.file.path(), "there is a row " + std::to_string(row + count - 1) + " of " +
                                         base::in_quotes(matrix.name) + ", which has " + std::to_string(matrix.rows) +
                                         "; extract again");
    file.file.rewrite(file.offsets[word - file.first_word] + row * dimension_ * sizeof(float), values);
    missing_ -= count;
}

void LayerWriter::begin_sync() const {
    for (const File& file : files_) file.file.begin_sync();
}

IndexedLayer LayerWriter::complete(base::Workers& workers) {
    if (missing_ != 0)
        base::fail(files_.front().file.path(), std::to_string(missing_) + " rows are missing; extract again");
    IndexedLayer layer;
    for (File& file : files_) complete(file, workers, layer);
    return layer;
}

// Read, not mapped: the clouds may be larger than the memory that this process may have.
std::vector<std::string> LayerWriter::hashes_of(const File& file, base::Workers& workers) const {
    const std::size_t words = file.matrices.size();
    if (!hashes_.empty()) {
        const auto first = hashes_.begin() + static_cast<std::ptrdiff_t>(file.first_word);
        return {first, first + static_cast<std::ptrdiff_t>(words)};
    }
    std::vector<std::string> hashes(words);
    // To open the file for each of a million words took longer than to hash them.
    const std::size_t at_once = std::clamp<std::size_t>(words / (8 * workers.size()), 1, 100);
    workers.run((words + at_once - 1) / at_once, [&](std::size_t piece, std::size_t) {
        base::File written(file.file.temporary());
        for (std::size_t i = piece * at_once; i < std::min(words, (piece + 1) * at_once); ++i)
            hashes[i] = base::sha256_of_part(written, file.offsets[i], file.offsets[i + 1] - file.offsets[i]);
    });
    return hashes;
}

void LayerWriter::complete(File& file, base::Workers& workers, IndexedLayer& layer) {
    std::vector<std::string> hashes = hashes_of(file, workers);
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        file.metadata["sha256 " + file.matrices[i].name] = hashes[i];
        layer.clouds.push_back({file.offsets[i], file.matrices[i].rows, std::move(hashes[i])});
    }
    const std::string finished = file.header();  // as long as the one without hashes
    const auto bytes = std::as_bytes(std::span(finished));
    file.file.rewrite(0, bytes);
    layer.files.push_back(
        {file.offsets.back(), file.first_word, bytes.size(), base::sha256_of(bytes), front_hash(bytes, bytes.size())});
}

void LayerWriter::keep_further(bool on_disk) {
    for (std::size_t i = 1; i < files_.size(); ++i) files_[i].file.keep(on_disk);
}

void LayerWriter::keep_first(bool on_disk) {
    files_.front().file.keep(on_disk);
}

// A process may be killed anywhere here: the store is finished once the first files of all layers are there, and then
// all others are.
void keep_clouds(const Plan& plan, const std::vector<LayerWriter*>& layers, base::Workers& workers, Timing* timing,
                 bool on_disk) {
    std::vector<IndexedLayer> indexed;
    timed(timing, "hashing clouds", [&] {
        for (LayerWriter* const layer : layers) indexed.push_back(layer->complete(workers));
    });
    timed(timing, "writing the index",
          [&] { write_index(plan.folder(), plan.sha256(), layers.front()->dimension(), indexed, workers, on_disk); });
    timed(timing, "waiting for the disk", [&] {
        for (LayerWriter* const layer : layers) layer->keep_further(on_disk);
        for (LayerWriter* const layer : layers) layer->keep_first(on_disk);
    });
}

CloudsWriter::CloudsWriter(const Plan& plan, std::size_t dimension, const FileLimits& limits)
    : plan_(plan), dimension_(dimension) {
    for (std::size_t layer = 0; layer < plan.layers().size(); ++layer)
        layers_.emplace_back(plan, layer, dimension, limits);
}

void CloudsWriter::place(std::size_t word, std::size_t row, std::span<const float> values) {
    if (layers_.size() == 1) return layers_.front().place(word, row, values);
    const std::size_t width = layers_.size() * dimension_;
    std::vector<float> of_layer(values.size() / layers_.size());
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
        for (std::size_t i = 0; i < values.size() / width; ++i)
            std::ranges::copy(values.subspan(i * width + layer * dimension_, dimension_),
                              of_layer.begin() + static_cast<std::ptrdiff_t>(i * dimension_));
        layers_[layer].place(word, row, of_layer);
    }
}

// One shard per thread is in memory: there may be more of them than fit.
void CloudsWriter::place_shards(Plan& plan, std::span<const std::size_t> shards, base::Workers& workers) {
    const std::vector<RowPlace> places = places_of_rows(plan);
    const std::size_t width = layers_.size() * dimension_;
    std::vector<std::size_t> begins;
    std::size_t rows = 0;
    for (const PlannedShard& shard : plan.shards()) begins.push_back(std::exchange(rows, rows + shard.rows));
    workers.run(shards.size(), [&](std::size_t i, std::size_t) {
        const ShardFile file(plan, shards[i]);
        if (file.width() != width)
            base::fail(shard_path(plan.folder(), shards[i]),
                       "has vectors of another dimension than the store: " + std::to_string(file.width()) +
                           "; expected " + std::to_string(width));
        for (std::size_t row = 0; row < plan.shards()[shards[i]].rows; ++row) {
            const auto& [word, row_of_word] = places[begins[shards[i]] + row];
            place(word, row_of_word, file.rows().subspan(row * width, width));
        }
    });
}

void CloudsWriter::begin_sync() const {
    for (const LayerWriter& layer : layers_) layer.begin_sync();
}

void CloudsWriter::keep(base::Workers& workers, Timing* timing) {
    std::vector<LayerWriter*> layers;
    for (LayerWriter& layer : layers_) layers.push_back(&layer);
    keep_clouds(plan_, layers, workers, timing);
}

void join_shards(Plan& plan, unsigned threads, const FileLimits& limits) {
    {
        base::Workers workers(threads);
        std::vector<std::size_t> all(plan.shards().size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        CloudsWriter clouds(plan, ShardFile(plan, 0).width() / plan.layers().size(), limits);
        clouds.place_shards(plan, all, workers);
        clouds.keep(workers, nullptr);
    }
    remove_leftovers(plan.folder());
}

bool is_incomplete(const std::string& name) {
    return name == "store.lock" || name.starts_with("store.lock.") || name.starts_with("store.sqlite.part-") ||
           name.starts_with("store.index.part-") || name.starts_with("store.part-") || is_incomplete_clouds_name(name);
}

void remove_incomplete(const std::string& folder) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        // The lock itself is for its owner to remove.
        if (is_incomplete(name) && name != "store.lock" && !base::may_be_in_use(name))
            std::filesystem::remove_all(entry.path(), ignored);  // of NewStore it is a folder
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
