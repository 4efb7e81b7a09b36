// Finished shards: their rows, the hashes by which each is known to be whole and to belong to the plan, and the clouds
// that they are joined to, the last step of making a store.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/file.h"
#include "store/plan.h"

namespace wordbreadth::store {

// Writes the rows (plan.shards()[shard].rows, dimension) under a temporary name and gives them theirs once they are
// safe on disk. Throws InputError when they cannot be written (a full disk).
void write_shard(const Plan& plan, std::size_t shard, std::size_t dimension, std::span<const float> rows);

class ShardFile {
  public:
    // Throws InputError when the shard is damaged, or not this plan's.
    ShardFile(const Plan& plan, std::size_t shard);

    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] std::span<const float> rows() const { return rows_; }

  private:
    std::string path_;
    base::MappedFile file_;
    std::size_t dimension_ = 0;
    std::span<const float> rows_;
};

enum class ShardState { missing, finished, unusable };

// Looks at every byte of it.
[[nodiscard]] ShardState state_of(const Plan& plan, std::size_t shard);

// Writes clouds.safetensors, a matrix for each word, from the shards of the plan, which must all be finished; then
// removes them. Throws InputError when one is not, or the clouds cannot be written.
void join_shards(Plan& plan);

// Removes what processes left that were killed while they wrote. Only for who has the store's lock.
void remove_incomplete(const std::string& folder);

// Once there are clouds: removes the shards, too.
void remove_leftovers(const std::string& folder);

// Whether a file of that name, in the folder of a store, is a lock or was never completed.
[[nodiscard]] bool is_incomplete(const std::string& name);

}  // namespace wordbreadth::store
