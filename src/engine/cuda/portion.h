// How much of a job is on the device at a time: pairs of a batch, splits of a chunk. Where they do not fit, they become
// fewer, down to one pair and one block of splits.
#pragma once

#include <cstddef>
#include <span>

#include "engine/backend.h"

namespace wordbreadth::engine::cuda {

inline constexpr std::size_t block_of_splits = 256;  // chunks are whole blocks

class Portion {
  public:
    // `memory` is the device's. `block` is how many splits at a time the caller wants at most; 0: any number.
    Portion(const Job& job, bool gram, std::size_t memory, std::size_t block);

    // The pairs of the next batch, when `done` are behind it.
    [[nodiscard]] std::span<const PairTask> batch(std::size_t done) const;
    // permutation::Splits of a chunk for a batch of so many pairs.
    [[nodiscard]] std::size_t splits(std::size_t pairs) const;

    // Device memory that the pairs of a batch take, with their clouds, and that its chunks take.
    [[nodiscard]] std::size_t bytes_of_pairs(std::span<const PairTask> batch) const;
    [[nodiscard]] std::size_t bytes_of_chunk(std::size_t pairs) const;

    // Halves what takes more of the memory for this batch. False when nothing can be halved any more.
    [[nodiscard]] bool shrink(std::span<const PairTask> batch);

  private:
    const Job& job_;
    bool gram_;
    std::size_t most_pairs_;
    std::size_t most_splits_;
};

}  // namespace wordbreadth::engine::cuda
