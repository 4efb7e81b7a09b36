// The index of a finished store, which is also the list of its files: where each cloud lies, with its hash, and the
// hash of every piece of the plan. With it, opening a store reads neither the plan nor the headers of the clouds,
// however many words there are.
//
//     "wbindex1"; the bytes of the description and of the body (8 bytes each, little-endian)
//     description: JSON
//     the SHA-256 of every piece of the body, then the SHA-256 of all before it, in hexadecimal digits
//     body: for each layer, a PlaceRecord per word, in the order of the plan; the SHA-256 of every piece of the plan
//
// The file is mapped. Opening it checks all but the body, a piece of which is checked when it is first read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/workers.h"
#include "store/pieces.h"

namespace wordbreadth::store {

// A file of clouds: those of consecutive words.
struct IndexedFile {
    std::uint64_t bytes = 0;
    std::uint64_t first_word = 0;
    std::uint64_t header_bytes = 0;
    std::string header_sha256;
    std::string front_sha256;  // of the header's first piece, which names the plan
};

struct IndexedCloud {
    std::uint64_t begin = 0;  // in its file
    std::uint64_t rows = 0;
    std::string sha256;
};

struct IndexedLayer {
    std::vector<IndexedFile> files;
    std::vector<IndexedCloud> clouds;  // of all words
};

// Of the plan in that folder, which has this hash. `on_disk`: as OutputFile::keep(). Throws InputError when it cannot
// be written.
void write_index(const std::string& folder, const std::string& plan_sha256, std::size_t dimension,
                 const std::vector<IndexedLayer>& layers, base::Workers& workers, bool on_disk);

// The hash of the first piece of so many bytes of a file, or of what there is of them.
[[nodiscard]] std::string front_hash(std::span<const std::byte> file, std::uint64_t bytes);

// Throws InputError: the files in the folder are not all of one store.
[[noreturn]] void fail_mixed(const std::string& folder);

class Index {
  public:
    // Throws InputError when the file is damaged, written by a newer version, or of another plan.
    explicit Index(const std::string& folder);
    Index(const Index&) = delete;
    Index& operator=(const Index&) = delete;

    [[nodiscard]] const std::string& plan_sha256() const { return plan_sha256_; }
    [[nodiscard]] const Pieces& plan() const { return *plan_; }  // its file
    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] std::size_t layers() const { return files_.size(); }
    [[nodiscard]] const std::vector<IndexedFile>& files(std::size_t layer) const { return files_.at(layer); }

    struct Place {
        std::size_t file = 0;  // among files(layer)
        std::uint64_t begin = 0, rows = 0;
        std::string_view sha256;
    };
    // Threads may share it. Throws InputError when the index is damaged there.
    [[nodiscard]] Place place(std::size_t layer, std::uint64_t word) const;

  private:
    void read_description(const std::string& folder, std::string_view text);
    [[nodiscard]] std::string_view plan_hash(std::uint64_t piece) const;
    [[noreturn]] void fail() const;

    std::string path_;
    base::MappedFile file_, plan_file_;
    std::optional<Pieces> body_, plan_;
    std::string plan_sha256_;
    std::uint64_t words_ = 0;
    std::size_t dimension_ = 0;
    std::vector<std::vector<IndexedFile>> files_;  // of each layer
};

// Null where the store has none, as those of older versions. Throws as Index does.
[[nodiscard]] std::shared_ptr<const Index> open_index(const std::string& folder);

}  // namespace wordbreadth::store
