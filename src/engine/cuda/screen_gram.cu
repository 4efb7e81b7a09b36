// Splits against all of K, in half precision: those that the screens before leave, or all of them.
//
// A block takes 128 splits of one pair, its eight warps 64 of them with 64 columns of K each, then the next 256
// columns, until all of K q was seen; only its sums with the split are kept. K comes through shared memory in two
// stages of 64 rows; the masks lie there as bits, and 64 rows of them at a time as half-precision numbers.
//
// Where most splits come here, pairs of up to 256 rows have a kernel of their own (screen_resident.cu). Measured on an
// H200 before they had: 6.2 ms for all splits of 300 robust tests (N = 256, B = 20,000). Tried and dropped: two blocks
// of 64 splits on a multiprocessor (6.5 ms), and making the numbers in registers, by every warp anew (6.3 ms).
#include <algorithm>

#include "engine/cuda/screen_gram.cuh"

namespace wordbreadth::engine::cuda {
namespace {

using namespace gram;

constexpr int threads = 256;
constexpr int splits_of_block = 128;
constexpr int sixteens = 4;                       // of splits, in a warp
constexpr int parts = threads / splits_of_block;  // threads that share what is linear in a split
constexpr int columns_of_block = 256;
constexpr int column_warps = 4;
constexpr int stages = 2;
constexpr int stage_bytes = columns_of_block * tile_depth * 2;
constexpr int masks_bytes = splits_of_block * tile_depth * 2;
static_assert(stages * stage_bytes >= 4096 * 12, "c~ and the row sums of the largest K");

template <Kind kind>
struct Shared {
    float sums[column_warps][splits_of_block][sum_count<kind>];
    double linear[linear_count<kind>][parts][splits_of_block];    // a thread per split: no bank conflicts
    float4 of_split[kind == Kind::blocks ? splits_of_block : 1];  // A / N, n_1 - alpha n, n_1, n_2
    int places[splits_of_block];
    Errors errors;

    [[nodiscard]] __device__ double of(int split, int which) const {
        double total = 0;
        for (int part = 0; part < parts; ++part) total += linear[which][part][split];
        return total;
    }
};

struct View {
    const __half* K;
    const __half* K_rest;  // or null
    const float* K_sums;
    const double* c;
    const BlockColumns* columns;
    const std::uint32_t* bits;  // (splits, stride), in shared memory
    int stride;
    std::uint32_t stages;  // in shared memory
    std::uint32_t masks;
};

// A pass over 256 columns takes 64 rows of K at a step: first those of its rest, where there is one, then its own.
struct Rows {
    int first;
    bool of_rest;
};

__device__ inline int steps_of(const Shape& shape, const View& view) {
    return (shape.Np + tile_depth - 1) / tile_depth * (view.K_rest == nullptr ? 1 : 2);
}

__device__ inline Rows rows_at(const Shape& shape, const View& view, int step) {
    const int each = (shape.Np + tile_depth - 1) / tile_depth;
    return {step % each * tile_depth, view.K_rest != nullptr && step < each};
}

// The rows of a step, as columns' neighbours, since K is symmetric.
__device__ inline void start_stage(const Shape& shape, const View& view, int first_column, int step) {
    const Rows rows = rows_at(shape, view, step);
    const int first = rows.first;
    const __half* K = rows.of_rest ? view.K_rest : view.K;
    const std::uint32_t base = view.stages + static_cast<std::uint32_t>(step % stages * stage_bytes);
    if (step < steps_of(shape, view))
#pragma unroll
        for (int k = 0; k < columns_of_block * (tile_depth / piece) / threads; ++k) {
            const int index = k * threads + static_cast<int>(threadIdx.x);
            const int column = index / (tile_depth / piece);
            const int row_piece = index % (tile_depth / piece);
            const bool there = first_column + column < shape.Np && first + row_piece * piece < shape.Np;
            const __half* from =
                K +
                (there ? static_cast<std::size_t>(first_column + column) * shape.Np + first + row_piece * piece : 0);
            copy_piece(base + tile_place(column, row_piece), from, there);
        }
    asm volatile("cp.async.commit_group;");
}

// The rows of a step of the masks as numbers, which undo the scale of the rest of K: one thread per 32 rows of a split.
__device__ inline void spread_masks(const Shape& shape, const View& view, int step) {
    const Rows rows = rows_at(shape, view, step);
    static_assert(rest_scale == 2048);
    const std::uint32_t one = rows.of_rest ? 0x1000U : half_of_one;  // 2^-11, or 1
    if (threadIdx.x >= 2 * splits_of_block) return;
    const int split = static_cast<int>(threadIdx.x) / 2;
    const int half_of_row = static_cast<int>(threadIdx.x) % 2;
    const std::uint32_t word = view.bits[split * view.stride + rows.first / 32 + half_of_row];
    spread_halves(word, one, view.masks, split, half_of_row);
}

// e += z K for the splits and 64 columns of a warp, 64 rows.
__device__ inline void multiply_stage(const View& view, int step, int split, int column, float (&e)[sixteens][8][4]) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    const std::uint32_t base = view.stages + static_cast<std::uint32_t>(step % stages * stage_bytes);
#pragma unroll
    for (int k = 0; k < tile_depth / 16; ++k) {
        std::uint32_t b[4][4];
#pragma unroll
        for (int j = 0; j < 4; ++j)
            load_matrices(b[j], base + tile_place(column + j * 16 + lane / 16 * 8 + lane % 8, 2 * k + lane / 8 % 2));
#pragma unroll
        for (int m = 0; m < sixteens; ++m) {
            std::uint32_t a[4];
            load_matrices(a, view.masks + tile_place(split + m * 16 + lane % 16, 2 * k + lane / 16));
#pragma unroll
            for (int j = 0; j < 8; ++j) multiply_half(e[m][j], a, b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
        }
    }
}

// The columns of a pass, as far as this thread holds them, into the sums of its eight splits.
template <Kind kind>
__device__ inline void add_pass(const GramSettings& settings, const View& view, const Shared<kind>& shared, int split,
                                int first_column, const float (&e)[sixteens][8][4], Sums<kind> (&sums)[sixteens][2]) {
    const Shape& shape = settings.batch.shape;
    const auto alpha = static_cast<float>(settings.sizes.alpha);
    const int g = static_cast<int>(threadIdx.x % 32) / 4;
    const int t = static_cast<int>(threadIdx.x % 4);
#pragma unroll
    for (int word = 0; word < 2; ++word) {
        const int first = first_column + 32 * word;
        if (first >= shape.Np) break;
        std::uint32_t bits[sixteens][2];
#pragma unroll
        for (int m = 0; m < sixteens; ++m)
#pragma unroll
            for (int h = 0; h < 2; ++h) bits[m][h] = view.bits[(split + 16 * m + 8 * h + g) * view.stride + first / 32];
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                const int row_of_word = 8 * j + 2 * t + k;
                if (kind != Kind::plain && first + row_of_word >= shape.N) continue;
                const float mean = kind != Kind::plain ? alpha * view.K_sums[first + row_of_word] : 0.0F;
                const float c = kind == Kind::robust ? static_cast<float>(view.c[first + row_of_word]) : 0.0F;
                const BlockColumns column = kind == Kind::blocks ? view.columns[first + row_of_word] : BlockColumns{};
#pragma unroll
                for (int m = 0; m < sixteens; ++m)
#pragma unroll
                    for (int h = 0; h < 2; ++h) {
                        const float Kz = e[m][4 * word + j][2 * h + k];
                        const bool in_first = (bits[m][h] >> row_of_word & 1U) != 0;
                        if constexpr (kind == Kind::blocks)
                            sums[m][h].add_block(Kz, in_first, mean, column,
                                                 shared.of_split[split + 16 * m + 8 * h + g]);
                        else
                            sums[m][h].add(Kz, in_first, mean, c);
                    }
            }
    }
}

// The four threads that share a split add up theirs. No other thread writes there.
template <Kind kind>
__device__ inline void store_sums(Shared<kind>& shared, int split, int column_warp, bool first_pass,
                                  const Sums<kind> (&sums)[sixteens][2]) {
    const int g = static_cast<int>(threadIdx.x % 32) / 4;
#pragma unroll
    for (int m = 0; m < sixteens; ++m)
#pragma unroll
        for (int h = 0; h < 2; ++h)
#pragma unroll
            for (int i = 0; i < sum_count<kind>; ++i) {
                float value = sums[m][h].values[i];
                value += __shfl_xor_sync(all_lanes, value, 1);
                value += __shfl_xor_sync(all_lanes, value, 2);
                float& to = shared.sums[column_warp][split + 16 * m + 8 * h + g][i];
                if (threadIdx.x % 4 == 0) to = first_pass ? value : to + value;
            }
}

// What is linear in a split, in float64: two threads per split. c~, and the row sums of K or the blocks' numbers of
// rows, come to where the stages are.
template <Kind kind>
__device__ inline void add_linear(const GramSettings& settings, const View& view, unsigned char* room,
                                  Shared<kind>& shared) {
    const Shape& shape = settings.batch.shape;
    auto* c = reinterpret_cast<double*>(room);
    auto* others = reinterpret_cast<float*>(c + shape.Np);
    __syncthreads();
    for (int row = static_cast<int>(threadIdx.x); row < shape.Np; row += threads) {
        c[row] = view.c[row];
        others[row] = kind == Kind::blocks ? view.columns[row].c : view.K_sums[row];
    }
    __syncthreads();
    const int split = static_cast<int>(threadIdx.x) % splits_of_block;
    const int part = static_cast<int>(threadIdx.x) / splits_of_block;
    double A = 0;
    float sum = 0;
    double powers[3] = {};
    for (int word = part; word < shape.words; word += parts) {
        const std::uint32_t bits = view.bits[split * view.stride + word];
#pragma unroll 8
        for (int row = 0; row < 32; ++row) {
            const bool in_first = (bits >> row & 1U) != 0;
            const float other = in_first ? others[32 * word + row] : 0.0F;
            const double of_row = in_first ? c[32 * word + row] : 0.0;
            A += of_row;
            if constexpr (kind == Kind::robust) powers[0] += of_row * of_row;
            sum += other;  // of whole numbers below 2^24 where rows are counted: exact
            if constexpr (kind == Kind::blocks) {
                const auto count = static_cast<double>(other);
                powers[0] += count * count;
                powers[1] += count * count * count;
                powers[2] += count * count * count * count;
            }
        }
    }
    shared.linear[with_c][part][split] = A;
    shared.linear[with_K_sums][part][split] = static_cast<double>(sum);
    static_assert(static_cast<int>(group_rows) == static_cast<int>(with_K_sums));
    static_assert(static_cast<int>(group_c2) == static_cast<int>(with_c_squares));
    for (int i = group_c2; i < linear_count<kind>; ++i) shared.linear[i][part][split] = powers[i - group_c2];
    __syncthreads();
}

// What the sums over a split's blocks need to know of it.
__device__ inline void describe_split(const GramSettings& settings, Shared<Kind::blocks>& shared, int pair) {
    if (threadIdx.x >= splits_of_block) return;
    const int split = static_cast<int>(threadIdx.x);
    const double all = settings.batch.facts[pair].rows;
    const double n = shared.of(split, group_rows);
    shared.of_split[split] = make_float4(static_cast<float>(shared.of(split, with_c) / settings.batch.shape.N),
                                         static_cast<float>(n - settings.sizes.alpha * all), static_cast<float>(n),
                                         static_cast<float>(all - n));
}

template <Kind kind>
__global__ void __launch_bounds__(threads, 1) gram_kernel(const __grid_constant__ GramSettings settings) {
    extern __shared__ __align__(128) unsigned char memory[];
    __shared__ Shared<kind> shared;
    const Shape& shape = settings.batch.shape;
    const Chunk& chunk = settings.chunk;
    const int pair = settings.active.pairs[blockIdx.y];
    const int count = settings.from < 0 ? chunk.count : chunk.left_count[settings.from][pair];
    auto* bits = reinterpret_cast<std::uint32_t*>(memory + stages * stage_bytes + masks_bytes);
    const std::size_t of_pair = static_cast<std::size_t>(pair) * shape.Np * shape.Np;
    const View view{settings.batch.K + of_pair,
                    settings.limbs_of_K == 2 ? settings.batch.K_rest + of_pair : nullptr,
                    settings.K_sums(pair),
                    settings.batch.c + static_cast<std::size_t>(pair) * shape.Np,
                    settings.batch.block_columns + static_cast<std::size_t>(pair) * shape.Np,
                    bits,
                    bits_stride(shape.words),
                    static_cast<std::uint32_t>(__cvta_generic_to_shared(memory)),
                    static_cast<std::uint32_t>(__cvta_generic_to_shared(memory + stages * stage_bytes))};
    const int warp = static_cast<int>(threadIdx.x / 32);
    const int split = warp / column_warps * 16 * sixteens;
    const int column_warp = warp % column_warps;
    if (threadIdx.x == 0) shared.errors = errors_of(settings, settings.batch.facts[pair]);

    for (int first = static_cast<int>(blockIdx.x) * splits_of_block; first < count;
         first += static_cast<int>(gridDim.x) * splits_of_block) {
        if (block_is_stopped(settings.batch.stop)) return;
        if (threadIdx.x < splits_of_block) {
            const int index = min(first + static_cast<int>(threadIdx.x), count - 1);
            shared.places[threadIdx.x] = settings.from < 0 ? index : left_at(chunk, settings.from, pair, index);
        }
        __syncthreads();
        for (int i = static_cast<int>(threadIdx.x); i < splits_of_block * shape.words; i += threads)
            bits[i % splits_of_block * view.stride + i / splits_of_block] =
                chunk.bits[static_cast<std::size_t>(i / splits_of_block) * chunk.capacity +
                           shared.places[i % splits_of_block]];
        // A word beyond the last, for stages that end after it.
        if (threadIdx.x < splits_of_block) bits[threadIdx.x * view.stride + shape.words] = 0;
        if constexpr (kind == Kind::blocks) {
            add_linear(settings, view, memory, shared);
            describe_split(settings, shared, pair);
        }

        for (int column = 0; column < shape.Np; column += columns_of_block) {
            float e[sixteens][8][4] = {};
            __syncthreads();
            start_stage(shape, view, column, 0);
            const int steps = steps_of(shape, view);
            for (int step = 0; step < steps; ++step) {
                asm volatile("cp.async.wait_group 0;");
                __syncthreads();
                start_stage(shape, view, column, step + 1);
                spread_masks(shape, view, step);
                __syncthreads();
                multiply_stage(view, step, split, column_warp * 64, e);
            }
            Sums<kind> sums[sixteens][2];
            add_pass(settings, view, shared, split, column + column_warp * 64, e, sums);
            store_sums(shared, split, column_warp, column == 0, sums);
        }
        if constexpr (kind == Kind::blocks)
            __syncthreads();
        else
            add_linear(settings, view, memory, shared);
        const int mine = static_cast<int>(threadIdx.x);
        if (mine >= splits_of_block || first + mine >= count) continue;
        double sums[6] = {};
        for (int other = 0; other < column_warps; ++other)
            for (int i = 0; i < sum_count<kind>; ++i) sums[i] += static_cast<double>(shared.sums[other][mine][i]);
        double linear[5] = {};
        for (int i = 0; i < linear_count<kind>; ++i) linear[i] = shared.of(mine, i);
        judge_split<kind>(settings, shared.errors, pair, shared.places[mine], sums, linear);
    }
}

}  // namespace

std::size_t gram_screen_bytes(const Shape& shape) {
    return stages * stage_bytes + masks_bytes +
           static_cast<std::size_t>(splits_of_block) * static_cast<std::size_t>(bits_stride(shape.words)) * 4;
}

void screen_gram(const Batch& batch, const Active& active, const Chunk& chunk, int from, int to, bool both,
                 cudaStream_t stream) {
    const Shape& shape = batch.shape;
    const gram::GramSettings settings{
        {batch, active, chunk}, sizes_of<double>(shape.n, shape.m, shape.d, shape.robust), from, to, both ? 2 : 1};
    if (shape.precise && !both && gram::resident_fits(shape)) return gram::screen_resident(settings, stream);
    const auto kernel = shape.blocks   ? gram_kernel<Kind::blocks>
                        : shape.robust ? gram_kernel<Kind::robust>
                                       : gram_kernel<Kind::plain>;
    // Few splits are left in most pairs: more blocks than these would find nothing to do.
    const int all = (chunk.count + splits_of_block - 1) / splits_of_block;
    const int blocks = std::clamp((from < 0 ? 4096 : 1024) / active.count, 1, std::min(all, 64));
    launch("screen_gram", kernel, dim3(blocks, active.count), threads, gram_screen_bytes(shape), stream, settings);
}

}  // namespace wordbreadth::engine::cuda
