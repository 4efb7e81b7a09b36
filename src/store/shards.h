// Finished shards: their rows, the hashes by which each is known to be whole and to belong to the plan, and the clouds
// that they are joined to, the last step of making a store.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <span>
#include <string>
#include <vector>

#include "arrays/safetensors.h"
#include "base/file.h"
#include "base/output_file.h"
#include "base/sha256.h"
#include "base/workers.h"
#include "store/index.h"
#include "store/layout.h"
#include "store/plan.h"
#include "wordbreadth/timing.h"

namespace wordbreadth::store {

// A shard that is written a few rows at a time, and appears under its name once it is whole. It does not wait for the
// disk: what a crash of the machine loses is known by its hash, and made again.
class ShardWriter {
  public:
    // For (rows, width) values, all layers of a row one after the other, which are hashed while they are written, or
    // then; the plan must outlive it. Throws InputError when nothing can be written there.
    ShardWriter(const Plan& plan, std::size_t shard, std::size_t rows, std::size_t width,
                std::launch hashing = std::launch::deferred);

    // Both throw InputError when the system refuses (a full disk).
    void write(std::span<const float> rows);
    void keep();  // the last call, when all rows are written

    [[nodiscard]] bool is_whole() const { return missing_ == 0; }

  private:
    [[nodiscard]] std::string header(const std::string& sha256) const;

    const Plan& plan_;
    std::size_t shard_, rows_, width_;
    std::size_t missing_;  // values that are still to be written
    base::MadeFolder folder_;
    base::OutputFile file_;
    base::Sha256 sha256_;
    std::launch hashing_;
};

// All rows of a shard at once, (plan.shards()[shard].rows, width).
void write_shard(const Plan& plan, std::size_t shard, std::size_t width, std::span<const float> rows);

class ShardFile {
  public:
    // Throws InputError when the shard is damaged, or not this plan's.
    ShardFile(const Plan& plan, std::size_t shard);

    [[nodiscard]] std::size_t width() const { return width_; }           // of a row, all layers
    [[nodiscard]] std::span<const float> rows() const { return rows_; }  // (rows, width)

  private:
    std::string path_;
    base::MappedFile file_;
    std::size_t width_ = 0;
    std::span<const float> rows_;
};

enum class ShardState { missing, finished, unusable };

// Looks at every byte of it.
[[nodiscard]] ShardState state_of(const Plan& plan, std::size_t shard);

// Looks at its header and size alone: for people, who want to know how far a large store is. What is damaged otherwise,
// state_of() finds before the shard is used.
[[nodiscard]] ShardState glance_at(const Plan& plan, std::size_t shard);

// Of all shards.
[[nodiscard]] std::vector<ShardState> states_of(const Plan& plan, unsigned threads);

// A file of clouds ends before the word that would exceed these; a single word may. Smaller ones are for tests.
struct FileLimits {
    std::uint64_t bytes = std::uint64_t{64} << 30;  // of the clouds
    std::uint64_t header_bytes = 96'000'000;        // other programs read no header beyond 100 MB
};

// The clouds of one layer, a matrix for each word, as they are written: row by row, in any order. A word's rows mostly
// come in theirs, so that a page of the file is soon full.
class LayerWriter {
  public:
    // All functions throw InputError when the system refuses (a full disk).
    LayerWriter(const Plan& plan, std::size_t layer, std::size_t dimension, const FileLimits& limits = {});

    // Of these words, with a plan that is not finished yet, to files of that folder.
    LayerWriter(const std::string& folder, std::span<const StoredWord> words, std::size_t dimension,
                std::int64_t version = store_version, const std::string& layer = {}, const FileLimits& limits = {});

    // Room on the disk for all of it: for one who places rows in another order than theirs, or many.
    void reserve();

    // The plan that it belongs to, once that is finished.
    void belong_to(const Plan& plan);

    // Consecutive rows of a word, from `row` on. Different threads may place different rows. Throws InputError where
    // the word has no such row.
    void place(std::size_t word, std::size_t row, std::span<const float> values) {
        place(word, row, std::as_bytes(values));
    }
    void place(std::size_t word, std::size_t row, std::span<const std::byte> values);  // of float32, at any byte

    void begin_sync() const;

    // Of each word's rows, from one who placed them in their order; else complete() reads them again.
    void take_hashes(std::vector<std::string> hashes) { hashes_ = std::move(hashes); }

    // Completes the files, and says what is in them; throws InputError unless every row is in its place. The last call
    // but for keep().
    [[nodiscard]] IndexedLayer complete(base::Workers& workers);

    // Gives the further files their names, or the first. `on_disk`: as OutputFile::keep().
    void keep_further(bool on_disk);
    void keep_first(bool on_disk);

    [[nodiscard]] std::size_t dimension() const { return dimension_; }

  private:
    // Of consecutive words.
    struct File {
        explicit File(const std::string& path) : file(path) {}

        [[nodiscard]] std::string header() const { return arrays::safetensors_header(matrices, metadata); }

        base::OutputFile file;
        std::size_t first_word = 0;
        std::vector<arrays::MatrixShape> matrices;
        arrays::Metadata metadata;
        std::vector<std::uint64_t> offsets;  // (words + 1), of each cloud in the file
    };

    [[nodiscard]] std::vector<std::string> hashes_of(const File& file, base::Workers& workers) const;
    void complete(File& file, base::Workers& workers, IndexedLayer& layer);

    std::size_t dimension_;
    std::deque<File> files_;
    std::vector<std::uint32_t> file_of_;      // of each word
    std::vector<std::string> hashes_;         // of each word's rows; empty until they are known
    std::atomic<std::uint64_t> missing_ = 0;  // rows that are not in their place yet
};

// Gives the files of all layers of the plan their names, and writes the index: the store is finished with the last of
// them. Throws InputError unless every row is in its place. The last call for these. `on_disk`: as OutputFile::keep().
void keep_clouds(const Plan& plan, const std::vector<LayerWriter*>& layers, base::Workers& workers, Timing* timing,
                 bool on_disk = true);

// Those of all layers, from rows as shards have them.
class CloudsWriter {
  public:
    // The plan must outlive it. All functions throw as LayerWriter's do.
    CloudsWriter(const Plan& plan, std::size_t dimension, const FileLimits& limits = {});

    // Consecutive rows of a word, (rows, layers, dimension), from `row` on. Different threads may place different rows.
    void place(std::size_t word, std::size_t row, std::span<const float> values);

    // The rows of finished shards; throws InputError when one is not, or they do not agree with the plan.
    void place_shards(Plan& plan, std::span<const std::size_t> shards, base::Workers& workers);

    void begin_sync() const;

    // As keep_clouds(). The last call.
    void keep(base::Workers& workers, Timing* timing);

  private:
    const Plan& plan_;
    std::size_t dimension_;
    std::deque<LayerWriter> layers_;
};

// Writes the clouds from the shards of the plan, which must all be finished; then removes them. Throws InputError when
// one is not, or the clouds cannot be written.
void join_shards(Plan& plan, unsigned threads = 1, const FileLimits& limits = {});

// Removes what processes of this machine left that were killed while they wrote.
void remove_incomplete(const std::string& folder);

// Once there are clouds: removes the shards, too.
void remove_leftovers(const std::string& folder);

// Whether a file of that name, in the folder of a store, is a lock or was never completed.
[[nodiscard]] bool is_incomplete(const std::string& name);

}  // namespace wordbreadth::store
