// Writing verdicts: flags of splits that exceed, and lists of those that are left.
#pragma once

#include "engine/cuda/batch.h"
#include "engine/cuda/device.cuh"
#include "engine/verdict.h"

namespace wordbreadth::engine::cuda {

__device__ inline std::uint32_t& flags_of(const Chunk& chunk, int pair, int place) {
    return chunk.flags[static_cast<std::size_t>(pair) * (chunk.capacity / 32) + place / 32];
}

__device__ inline int& left_at(const Chunk& chunk, int list, int pair, int index) {
    return chunk.left[list][static_cast<std::size_t>(pair) * chunk.capacity + index];
}

// By one thread, for one split of a list.
__device__ inline void settle(const Chunk& chunk, int pair, int place, Verdict verdict, int to) {
    if (verdict == yes) atomicOr(&flags_of(chunk, pair, place), 1U << (place % 32));
    if (verdict == undecided) left_at(chunk, to, pair, atomicAdd(&chunk.left_count[to][pair], 1)) = place;
}

}  // namespace wordbreadth::engine::cuda
