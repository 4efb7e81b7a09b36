// Philox4x32-10 (Salmon et al. 2011): four random 32-bit numbers as a pure function of a counter and a key.
// Its constants also serve the vector units and the GPU, which have code of their own.
#pragma once

#include <array>
#include <cstdint>

namespace wordbreadth::permutation {

inline constexpr int philox_rounds = 10;
inline constexpr std::uint32_t philox_factor0 = 0xD2511F53, philox_factor1 = 0xCD9E8D57;
inline constexpr std::uint32_t philox_key_step0 = 0x9E3779B9, philox_key_step1 = 0xBB67AE85;

inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < philox_rounds; ++round) {
        const std::uint64_t a = std::uint64_t{philox_factor0} * counter[0];
        const std::uint64_t b = std::uint64_t{philox_factor1} * counter[2];
        counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
        key[0] += philox_key_step0;
        key[1] += philox_key_step1;
    }
    return counter;
}

}  // namespace wordbreadth::permutation
