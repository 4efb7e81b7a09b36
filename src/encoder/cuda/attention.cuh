// What the two attention kernels share: which keys a query sees, and the turning of what positions rotate.
#pragma once

#include <algorithm>
#include <climits>
#include <cmath>

#include "cuda/runtime.h"
#include "cuda/warp.cuh"
#include "encoder/cuda/kernels.h"
#include "encoder/cuda/operand.cuh"

namespace wordbreadth::encoder::cuda {

using ::wordbreadth::cuda::all_lanes;

// What a kernel is given.
struct AttentionArguments {
    AttentionTask task;
    int reach;
    float scale;  // 1 / sqrt(head), times log2(e): powers of two are what the hardware makes
};

inline AttentionArguments arguments_of(const AttentionTask& task) {
    const double scale = 1.4426950408889634 / std::sqrt(static_cast<double>(task.head));
    return {task, static_cast<int>(std::min<std::size_t>(task.reach, INT_MAX / 2)), static_cast<float>(scale)};
}

__device__ inline float power_of_two(float exponent) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(exponent));
    return power;
}

// How far the largest score so far is below what it is now: exactly 0 where it stays, nothing having been seen
// included.
__device__ inline float grown(float before, float now) {
    return before == now ? 0 : before - now;
}

__device__ inline float2 rotated(float2 pair, float2 turn) {
    return {pair.x * turn.x - pair.y * turn.y, pair.y * turn.x + pair.x * turn.y};
}

// The keys from `first` to `end` - 1 are seen by a query at a position between `low` and `high`.
__device__ inline int first_key_seen(int low, int reach) {
    return max(low - reach, 0);
}

__device__ inline int end_of_keys_seen(int high, int reach, int keys) {
    return min(high + reach + 1, keys);
}

void attend_by_matrices(Precision precision, const AttentionArguments& arguments, cudaStream_t stream);
void attend_in_float32(const AttentionArguments& arguments, cudaStream_t stream);

}  // namespace wordbreadth::encoder::cuda
