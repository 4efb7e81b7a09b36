// Blocks of 16 x 16 floats, transposed. For the files that are compiled once for every instruction set.
#pragma once

#include "encoder/cpu/kernels_each.h"

namespace wordbreadth::encoder::cpu::WORDBREADTH_ISA {
namespace {

#if defined(__AVX512F__) && !defined(__clang__)  // Clang, by which the linter sees this, has no __builtin_shuffle

// Blocks of `size` lanes change places between two rows that are `size` apart.
template <std::int32_t size>
inline void swap_blocks(Floats* rows) {
    const Integers lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    constexpr auto all = static_cast<std::int32_t>(lanes);
    const Integers upper = (lane & size) == 0 ? lane : lane - size + all;
    const Integers lower = (lane & size) == 0 ? lane + size : lane + all;
#pragma GCC unroll 16
    for (std::int32_t i = 0; i < all; ++i) {
        if ((i & size) != 0) continue;
        const Floats a = rows[i];
        const Floats b = rows[i + size];
        rows[i] = __builtin_shuffle(a, b, upper);
        rows[i + size] = __builtin_shuffle(a, b, lower);
    }
}

inline void transpose(const float* from, std::size_t from_stride, float* to, std::size_t to_stride) {
    Floats rows[lanes];
#pragma GCC unroll 16
    for (std::size_t i = 0; i < lanes; ++i) rows[i] = load(from + i * from_stride);
    swap_blocks<8>(rows);
    swap_blocks<4>(rows);
    swap_blocks<2>(rows);
    swap_blocks<1>(rows);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < lanes; ++i) store(rows[i], to + i * to_stride);
}

#else

// Without registers for a whole block, shuffling it costs more than this.
inline void transpose(const float* from, std::size_t from_stride, float* to, std::size_t to_stride) {
    for (std::size_t i = 0; i < lanes; ++i) {
        for (std::size_t j = 0; j < lanes; ++j) to[j * to_stride + i] = from[i * from_stride + j];
    }
}

#endif

}  // namespace
}  // namespace wordbreadth::encoder::cpu::WORDBREADTH_ISA
