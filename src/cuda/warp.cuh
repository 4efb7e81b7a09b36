// What the threads of a warp do together.
#pragma once

namespace wordbreadth::cuda {

inline constexpr unsigned all_lanes = 0xFFFFFFFFU;

template <class T>
__device__ inline T sum_of_warp(T value) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(all_lanes, value, offset);
    return value;
}

}  // namespace wordbreadth::cuda
