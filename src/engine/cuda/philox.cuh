// Philox4x32-10 and the drawing of a split on the device; permutation/philox.h and splits.cc are the definition.
#pragma once

#include <cstdint>

#include "permutation/philox_constants.h"

namespace wordbreadth::engine::cuda {

__device__ inline uint4 philox(uint4 counter, uint2 key) {
#pragma unroll
    for (int round = 0; round < permutation::philox_rounds; ++round) {
        const std::uint32_t a = __umulhi(permutation::philox_factor0, counter.x);
        const std::uint32_t b = __umulhi(permutation::philox_factor1, counter.z);
        counter = make_uint4(b ^ counter.y ^ key.x, permutation::philox_factor1 * counter.z, a ^ counter.w ^ key.y,
                             permutation::philox_factor0 * counter.x);
        key.x += permutation::philox_key_step0;
        key.y += permutation::philox_key_step1;
    }
    return counter;
}

// Rows 4 i .. 4 i + 3 of split b, as four bits; `left` rows were not looked at before, `wanted` of them are to join the
// first group. Rows past the last never join, since none is wanted then.
__device__ inline std::uint32_t draw_four(std::uint64_t b, std::uint32_t i, uint2 key, std::uint32_t& left,
                                          std::uint32_t& wanted) {
    const uint4 words =
        philox(make_uint4(static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32), i, 0), key);
    const std::uint32_t u[4] = {words.x, words.y, words.z, words.w};
    std::uint32_t bits = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const bool taken = __umulhi(u[k], left) < wanted;
        bits |= static_cast<std::uint32_t>(taken) << k;
        wanted -= taken;
        --left;
    }
    return bits;
}

}  // namespace wordbreadth::engine::cuda
