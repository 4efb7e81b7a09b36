// What is in a store and where it came from, finished or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "store/words.h"

namespace wordbreadth {

struct StoreDescription {
    std::string folder;
    std::uint64_t bytes = 0;  // on disk
    std::size_t words = 0;
    std::uint64_t rows = 0;     // of all clouds
    std::size_t dimension = 0;  // 0: not known yet
    bool finished = false;
    std::size_t shards = 0;           // that the work was cut into
    std::size_t finished_shards = 0;  // of a store that is not finished
    std::size_t unusable_shards = 0;  // of these, too; they will be made again
    std::vector<std::pair<std::string, std::string>> settings;
    std::vector<store::SourceFile> sources;  // of the corpus
    std::vector<store::SkippedOccurrences> skipped;
    std::vector<store::MissingWord> missing;       // that were asked for
    std::vector<store::StoredWord> most_frequent;  // first
};

// Throws InputError when the folder is no store, was written by a newer version or is damaged. Reads the shards of an
// unfinished store, but not the clouds of a finished one.
[[nodiscard]] StoreDescription describe_store(const std::string& folder, std::size_t most_frequent = 20);

}  // namespace wordbreadth
