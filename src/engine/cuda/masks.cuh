// Masks as the int8 matrix instruction wants them: 32 splits of a warp, as two matrices of 16 rows.
#pragma once

#include "engine/cuda/device.cuh"

namespace wordbreadth::engine::cuda {

// Row g + 8 h of matrix m is split 4 g + 2 m + h of the warp: thread 4 g + t, which has parts of the four splits of its
// g, can end with split 4 g + t.
__device__ inline int split_of_row(int g, int m, int h) {
    return 4 * g + 2 * m + h;
}

// The words of rows g and g + 8, spread into bytes: thread t has the rows 8 t .. 8 t + 7 of 32.
__device__ inline void spread(std::uint32_t (&a)[4], std::uint32_t low, std::uint32_t high, int t) {
    const std::uint32_t byte_low = low >> (8 * t) & 255U;
    const std::uint32_t byte_high = high >> (8 * t) & 255U;
    a[0] = bytes_of(byte_low & 15U);
    a[1] = bytes_of(byte_high & 15U);
    a[2] = bytes_of(byte_low >> 4);
    a[3] = bytes_of(byte_high >> 4);
}

// The compiler would rather keep the bits and spread them again for every pair: six instructions for each product.
__device__ inline void keep_in_registers(std::uint32_t (&a)[4]) {
#pragma unroll
    for (int i = 0; i < 4; ++i) asm volatile("" : "+r"(a[i]));
}

}  // namespace wordbreadth::engine::cuda
