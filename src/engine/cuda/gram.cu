// K = Z Z^T for many pairs at once, on the matrix units; and squares of other matrices.
//
// A block computes a tile of 128 x 128 on or below the diagonal, its four warps 64 x 64 each, and writes it to both
// sides. The factors come through shared memory in three stages of 64 columns; a tile on the diagonal needs only one.
//
// Where K is wanted more precisely, Z has a second part R, what half precision took from the first, and
// K = Z R^T + R Z^T + Z Z^T, in this order: the two small ones first, so that float32 loses nothing of them.
#include "engine/cuda/device.cuh"

namespace wordbreadth::engine::cuda {
namespace {

constexpr int threads = 128;
constexpr int tile = 128;
constexpr int stages = 3;
constexpr int factor_bytes = tile * tile_depth * 2;
constexpr int stage_bytes = 2 * factor_bytes;
constexpr int out_stride = tile + 8;  // of the tile on its way out

struct Tile {
    const __half* Z;     // (Np, dp) of the pair
    const __half* rest;  // of Z; or null
    int Np, dp;
    int first_row, first_column;  // of the result
    std::uint32_t shared;

    [[nodiscard]] __device__ bool on_diagonal() const { return first_row == first_column; }
    [[nodiscard]] __device__ int steps_of_term() const { return dp / tile_depth; }
    [[nodiscard]] __device__ int steps() const { return steps_of_term() * (rest == nullptr ? 1 : 3); }
    // 0: Z R^T, 1: R Z^T, 2: Z Z^T. No division: it is in every step.
    [[nodiscard]] __device__ int term(int step) const {
        return rest == nullptr ? 2 : (step >= steps_of_term() ? 1 : 0) + (step >= 2 * steps_of_term() ? 1 : 0);
    }
    [[nodiscard]] __device__ int first_column_of(int step) const {
        return (rest == nullptr ? step : step - term(step) * steps_of_term()) * tile_depth;
    }
    // Whether one factor is both.
    [[nodiscard]] __device__ bool is_square(int step) const { return on_diagonal() && term(step) == 2; }
};

__device__ inline void start_stage(const Tile& at, int step) {
    const std::uint32_t base = at.shared + static_cast<std::uint32_t>(step % stages * stage_bytes);
    const int first = at.first_column_of(step);
    const int factors = at.is_square(step) ? 1 : 2;
    if (step < at.steps())
        for (int factor = 0; factor < factors; ++factor)
#pragma unroll
            for (int k = 0; k < tile * (tile_depth / piece) / threads; ++k) {
                const int index = k * threads + static_cast<int>(threadIdx.x);
                const int row_of_tile = index / (tile_depth / piece);
                const int column_piece = index % (tile_depth / piece);
                const int row = (factor == 0 ? at.first_row : at.first_column) + row_of_tile;
                const bool there = row < at.Np;
                const __half* from = (at.term(step) == 1 - factor ? at.rest : at.Z) +
                                     (there ? static_cast<std::size_t>(row) * at.dp + first + column_piece * piece : 0);
                copy_piece(
                    base + static_cast<std::uint32_t>(factor * factor_bytes) + tile_place(row_of_tile, column_piece),
                    from, there);
            }
    asm volatile("cp.async.commit_group;");
}

__device__ inline void multiply_stage(std::uint32_t rows, std::uint32_t columns, int warp_row, int warp_column,
                                      float (&sums)[4][8][4]) {
    const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
    for (int k = 0; k < tile_depth / 16; ++k) {
        std::uint32_t a[4][4];
        std::uint32_t b[4][4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
            load_matrices(a[i], rows + tile_place(warp_row + i * 16 + lane % 16, 2 * k + lane / 16));
#pragma unroll
        for (int j = 0; j < 4; ++j)
            load_matrices(b[j],
                          columns + tile_place(warp_column + j * 16 + lane / 16 * 8 + lane % 8, 2 * k + lane / 8 % 2));
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
            for (int j = 0; j < 8; ++j) multiply_half(sums[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
}

// The tile as halves into shared memory; sums of squares of them, and of what rounding took, which stays in `sums`.
__device__ inline float2 round_tile(float (&sums)[4][8][4], int warp_row, int warp_column, __half* out) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    float2 squares = make_float2(0, 0);
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const float low = sums[i][j][2 * h];
                const float high = sums[i][j][2 * h + 1];
                const __half2 both = __floats2half2_rn(low, high);
                const float kept_low = __low2float(both);
                const float kept_high = __high2float(both);
                squares.x += kept_low * kept_low + kept_high * kept_high;
                sums[i][j][2 * h] = low - kept_low;
                sums[i][j][2 * h + 1] = high - kept_high;
                squares.y += (low - kept_low) * (low - kept_low) + (high - kept_high) * (high - kept_high);
                const int row = warp_row + i * 16 + h * 8 + lane / 4;
                const int column = warp_column + j * 8 + lane % 4 * 2;
                *reinterpret_cast<__half2*>(out + row * out_stride + column) = both;
            }
    return squares;
}

// Eight values at a time, along the rows of the tile, or down its columns for the other side of the diagonal.
__device__ inline void write_tile(const Tile& at, const __half* out, __half* K, bool mirrored) {
    for (int index = static_cast<int>(threadIdx.x); index < tile * tile / piece; index += threads) {
        const int line = index / (tile / piece);
        const int first = index % (tile / piece) * piece;
        const int row = (mirrored ? at.first_column : at.first_row) + line;
        const int column = (mirrored ? at.first_row : at.first_column) + first;
        if (row >= at.Np || column >= at.Np) continue;
        __align__(16) __half eight[piece];
#pragma unroll
        for (int i = 0; i < piece; ++i)
            eight[i] = mirrored ? out[(first + i) * out_stride + line] : out[line * out_stride + first + i];
        *reinterpret_cast<uint4*>(K + static_cast<std::size_t>(row) * at.Np + column) =
            *reinterpret_cast<const uint4*>(eight);
    }
}

// What is multiplied with its transpose, for every pair: all arrays as in Batch, `rest` and what is written but for the
// squares possibly null.
struct Product {
    const __half* Z;
    const __half* Z_rest;
    int Np, dp;
    __half* K;
    __half* K_rest;
    double* squares;
    const int* stop;
};

__global__ void __launch_bounds__(threads, 2) product_kernel(const __grid_constant__ Product product) {
    extern __shared__ __align__(128) unsigned char memory[];
    __shared__ double partial[32];
    if (block_is_stopped(product.stop)) return;
    const std::size_t pair = blockIdx.y;
    int tile_row = 0;
    int tile_column = static_cast<int>(blockIdx.x);
    while (tile_column > tile_row) tile_column -= ++tile_row;
    const std::size_t size = static_cast<std::size_t>(product.Np) * product.dp;
    const Tile at{product.Z + pair * size,
                  product.Z_rest == nullptr ? nullptr : product.Z_rest + pair * size,
                  product.Np,
                  product.dp,
                  tile_row * tile,
                  tile_column * tile,
                  static_cast<std::uint32_t>(__cvta_generic_to_shared(memory))};
    const int warp = static_cast<int>(threadIdx.x / 32);
    const int warp_row = warp / 2 * 64;
    const int warp_column = warp % 2 * 64;
    float sums[4][8][4] = {};

    const int steps = at.steps();
    for (int step = 0; step < stages - 1; ++step) start_stage(at, step);
    for (int step = 0; step < steps; ++step) {
        asm volatile("cp.async.wait_group %0;" ::"n"(stages - 2));
        __syncthreads();
        start_stage(at, step + stages - 1);
        const std::uint32_t rows = at.shared + static_cast<std::uint32_t>(step % stages * stage_bytes);
        multiply_stage(rows, at.is_square(step) ? rows : rows + factor_bytes, warp_row, warp_column, sums);
    }
    asm volatile("cp.async.wait_group 0;");
    __syncthreads();
    auto* out = reinterpret_cast<__half*>(memory);
    const auto write = [&](__half* all) {
        const float2 squares = round_tile(sums, warp_row, warp_column, out);
        if (all == nullptr) return squares;
        __syncthreads();
        __half* K = all + pair * product.Np * product.Np;
        write_tile(at, out, K, false);
        if (!at.on_diagonal()) write_tile(at, out, K, true);
        __syncthreads();
        return squares;
    };
    const float2 squares = write(product.K);
    float lacking = squares.y;
    if (product.K_rest != nullptr) {
        for (auto& lines : sums)
            for (auto& line : lines)
                for (float& value : line) value *= rest_scale;
        lacking = write(product.K_rest).y / (rest_scale * rest_scale);
    }
    const double twice = at.on_diagonal() ? 1.0 : 2.0;
    const double totals[3] = {static_cast<double>(squares.x), static_cast<double>(squares.y),
                              static_cast<double>(lacking)};
    for (int i = 0; i < 3; ++i) {
        const double total = twice * sum_of_block(totals[i], partial);
        if (threadIdx.x == 0) product.squares[(pair * gridDim.x + blockIdx.x) * 3 + i] = total;
    }
}

void multiply(const char* name, const Product& product, int pairs, cudaStream_t stream) {
    constexpr int bytes = stages * stage_bytes;
    static_assert(bytes >= tile * out_stride * 2);
    const dim3 grid(gram_tiles(product.Np), pairs);
    launch(name, product_kernel, grid, threads, bytes, stream, product);
}

}  // namespace

void multiply_rows(const Batch& batch, cudaStream_t stream) {
    const Shape& shape = batch.shape;
    multiply("multiply_rows",
             {batch.Z, batch.Z_rest, shape.Np, shape.dp, batch.K, batch.K_rest, batch.K_squares, batch.stop},
             batch.pairs, stream);
}

void square(const Batch& batch, int rows, const __half* from, __half* to, double* squares, cudaStream_t stream) {
    multiply("square", {from, nullptr, rows, rows, to, nullptr, squares, batch.stop}, batch.pairs, stream);
}

}  // namespace wordbreadth::engine::cuda
