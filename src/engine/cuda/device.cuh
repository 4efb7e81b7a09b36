// Small things that several kernels use.
#pragma once

#include <mutex>
#include <type_traits>

#include "cuda/warp.cuh"
#include "engine/cuda/kernels.h"
#include "permutation/philox.h"

namespace wordbreadth::engine::cuda {

using wordbreadth::cuda::all_lanes;
using wordbreadth::cuda::sum_of_warp;

// Held from the setting of a kernel's attribute to its launch.
inline std::mutex& launching() {
    static std::mutex mutex;
    return mutex;
}

// Launches a kernel with so many bytes of dynamic shared memory. How many a kernel may have is known to the device, not
// to the launch: no other thread that uses the device may change it in between.
template <class... Parameters>
void launch(const char* name, void (*kernel)(Parameters...), dim3 grid, int threads, std::size_t shared_bytes,
            cudaStream_t stream, const std::type_identity_t<Parameters>&... arguments) {
    std::unique_lock<std::mutex> lock;
    if (shared_bytes > 0) {
        lock = std::unique_lock(launching());
        WORDBREADTH_CUDA(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)));
    }
    kernel<<<grid, threads, shared_bytes, stream>>>(arguments...);
    check_launch(name);
}

// Whether nobody wants the results any more. The flag may change at any time: threads that have to agree ask one of
// them, or all together.
__device__ inline bool is_stopped(const int* stop) {
    return *static_cast<const volatile int*>(stop) != 0;
}
__device__ inline bool block_is_stopped(const int* stop) {
    return __syncthreads_or(threadIdx.x == 0 && is_stopped(stop) ? 1 : 0) != 0;
}

// The sum over all threads of a block of up to 1024, in every thread. `shared` has room for 32.
template <class T>
__device__ inline T sum_of_block(T value, T* shared) {
    value = sum_of_warp(value);
    __syncthreads();
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
    __syncthreads();
    T total = 0;
    for (unsigned warp = 0; warp < (blockDim.x + 31) / 32; ++warp) total += shared[warp];
    return total;
}

// Several sums at once. `shared` has room for 32 of each.
template <int count>
__device__ inline void sums_of_block(double (&values)[count], double* shared) {
#pragma unroll
    for (int i = 0; i < count; ++i) values[i] = sum_of_warp(values[i]);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
#pragma unroll
        for (int i = 0; i < count; ++i) shared[i * 32 + threadIdx.x / 32] = values[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < count; ++i) {
        values[i] = 0;
        for (unsigned warp = 0; warp < (blockDim.x + 31) / 32; ++warp) values[i] += shared[i * 32 + warp];
    }
}

template <class T>
__device__ inline T largest_of_block(T value, T* shared) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
        const T other = __shfl_xor_sync(all_lanes, value, offset);
        value = other > value ? other : value;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
    __syncthreads();
    T largest = shared[0];
    for (unsigned warp = 1; warp < (blockDim.x + 31) / 32; ++warp)
        largest = shared[warp] > largest ? shared[warp] : largest;
    return largest;
}

// Threads of a warp that hold one row of a matrix instruction's result: g = lane / 4 names the row (and g + 8), and
// t = lane % 4 the columns 2 t, 2 t + 1.
//
// The order in which the inner dimension is added up is ours to choose, as long as both factors agree: thread t always
// takes eight neighbours, 8 t .. 8 t + 7 of 32, so that a row's values are loaded sixteen bytes at a time and a mask's
// bits by the byte.

// c += a b, (16, 8) += (16, 16) (16, 8)
__device__ inline void multiply_half(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// c += a b, (16, 8) += (16, 32) (32, 8), unsigned times signed bytes
__device__ inline void multiply_bytes(int (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// How far the float32 sum of a product of this many terms can be off, in units of the sum of their magnitudes. A matrix
// instruction adds sixteen products to a sum and cuts the addends to some 24 bits; we allow four float32 roundings.
__device__ inline double product_rounding(int terms) {
    return (terms / 16 + 8) * 0x1p-22;
}

// Four bits to four bytes 0 or 1.
__device__ inline std::uint32_t bytes_of(std::uint32_t four_bits) {
    return (four_bits * 0x00204081U) & 0x01010101U;
}

inline constexpr std::uint32_t half_of_one = 0x3C00;  // the bits of 1.0

// Two bits to two halves, 0.0 or the number with the bits `one`.
__device__ inline std::uint32_t halves_of(std::uint32_t two_bits, std::uint32_t one) {
    return (two_bits & 1U) * one | (two_bits & 2U) * (one << 15);
}

// ---- masks as the int8 matrix instruction wants them: 32 splits of a warp, as two matrices of 16 rows

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

// ---- leading columns of K in int8, as the same instruction wants them

// Where it looks for column j of row i, in bytes after the head of a pair's panel.
template <bool robust>
__device__ inline int panel_place(int i, int j) {
    const int k = i % 32;
    const int lane = j % 8 * 4 + k / 8;
    const int half = robust ? i / 32 * 2 + j / panel_columns : i / 32;
    return half * panel_word_bytes + lane * 16 + j % panel_columns / 8 * 8 + k % 8;
}

// What a product with one of sixteen columns counts in the sum of the limbs, in units of the last.
__device__ inline float limb_weight(int column) {
    static_assert(limbs == 3);
    const int limb = column - directions;
    return limb == 0 ? 65536.0F : limb == 1 ? 256.0F : limb == 2 ? 1.0F : 0.0F;
}

// Four threads t = 0 .. 3 hold parts of four sums; afterwards thread t has the whole of sum t.
__device__ inline float share_sums(const float (&parts)[4], int t) {
    const bool upper = (t & 2) != 0;
    const float keep0 = upper ? parts[2] : parts[0];
    const float keep1 = upper ? parts[3] : parts[1];
    const float sum0 = keep0 + __shfl_xor_sync(all_lanes, upper ? parts[0] : parts[2], 2);
    const float sum1 = keep1 + __shfl_xor_sync(all_lanes, upper ? parts[1] : parts[3], 2);
    const bool odd = (t & 1) != 0;
    return (odd ? sum1 : sum0) + __shfl_xor_sync(all_lanes, odd ? sum0 : sum1, 1);
}

// ---- matrices in half precision on their way to the matrix units, through shared memory
//
// A stage holds rows of 64 values. Sixteen-byte pieces of a row are exchanged among eight places, so that the rows of
// one matrix do not fall into the same banks.

inline constexpr int tile_depth = 64;  // values of a row
inline constexpr int piece = 8;        // values of sixteen bytes

__device__ inline std::uint32_t tile_place(int row, int row_piece) {
    return static_cast<std::uint32_t>((row * (tile_depth / piece) + (row_piece ^ (row % 8))) * 16);
}

__device__ inline void copy_piece(std::uint32_t to, const void* from, bool there) {
    const int bytes = there ? 16 : 0;  // what is not there becomes zeros
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
}

// 32 bits of a mask as numbers, 0.0 or the number with the bits `one`: pieces 4 half_of_row .. of a row of a stage.
__device__ inline void spread_halves(std::uint32_t word, std::uint32_t one, std::uint32_t stage, int row,
                                     int half_of_row) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const std::uint32_t bits = word >> (8 * k);
        asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(stage + tile_place(row, 4 * half_of_row + k)),
                     "r"(halves_of(bits, one)), "r"(halves_of(bits >> 2, one)), "r"(halves_of(bits >> 4, one)),
                     "r"(halves_of(bits >> 6, one))
                     : "memory");
    }
}

// Four matrices of 8 x 8, of which each lane names one row.
__device__ inline void load_matrices(std::uint32_t (&to)[4], std::uint32_t from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from));
}

// ---- verdicts: flags of splits that exceed, and lists of those that are left

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

// ---- Philox4x32-10 and the drawing of a split; permutation/philox.h and splits.cc are the definition

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
    const uint4 numbers =
        philox(make_uint4(static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32), i, 0), key);
    const std::uint32_t u[4] = {numbers.x, numbers.y, numbers.z, numbers.w};
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
