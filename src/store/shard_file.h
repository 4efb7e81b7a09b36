// A finished shard: its rows, and the hashes by which it is known to be whole and to belong to the plan.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "base/mapped_file.h"
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

}  // namespace wordbreadth::store
