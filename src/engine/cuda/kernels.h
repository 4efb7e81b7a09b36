// The kernels of the CUDA engine, as functions that launch them. Each is asynchronous in `stream` and checks its
// launch.
#pragma once

#include <cuda_runtime_api.h>

#include "engine/cuda/batch.h"

namespace wordbreadth::engine::cuda {

// Rows (n, d) to float32, (n, dp), with zeros after the last column; and the square of each one's distance: (n).
void to_float(const double* rows, int n, int d, int dp, float* to, float* off2, cudaStream_t stream);

// Tiles of K for this many rows.
[[nodiscard]] int gram_tiles(int rows);

// ---- preparing the pairs of a batch, in this order

// u, the sum of the aligned rows, tt.                                       geometry.cu
void align_pairs(const Batch& batch, cudaStream_t stream);
// Z and c~.
void centre_rows(const Batch& batch, cudaStream_t stream);
// What blocks are, and their columns.
void measure_blocks(const Batch& batch, cudaStream_t stream);
// K = Z Z^T.                                                                gram.cu
void multiply_rows(const Batch& batch, cudaStream_t stream);
// The panels of the first screen: leading columns, limbs of c~, and how far off it can be.   leading.cu
void find_leading(const Batch& batch, cudaStream_t stream);
// Rows up to which it needs no work space in global memory.
inline constexpr int rows_in_shared = 640;

// ---- deciding a chunk of splits

struct Drawing {
    std::uint64_t seed;
    const std::uint64_t* combinations;  // enumerated: (N + 1, smaller + 1) number of splits; else null
    int smaller;                        // rows in the smaller group
};
void draw_splits(const Shape& shape, const Drawing& drawing, const Chunk& chunk, cudaStream_t stream);  // splits.cu

// The screens of the cascade. Each takes the splits that are still open (the first: all of them), sets the flags of
// those that exceed, and leaves the rest in the list `to`. `active` names the pairs to look at: (count).
struct Active {
    const int* pairs;
    int count;
};
// The first sets all flags, and `open`, from which the second starts.
void screen_linear(const Batch& batch, const Active& active, const Chunk& chunk, cudaStream_t stream);
void screen_leading(const Batch& batch, const Active& active, const Chunk& chunk, int to, cudaStream_t stream);
void screen_gram(const Batch& batch, const Active& active, const Chunk& chunk, int from, int to, cudaStream_t stream);
// Shared memory that it needs.
[[nodiscard]] std::size_t gram_screen_bytes(const Shape& shape);
// Puts the splits that are open into the list `to`.
void list_open(const Active& active, const Chunk& chunk, int to, cudaStream_t stream);
// Puts every split of the chunk into the list `to`.
void leave_all(const Active& active, const Chunk& chunk, int to, cudaStream_t stream);

// By the full vectors, in float64.                                                                       rows.cu
void decide_by_rows(const Batch& batch, const Active& active, const Chunk& chunk, int from, int to, double* scratch,
                    cudaStream_t stream);
// Elements of `scratch`; only the robust statistic needs any.
[[nodiscard]] std::size_t rows_scratch(const Shape& shape);

// Sets the flags of the first `count` splits in a list of a pair.                                        counts.cu
void set_flags(const Chunk& chunk, int list, int pair, int count, cudaStream_t stream);

// Of every active pair: how many of the chunk's flags are set, and the place of the `wanted`-th of them (-1: fewer).
struct Counted {
    int exceedances;
    int place;
};
void count_flags(const Active& active, const Chunk& chunk, const std::uint64_t* wanted, Counted* counted,
                 cudaStream_t stream);

}  // namespace wordbreadth::engine::cuda
