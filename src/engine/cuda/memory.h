// The device's memory: how much of a job is there at a time (pairs of a batch, splits of a chunk; both shrink where
// they do not fit, down to one pair and one block of splits), messages for when it is full, and what callers have
// there.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "engine/backend.h"
#include "engine/cuda/kernels.h"
#include "wordbreadth/error.h"

namespace wordbreadth::engine::cuda {

inline constexpr std::size_t block_of_splits = 256;  // chunks are whole blocks

class Portion {
  public:
    // `memory` is the device's. `block` is how many splits at a time the caller wants at most; 0: any number.
    Portion(const Job& job, bool gram, std::size_t memory, std::size_t block);

    // The pairs of the next batch, after the first `done`.
    [[nodiscard]] std::span<const PairTask> batch(std::size_t done) const;
    // Splits of a chunk for a batch of this many pairs.
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

// One pair of the job, of `needed` bytes, does not fit, even when nothing else of ours is in the device's memory.
[[nodiscard]] InputError does_not_fit(const Job& job, std::size_t needed, const OutOfMemory& error);

// Not even an engine without clouds fits.
[[nodiscard]] InputError cannot_start(const OutOfMemory& error);

// The bytes at an address in the device's memory, for Backend::download.
[[nodiscard]] std::shared_ptr<const void> copy_to_host(const std::string& label, const void* from, std::size_t bytes);

}  // namespace wordbreadth::engine::cuda
