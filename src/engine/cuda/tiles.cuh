// Matrices in half precision on their way to the matrix units, through shared memory.
//
// A stage holds rows of 64 values. Sixteen-byte pieces of a row are exchanged among eight places, so that the rows of
// one matrix do not fall into the same banks.
#pragma once

#include <cstdint>

namespace wordbreadth::engine::cuda {

inline constexpr int tile_depth = 64;  // values of a row
inline constexpr int piece = 8;        // values of sixteen bytes

__device__ inline std::uint32_t tile_place(int row, int row_piece) {
    return static_cast<std::uint32_t>((row * (tile_depth / piece) + (row_piece ^ (row % 8))) * 16);
}

__device__ inline void copy_piece(std::uint32_t to, const void* from, bool there) {
    const int bytes = there ? 16 : 0;  // what is not there becomes zeros
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
}

// Four matrices of 8 x 8, of which each lane names one row.
__device__ inline void load_matrices(std::uint32_t (&to)[4], std::uint32_t from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from));
}

}  // namespace wordbreadth::engine::cuda
