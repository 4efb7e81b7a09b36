// The second screen: splits against all of K, in half precision. It takes what the first one leaves; for the robust
// statistic, which needs all of K q, it is the first.
//
// A block takes 128 splits of one pair, its eight warps 64 of them with 64 columns of K each, then the next 256
// columns, until all of K q was seen; only its sums with the split are kept. K comes through shared memory in two
// stages of 64 rows; the masks lie there as bits, and 64 rows of them at a time as half-precision numbers.
//
// Measured on an H200: 6.2 ms for all splits of 300 robust tests (N = 256, B = 20,000). Tried and dropped: two blocks
// of 64 splits on a multiprocessor (6.5 ms), and making the numbers in registers, by every warp anew (6.3 ms).
#include <algorithm>

#include "engine/cuda/device.cuh"

namespace wordbreadth::engine::cuda {
namespace {

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

struct Settings : Step {
    Sizes<double> sizes;
    int from, to;  // from < 0: all splits of the chunk
};

enum class Kind { plain, robust, blocks };

// What is added up over the rows of a split.
// plain: z . K z.
// robust: this, and with w = alpha c~ + e in the first group and beta c~ - e in the second, the sums of w and of its
// squares over the first group and over both.
// blocks: the sums of a, of its squares and of its products with c (n_g - c), over the first group and over both.
template <Kind kind>
constexpr int sum_count = kind == Kind::plain    ? 1
                          : kind == Kind::robust ? 5
                                                 : 6;

// What is linear in a split. plain, robust: z . c~ and z . K 1. blocks: z . c~, and the powers of c over the group.
template <Kind kind>
constexpr int linear_count = kind == Kind::blocks ? 5 : 2;
enum Linear { with_c, with_K_sums };
enum BlockLinear { group_rows = 1, group_c2, group_c3, group_c4 };

template <Kind kind>
struct Shared {
    float sums[column_warps][splits_of_block][sum_count<kind>];
    double linear[linear_count<kind>][parts][splits_of_block];    // a thread per split: no bank conflicts
    float4 of_split[kind == Kind::blocks ? splits_of_block : 1];  // A / N, n_1 - alpha n, n_1, n_2
    int places[splits_of_block];

    [[nodiscard]] __device__ double of(int split, int which) const {
        double total = 0;
        for (int part = 0; part < parts; ++part) total += linear[which][part][split];
        return total;
    }
};

// Words of a split's mask in shared memory: one beyond the last, and an odd number, against bank conflicts.
__host__ __device__ inline int bits_stride(int words) {
    return (words + 1) | 1;
}

struct View {
    const __half* K;
    const float* K_sums;
    const double* c;
    const BlockColumns* columns;
    const std::uint32_t* bits;  // (splits, stride), in shared memory
    int stride;
    std::uint32_t stages;  // in shared memory
    std::uint32_t masks;
};

// Stage `step` of a pass over 256 columns: rows 64 step .. of K, as columns' neighbours, since K is symmetric.
__device__ inline void start_stage(const Shape& shape, const View& view, int first_column, int step) {
    const int first = step * tile_depth;
    const std::uint32_t base = view.stages + static_cast<std::uint32_t>(step % stages * stage_bytes);
    if (first < shape.Np)
#pragma unroll
        for (int k = 0; k < columns_of_block * (tile_depth / piece) / threads; ++k) {
            const int index = k * threads + static_cast<int>(threadIdx.x);
            const int column = index / (tile_depth / piece);
            const int row_piece = index % (tile_depth / piece);
            const bool there = first_column + column < shape.Np && first + row_piece * piece < shape.Np;
            const __half* from =
                view.K +
                (there ? static_cast<std::size_t>(first_column + column) * shape.Np + first + row_piece * piece : 0);
            copy_piece(base + tile_place(column, row_piece), from, there);
        }
    asm volatile("cp.async.commit_group;");
}

// Rows 64 step .. of the masks as numbers: one thread per 32 rows of a split.
__device__ inline void spread_masks(const View& view, int step) {
    if (threadIdx.x >= 2 * splits_of_block) return;
    const int split = static_cast<int>(threadIdx.x) / 2;
    const int half_of_row = static_cast<int>(threadIdx.x) % 2;
    const std::uint32_t word = view.bits[split * view.stride + 2 * step + half_of_row];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const std::uint32_t bits = word >> (8 * k);
        asm volatile(
            "st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(view.masks + tile_place(split, 4 * half_of_row + k)),
            "r"(halves_of(bits)), "r"(halves_of(bits >> 2)), "r"(halves_of(bits >> 4)), "r"(halves_of(bits >> 6))
            : "memory");
    }
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

template <Kind kind>
struct Sums {
    float values[sum_count<kind>] = {};

    __device__ void add(float Kz, bool in_first, float mean, float c, float alpha) {
        values[0] += in_first ? Kz : 0.0F;
        if constexpr (kind == Kind::robust) {
            const float e = Kz - mean;
            const float w = in_first ? alpha * c + e : (1 - alpha) * c - e;
            const float w_first = in_first ? w : 0.0F;
            values[1] += w_first;
            values[2] += w;
            values[3] += w_first * w;
            values[4] += w * w;
        }
    }

    __device__ void add_block(float Kz, bool in_first, float mean, const BlockColumns& column, const float4& of_split) {
        const float inner = Kz - mean + of_split.x - column.weight * of_split.y;
        const float a = in_first ? column.constant1 + inner : column.constant2 - inner;
        const float b = column.c * ((in_first ? of_split.z : of_split.w) - column.c);
        const float a_first = in_first ? a : 0.0F;
        values[0] += a_first;
        values[1] += a;
        values[2] += a_first * a;
        values[3] += a * a;
        values[4] += a_first * b;
        values[5] += a * b;
    }
};

// The columns of a pass, as far as this thread holds them, into the sums of its eight splits.
template <Kind kind>
__device__ inline void add_pass(const Settings& settings, const View& view, const Shared<kind>& shared, int split,
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
                            sums[m][h].add(Kz, in_first, mean, c, alpha);
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
__device__ inline void add_linear(const Settings& settings, const View& view, unsigned char* room,
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
            A += in_first ? c[32 * word + row] : 0.0;
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
    if constexpr (kind == Kind::blocks) {
        static_assert(static_cast<int>(group_rows) == static_cast<int>(with_K_sums));
        for (int i = 0; i < 3; ++i) shared.linear[group_c2 + i][part][split] = powers[i];
    }
    __syncthreads();
}

// What the sums over a split's blocks need to know of it.
__device__ inline void describe_split(const Settings& settings, Shared<Kind::blocks>& shared, int pair) {
    if (threadIdx.x >= splits_of_block) return;
    const int split = static_cast<int>(threadIdx.x);
    const double all = settings.batch.facts[pair].rows;
    const double n = shared.of(split, group_rows);
    shared.of_split[split] = make_float4(static_cast<float>(shared.of(split, with_c) / settings.batch.shape.N),
                                         static_cast<float>(n - settings.sizes.alpha * all), static_cast<float>(n),
                                         static_cast<float>(all - n));
}

// K in half precision; and its products with z and with ones, added up in float32: |K|, entry by entry, is no longer
// than the trace. What c~ itself may be off by, row by row, goes with what K leaves unseen.
__device__ inline double unseen_of(const Settings& settings, const PairFacts& facts) {
    const Sizes<double>& sizes = settings.sizes;
    const Shape& shape = settings.batch.shape;
    return facts.gram_error * sqrt(sizes.n * sizes.m / shape.N) +
           product_rounding(shape.Np) * facts.trace *
               (sqrt(sizes.n) + sizes.alpha * sqrt(static_cast<double>(shape.N))) +
           2 * facts.c_error / sqrt(sizes.n);
}

template <bool robust>
__device__ inline Estimate<double> estimate_of(const Settings& settings, const PairFacts& facts, double A, double Q,
                                               const double (&w)[4]) {
    const Shape& shape = settings.batch.shape;
    const Sizes<double>& sizes = settings.sizes;
    const double q2 = sizes.n * sizes.m / shape.N;
    const double root_n = sqrt(sizes.n);
    const double root_N = sqrt(static_cast<double>(shape.N));
    const double of_products = product_rounding(shape.Np) * facts.trace;
    const double of_sums = 0x1p-18 * (shape.words / 8 + 1) * facts.trace;
    Estimate<double> estimate{};
    estimate.S1 = sizes.alpha * sizes.alpha * facts.tt + 2 * sizes.alpha * A + Q;
    estimate.S2 = sizes.beta * sizes.beta * facts.tt - 2 * sizes.beta * A + Q;
    estimate.from_Q =
        facts.gram_error * q2 + of_products * root_n * (root_n + 2 * sizes.alpha * root_N) + of_sums * sizes.n;
    estimate.from_A1 = 2 * sizes.alpha * facts.c_error;
    estimate.from_A2 = 2 * sizes.beta * facts.c_error;
    if constexpr (robust) {
        // Float32 sums of squares.
        const double V1 = w[2] - w[0] * w[0] / sizes.n;
        const double V2 = w[3] - w[1] * w[1] / sizes.m;
        const double off = 0x1p-17 * (shape.words / 8 + 1) * (w[2] + w[3]);
        estimate.V1_low = fmax(V1 - off, 0.0);
        estimate.V2_low = fmax(V2 - off, 0.0);
        estimate.V1_high = fmax(V1, 0.0) + off;
        estimate.V2_high = fmax(V2, 0.0) + off;
        estimate.unseen = unseen_of(settings, facts);
    }
    return estimate;
}

template <bool robust>
__device__ inline Verdict judge_rows(const Settings& settings, const PairFacts& facts, const double (&sums)[6],
                                     double A, double mean, const Thresholds<double>& thresholds) {
    const Sizes<double>& sizes = settings.sizes;
    const double Q = sums[0] - 2 * sizes.alpha * mean + sizes.alpha * sizes.alpha * facts.K_total;
    const double w[4] = {sums[1], sums[2] - sums[1], sums[3], sums[4] - sums[3]};
    return judge<robust>(sizes, estimate_of<robust>(settings, facts, A, Q, w), thresholds, 1e-8);
}

// `a`: sums of a, of its squares and of its products over the first group and over both, as in Sums.
__device__ inline Verdict judge_blocks(const Settings& settings, const PairFacts& facts, const double (&a)[6],
                                       const double (&linear)[5], const Thresholds<double>& thresholds) {
    const Shape& shape = settings.batch.shape;
    const double sums_error = 0x1p-17 * (shape.words / 8 + 1);  // of float32 sums, in units of the magnitudes
    const double n = linear[group_rows];
    const GroupInfluence of_first{a[0], a[2], a[4]};
    const BlockGroup one =
        block_group(n, linear[group_c2], linear[group_c3], linear[group_c4], of_first, facts.R0, sums_error, of_first);
    const BlockGroup two = block_group(facts.rows - n, facts.c2 - linear[group_c2], facts.c3 - linear[group_c3],
                                       facts.c4 - linear[group_c4], {a[1] - a[0], a[3] - a[2], a[5] - a[4]}, facts.R0,
                                       sums_error, {a[1], a[3], a[5]});
    // Each a is made of a few float32 numbers, whose lengths over all blocks these bound.
    const double length = sqrt(a[3]);
    const double made_of = 2 * (length + facts.constants) +
                           fabs(n - settings.sizes.alpha * facts.rows) * facts.weights +
                           fabs(linear[with_c]) / sqrt(static_cast<double>(shape.N));
    const double off = unseen_of(settings, facts) + 0x1p-20 * made_of;
    const double of_sum = sums_error * length * sqrt(static_cast<double>(shape.N));
    return verdict_on(enclose_block_groups(one, two, settings.sizes.n, settings.sizes.m, settings.sizes.d, off, of_sum),
                      thresholds);
}

template <Kind kind>
__device__ inline void judge_split(const Settings& settings, const Shared<kind>& shared, int pair, int split) {
    double sums[6] = {};
    for (int warp = 0; warp < column_warps; ++warp)
        for (int i = 0; i < sum_count<kind>; ++i) sums[i] += static_cast<double>(shared.sums[warp][split][i]);
    double linear[5] = {};
    for (int i = 0; i < linear_count<kind>; ++i) linear[i] = shared.of(split, i);
    const PairFacts& facts = settings.batch.facts[pair];
    const PairSource& source = settings.batch.source[pair];
    const Thresholds<double> thresholds{source.low, source.high};
    Verdict verdict = undecided;
    if constexpr (kind == Kind::blocks)
        verdict = judge_blocks(settings, facts, sums, linear, thresholds);
    else
        verdict =
            judge_rows<kind == Kind::robust>(settings, facts, sums, linear[with_c], linear[with_K_sums], thresholds);
    settle(settings.chunk, pair, shared.places[split], verdict, settings.to);
}

template <Kind kind>
__global__ void __launch_bounds__(threads, 1) gram_kernel(const __grid_constant__ Settings settings) {
    extern __shared__ __align__(128) unsigned char memory[];
    __shared__ Shared<kind> shared;
    const Shape& shape = settings.batch.shape;
    const Chunk& chunk = settings.chunk;
    const int pair = settings.active.pairs[blockIdx.y];
    const int count = settings.from < 0 ? chunk.count : chunk.left_count[settings.from][pair];
    auto* bits = reinterpret_cast<std::uint32_t*>(memory + stages * stage_bytes + masks_bytes);
    const View view{settings.batch.K + static_cast<std::size_t>(pair) * shape.Np * shape.Np,
                    settings.batch.K_sums + static_cast<std::size_t>(pair) * shape.Np,
                    settings.batch.c + static_cast<std::size_t>(pair) * shape.Np,
                    settings.batch.block_columns + static_cast<std::size_t>(pair) * shape.Np,
                    bits,
                    bits_stride(shape.words),
                    static_cast<std::uint32_t>(__cvta_generic_to_shared(memory)),
                    static_cast<std::uint32_t>(__cvta_generic_to_shared(memory + stages * stage_bytes))};
    const int warp = static_cast<int>(threadIdx.x / 32);
    const int split = warp / column_warps * 16 * sixteens;
    const int column_warp = warp % column_warps;

    for (int first = static_cast<int>(blockIdx.x) * splits_of_block; first < count;
         first += static_cast<int>(gridDim.x) * splits_of_block) {
        __syncthreads();
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
            const int steps = (shape.Np + tile_depth - 1) / tile_depth;
            for (int step = 0; step < steps; ++step) {
                asm volatile("cp.async.wait_group 0;");
                __syncthreads();
                start_stage(shape, view, column, step + 1);
                spread_masks(view, step);
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
        if (threadIdx.x < splits_of_block && first + static_cast<int>(threadIdx.x) < count)
            judge_split(settings, shared, pair, static_cast<int>(threadIdx.x));
    }
}

}  // namespace

std::size_t gram_screen_bytes(const Shape& shape) {
    return stages * stage_bytes + masks_bytes +
           static_cast<std::size_t>(splits_of_block) * static_cast<std::size_t>(bits_stride(shape.words)) * 4;
}

void screen_gram(const Batch& batch, const Active& active, const Chunk& chunk, int from, int to, cudaStream_t stream) {
    const Shape& shape = batch.shape;
    const Settings settings{
        {batch, active, chunk}, sizes_of<double>(shape.n, shape.m, shape.d, shape.robust), from, to};
    const auto kernel = shape.blocks   ? gram_kernel<Kind::blocks>
                        : shape.robust ? gram_kernel<Kind::robust>
                                       : gram_kernel<Kind::plain>;
    // Few splits are left in most pairs: more blocks than these would find nothing to do.
    const int all = (chunk.count + splits_of_block - 1) / splits_of_block;
    const int blocks = std::clamp((from < 0 ? 4096 : 1024) / active.count, 1, std::min(all, 64));
    launch("screen_gram", kernel, dim3(blocks, active.count), threads, gram_screen_bytes(shape), stream, settings);
}

}  // namespace wordbreadth::engine::cuda
