// Philox4x32-10 and the drawing of a split on the device; permutation/philox.h and splits.cc are the definition.
#pragma once

#include <cstdint>

namespace wordbreadth::engine::cuda {

__device__ inline uint4 philox(uint4 counter, uint2 key) {
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const std::uint32_t a = __umulhi(0xD2511F53U, counter.x);
        const std::uint32_t b = __umulhi(0xCD9E8D57U, counter.z);
        counter =
            make_uint4(b ^ counter.y ^ key.x, 0xCD9E8D57U * counter.z, a ^ counter.w ^ key.y, 0xD2511F53U * counter.x);
        key.x += 0x9E3779B9U;
        key.y += 0xBB67AE85U;
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
