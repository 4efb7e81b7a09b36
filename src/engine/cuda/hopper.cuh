// Products of masks in registers and a matrix in shared memory by the matrix instructions of Hopper, for the four warps
// of a group together. Only code for sm_90a has them; the numbers of columns are the instruction's, so that its
// operands are written out.
#pragma once

#include "engine/cuda/device.cuh"

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

namespace wordbreadth::engine::cuda::hopper {

// (64, columns) += (64, 16) (16, columns): each thread has the rows g and g + 8 of its warp's sixteen, as in
// multiply_half. `first` is the first column / 8; `b` describes the other factor; add = 0: in place of what was there.
template <int first, int count>
__device__ __forceinline__ void multiply_128(float (&e)[count][4], const std::uint32_t (&a)[4], std::uint64_t b,
                                             int add) {
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "setp.ne.b32 p, %69, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
        "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, "
        "%45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
        "{%64, %65, %66, %67}, %68, p, 1, 1, 0;\n"
        "}\n"
        : "+f"(e[first + 0][0]), "+f"(e[first + 0][1]), "+f"(e[first + 0][2]), "+f"(e[first + 0][3]),
          "+f"(e[first + 1][0]), "+f"(e[first + 1][1]), "+f"(e[first + 1][2]), "+f"(e[first + 1][3]),
          "+f"(e[first + 2][0]), "+f"(e[first + 2][1]), "+f"(e[first + 2][2]), "+f"(e[first + 2][3]),
          "+f"(e[first + 3][0]), "+f"(e[first + 3][1]), "+f"(e[first + 3][2]), "+f"(e[first + 3][3]),
          "+f"(e[first + 4][0]), "+f"(e[first + 4][1]), "+f"(e[first + 4][2]), "+f"(e[first + 4][3]),
          "+f"(e[first + 5][0]), "+f"(e[first + 5][1]), "+f"(e[first + 5][2]), "+f"(e[first + 5][3]),
          "+f"(e[first + 6][0]), "+f"(e[first + 6][1]), "+f"(e[first + 6][2]), "+f"(e[first + 6][3]),
          "+f"(e[first + 7][0]), "+f"(e[first + 7][1]), "+f"(e[first + 7][2]), "+f"(e[first + 7][3]),
          "+f"(e[first + 8][0]), "+f"(e[first + 8][1]), "+f"(e[first + 8][2]), "+f"(e[first + 8][3]),
          "+f"(e[first + 9][0]), "+f"(e[first + 9][1]), "+f"(e[first + 9][2]), "+f"(e[first + 9][3]),
          "+f"(e[first + 10][0]), "+f"(e[first + 10][1]), "+f"(e[first + 10][2]), "+f"(e[first + 10][3]),
          "+f"(e[first + 11][0]), "+f"(e[first + 11][1]), "+f"(e[first + 11][2]), "+f"(e[first + 11][3]),
          "+f"(e[first + 12][0]), "+f"(e[first + 12][1]), "+f"(e[first + 12][2]), "+f"(e[first + 12][3]),
          "+f"(e[first + 13][0]), "+f"(e[first + 13][1]), "+f"(e[first + 13][2]), "+f"(e[first + 13][3]),
          "+f"(e[first + 14][0]), "+f"(e[first + 14][1]), "+f"(e[first + 14][2]), "+f"(e[first + 14][3]),
          "+f"(e[first + 15][0]), "+f"(e[first + 15][1]), "+f"(e[first + 15][2]), "+f"(e[first + 15][3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

template <int first, int count>
__device__ __forceinline__ void multiply_64(float (&e)[count][4], const std::uint32_t (&a)[4], std::uint64_t b,
                                            int add) {
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "setp.ne.b32 p, %37, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
        "%23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "{%32, %33, %34, %35}, %36, p, 1, 1, 0;\n"
        "}\n"
        : "+f"(e[first + 0][0]), "+f"(e[first + 0][1]), "+f"(e[first + 0][2]), "+f"(e[first + 0][3]),
          "+f"(e[first + 1][0]), "+f"(e[first + 1][1]), "+f"(e[first + 1][2]), "+f"(e[first + 1][3]),
          "+f"(e[first + 2][0]), "+f"(e[first + 2][1]), "+f"(e[first + 2][2]), "+f"(e[first + 2][3]),
          "+f"(e[first + 3][0]), "+f"(e[first + 3][1]), "+f"(e[first + 3][2]), "+f"(e[first + 3][3]),
          "+f"(e[first + 4][0]), "+f"(e[first + 4][1]), "+f"(e[first + 4][2]), "+f"(e[first + 4][3]),
          "+f"(e[first + 5][0]), "+f"(e[first + 5][1]), "+f"(e[first + 5][2]), "+f"(e[first + 5][3]),
          "+f"(e[first + 6][0]), "+f"(e[first + 6][1]), "+f"(e[first + 6][2]), "+f"(e[first + 6][3]),
          "+f"(e[first + 7][0]), "+f"(e[first + 7][1]), "+f"(e[first + 7][2]), "+f"(e[first + 7][3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

template <int first, int count>
__device__ __forceinline__ void multiply_32(float (&e)[count][4], const std::uint32_t (&a)[4], std::uint64_t b,
                                            int add) {
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "setp.ne.b32 p, %21, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
        "{%16, %17, %18, %19}, %20, p, 1, 1, 0;\n"
        "}\n"
        : "+f"(e[first + 0][0]), "+f"(e[first + 0][1]), "+f"(e[first + 0][2]), "+f"(e[first + 0][3]),
          "+f"(e[first + 1][0]), "+f"(e[first + 1][1]), "+f"(e[first + 1][2]), "+f"(e[first + 1][3]),
          "+f"(e[first + 2][0]), "+f"(e[first + 2][1]), "+f"(e[first + 2][2]), "+f"(e[first + 2][3]),
          "+f"(e[first + 3][0]), "+f"(e[first + 3][1]), "+f"(e[first + 3][2]), "+f"(e[first + 3][3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

// (64, columns) += (64, 16) (16, columns), columns a multiple of 32.
template <int columns, int first = 0>
__device__ __forceinline__ void multiply(float (&e)[columns / 8][4], const std::uint32_t (&a)[4], std::uint64_t b,
                                         int add) {
    constexpr int left = columns - 8 * first;
    constexpr int now = left >= 128 ? 128 : left >= 64 ? 64 : left;
    static_assert(left == 0 || now == 128 || now == 64 || now == 32);
    if constexpr (now == 128) multiply_128<first>(e, a, b, add);
    if constexpr (now == 64) multiply_64<first>(e, a, b, add);
    if constexpr (now == 32) multiply_32<first>(e, a, b, add);
    // Rows of 128 bytes; a descriptor counts sixteen.
    if constexpr (left > now) multiply<columns, first + now / 8>(e, a, b + now * 128 / 16, add);
}

// Sixteen neighbours of rows of 64 halves that lie as tile_place has them: eight rows are 1024 bytes.
__device__ inline std::uint64_t describe(std::uint32_t address) {
    return (address & 0x3FFFFU) >> 4 | std::uint64_t{1} << 16 | std::uint64_t{1024 >> 4} << 32 | std::uint64_t{1} << 62;
}

__device__ inline void begin() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ inline void wait() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// What was written to shared memory before, by all threads that call it, becomes visible to these instructions.
__device__ inline void publish() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

}  // namespace wordbreadth::engine::cuda::hopper

#endif
