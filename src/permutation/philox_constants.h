// The numbers that make Philox4x32-10 what it is, for the host, its vector units and the GPU alike. Only constants:
// files that are compiled once for every instruction set include this.
#pragma once

#include <cstdint>

namespace wordbreadth::permutation {

inline constexpr int philox_rounds = 10;
inline constexpr std::uint32_t philox_factor0 = 0xD2511F53, philox_factor1 = 0xCD9E8D57;
inline constexpr std::uint32_t philox_key_step0 = 0x9E3779B9, philox_key_step1 = 0xBB67AE85;

}  // namespace wordbreadth::permutation
