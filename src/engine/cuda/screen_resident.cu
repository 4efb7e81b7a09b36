// Splits against all of K, as in screen_gram.cu, for pairs of up to 256 rows most of whose splits come here: those of
// the robust statistic, of blocks, and of unequal sizes.
//
// K stays in shared memory, and a block takes many splits of its pair. Its two groups of four warps go their own ways,
// 128 splits at a time, and wait for nobody else, so that the matrix units have work of one group while the other adds
// up or judges. On Hopper the four warps multiply 64 splits at a time with all of K, by instructions that take the
// masks from registers and K from where it lies. Elsewhere each warp of a group has 64 columns of K: it multiplies 64
// splits with them, whose masks lie in shared memory as half-precision numbers, 64 rows at a time. Only sums are kept.
// What is linear in a split is looked up, four rows at a time, in tables of the sixteen sums that four rows can have.
//
// Measured on an H200: 1.5 ms for all splits of 300 plain tests of 40 + 160 rows, 2.4 for robust ones. Without Hopper's
// instructions 2.7 and 3.4, with three groups, whose registers spill, 3.0 and 3.9.
#include <algorithm>

#include "engine/cuda/hopper.cuh"
#include "engine/cuda/screen_gram.cuh"

namespace wordbreadth::engine::cuda::gram {
namespace {

constexpr int most_rows = 256;
constexpr int groups = 2;
constexpr int group_threads = 128;
constexpr int threads = groups * group_threads;
constexpr int splits_of_group = group_threads;  // one for each thread to judge
constexpr int splits_of_tile = 64;
constexpr int tiles = splits_of_group / splits_of_tile;
constexpr int columns_of_warp = 64;
constexpr int column_warps = group_threads / 32;
static_assert(column_warps * columns_of_warp == most_rows);

// What four rows add to what is linear in a split.
struct FourRows {
    double c, c_squares;
    float K_sums;
};
struct FourBlocks {
    double c;
    std::uint32_t rows, c2, c3, c4;  // at most 128 rows in a block
};
template <Kind kind>
using Four = std::conditional_t<kind == Kind::blocks, FourBlocks, FourRows>;

struct ColumnFacts {
    float mean;  // alpha times the row sum of K
    float c;
};

template <Kind kind>
struct GroupShared {
    float sums[column_warps][splits_of_tile][sum_count<kind>];
    float4 of_split[kind == Kind::blocks ? splits_of_group : 1];    // A / N, n_1 - alpha n, n_1, n_2
    std::uint32_t bits[2][splits_of_group * (most_rows / 32 + 1)];  // the masks now, and those that are on their way
};
static_assert(most_rows / 32 + 1 == 9, "bits_stride of the most rows");

// Everything but K, which lies before it.
template <Kind kind>
struct Shared {
    __align__(1024) unsigned char masks[groups][splits_of_tile * tile_depth * 2];
    Four<kind> four[most_rows / 4][16];
    ColumnFacts columns[most_rows];
    BlockColumns blocks[kind == Kind::blocks ? most_rows : 1];
    GroupShared<kind> group[groups];
    Errors errors;
};

__host__ __device__ inline int slabs(const Shape& shape) {
    return (shape.Np + tile_depth - 1) / tile_depth;
}

// Slabs of 64 columns of K, each of as many rows as there are columns in all slabs.
__host__ __device__ inline int slab_bytes(const Shape& shape) {
    return slabs(shape) * tile_depth * tile_depth * 2;
}

__device__ inline void wait_for_group(int group) {
    asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(group_threads) : "memory");
}

__device__ inline void load_gram(const Shape& shape, const __half* K, std::uint32_t to) {
    const int rows = slabs(shape) * tile_depth;
    constexpr int pieces = tile_depth / piece;
    for (int index = static_cast<int>(threadIdx.x); index < slabs(shape) * rows * pieces; index += threads) {
        const int row_piece = index % pieces;
        const int slab = index / pieces % slabs(shape);
        const int row = index / pieces / slabs(shape);
        const int column = slab * tile_depth + row_piece * piece;
        const bool there = row < shape.Np && column < shape.Np;
        copy_piece(to + static_cast<std::uint32_t>(slab * slab_bytes(shape)) + tile_place(row, row_piece),
                   K + (there ? static_cast<std::size_t>(row) * shape.Np + column : 0), there);
    }
    asm volatile("cp.async.commit_group;");
}

template <Kind kind>
__device__ inline void load_columns(const GramSettings& settings, int pair, Shared<kind>& shared) {
    const Shape& shape = settings.batch.shape;
    const std::size_t first = static_cast<std::size_t>(pair) * shape.Np;
    for (int row = static_cast<int>(threadIdx.x); row < most_rows; row += threads) {
        const bool real = row < shape.N;
        shared.columns[row] = {real ? static_cast<float>(settings.sizes.alpha) * settings.K_sums(pair)[row] : 0.0F,
                               real ? static_cast<float>(settings.batch.c[first + row]) : 0.0F};
        if constexpr (kind == Kind::blocks)
            shared.blocks[row] = real ? settings.batch.block_columns[first + row] : BlockColumns{};
    }
    for (int index = static_cast<int>(threadIdx.x); index < shape.Np / 4 * 16; index += threads) {
        Four<kind> sum{};
        for (int k = 0; k < 4; ++k) {
            const int row = index / 16 * 4 + k;
            if ((index >> k & 1) == 0 || row >= shape.N) continue;
            sum.c += settings.batch.c[first + row];
            if constexpr (kind == Kind::blocks) {
                const auto count = static_cast<std::uint32_t>(settings.batch.block_columns[first + row].c);
                sum.rows += count;
                sum.c2 += count * count;
                sum.c3 += count * count * count;
                sum.c4 += count * count * count * count;
            } else {
                sum.K_sums += settings.K_sums(pair)[row];
                sum.c_squares += settings.batch.c[first + row] * settings.batch.c[first + row];
            }
        }
        shared.four[index / 16][index % 16] = sum;
    }
}

// Of one split, by one thread.
template <Kind kind>
__device__ inline void add_linear(const Shape& shape, const Shared<kind>& shared, const std::uint32_t* bits,
                                  double (&linear)[5]) {
    double c[2] = {};
    double c_squares[2] = {};
    float K_sums = 0;
    std::uint32_t counts[3] = {};
    std::uint64_t c4 = 0;
    for (int word = 0; word < shape.words; ++word) {
        const std::uint32_t of_word = bits[word];
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const Four<kind>& four = shared.four[word * 8 + k][of_word >> (4 * k) & 15U];
            c[k % 2] += four.c;
            if constexpr (kind == Kind::blocks) {
                counts[0] += four.rows;
                counts[1] += four.c2;
                counts[2] += four.c3;
                c4 += four.c4;
            } else {
                K_sums += four.K_sums;
                if constexpr (kind == Kind::robust) c_squares[k % 2] += four.c_squares;
            }
        }
    }
    linear[with_c] = c[0] + c[1];
    if constexpr (kind == Kind::blocks) {
        linear[group_rows] = counts[0];
        linear[group_c2] = counts[1];
        linear[group_c3] = counts[2];
        linear[group_c4] = static_cast<double>(c4);
    } else {
        linear[with_K_sums] = static_cast<double>(K_sums);
        linear[with_c_squares] = c_squares[0] + c_squares[1];
    }
}

// The words of a split's mask on their way to shared memory, and a zero, for a slab that ends after the last. All have
// the sums of the splits whose masks were there before.
__device__ inline void fetch_bits(const Chunk& chunk, int words, int place, std::uint32_t* to) {
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
    for (int word = 0; word < words; ++word)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address + static_cast<std::uint32_t>(4 * word)),
                     "l"(chunk.bits + static_cast<std::size_t>(word) * chunk.capacity + place)
                     : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    to[words] = 0;
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// The masks of this thread's two splits of a tile as numbers, sixteen rows at a time.
template <int columns>
__device__ inline void spread_masks(const Shape& shape, const std::uint32_t* low, const std::uint32_t* high, int t,
                                    std::uint32_t (&a)[columns / 16][4]) {
#pragma unroll
    for (int word = 0; word < columns / 32; ++word) {
        const bool there = word < shape.words;
        const std::uint32_t of_low = (there ? low[word] : 0U) >> (2 * t);
        const std::uint32_t of_high = (there ? high[word] : 0U) >> (2 * t);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            a[2 * word + half][0] = halves_of(of_low >> (16 * half), half_of_one);
            a[2 * word + half][1] = halves_of(of_high >> (16 * half), half_of_one);
            a[2 * word + half][2] = halves_of(of_low >> (16 * half + 8), half_of_one);
            a[2 * word + half][3] = halves_of(of_high >> (16 * half + 8), half_of_one);
        }
    }
}

// The sums of the splits of a tile: a warp has sixteen of them with all columns, four threads share a split.
template <Kind kind, int columns>
__device__ inline void hold_tile(const Shape& shape, const Shared<kind>& shared, GroupShared<kind>& group,
                                 const std::uint32_t* bits, int stride, int tile, std::uint32_t gram) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int g = lane / 4;
    const int t = lane % 4;
    const int split = static_cast<int>(threadIdx.x % group_threads) / 32 * 16 + g;
    const std::uint32_t* const rows[2] = {bits + split * stride, bits + (split + 8) * stride};
    float e[columns / 8][4];
    {
        std::uint32_t a[columns / 16][4];
        spread_masks<columns>(shape, rows[0], rows[1], t, a);
        hopper::begin();
#pragma unroll
        for (int k = 0; k < columns / 16; ++k) {
            const std::uint32_t slab = gram + static_cast<std::uint32_t>(k / 4 * slab_bytes(shape));
            hopper::multiply<columns>(e, a[k], hopper::describe(slab + static_cast<std::uint32_t>(k % 4 * 32)), k);
        }
        hopper::wait();
    }
    Sums<kind> sums[2];
    float4 of_split[2];
    if constexpr (kind == Kind::blocks)
        for (int h = 0; h < 2; ++h) of_split[h] = group.of_split[tile * splits_of_tile + split + 8 * h];
#pragma unroll
    for (int word = 0; word < columns / 32; ++word) {
        if (word >= shape.words) break;
        const std::uint32_t of_word[2] = {rows[0][word] >> (2 * t), rows[1][word] >> (2 * t)};
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                const int row = 32 * word + 8 * j + 2 * t + k;
                if (kind == Kind::blocks && row >= shape.N) continue;  // of other kinds it adds nothing
                const ColumnFacts facts = shared.columns[row];
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                    const float Kz = e[4 * word + j][2 * h + k];
                    const bool in_first = (of_word[h] >> (8 * j + k) & 1U) != 0;
                    if constexpr (kind == Kind::blocks)
                        sums[h].add_block(Kz, in_first, facts.mean, shared.blocks[row], of_split[h]);
                    else
                        sums[h].add(Kz, in_first, kind == Kind::plain ? 0.0F : facts.mean, facts.c);
                }
            }
    }
#pragma unroll
    for (int h = 0; h < 2; ++h)
#pragma unroll
        for (int i = 0; i < sum_count<kind>; ++i) {
            float value = sums[h].values[i];
            value += __shfl_xor_sync(all_lanes, value, 1);
            value += __shfl_xor_sync(all_lanes, value, 2);
            if (t == 0) group.sums[tile][split + 8 * h][i] = value;
        }
}
static_assert(tiles <= column_warps, "sums");

// The sums of this thread's split, of the 128 that the group has the masks of.
template <Kind kind>
__device__ inline void hold_splits(const GramSettings& settings, Shared<kind>& shared, GroupShared<kind>& group,
                                   const std::uint32_t* bits, int index, int stride, std::uint32_t gram, std::uint32_t,
                                   float (&sums)[6]) {
    const Shape& shape = settings.batch.shape;
    wait_for_group(index);
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
        const std::uint32_t* of_tile = bits + tile * splits_of_tile * stride;
        if (shape.Np <= 64)
            hold_tile<kind, 64>(shape, shared, group, of_tile, stride, tile, gram);
        else if (shape.Np <= 128)
            hold_tile<kind, 128>(shape, shared, group, of_tile, stride, tile, gram);
        else if (shape.Np <= 192)
            hold_tile<kind, 192>(shape, shared, group, of_tile, stride, tile, gram);
        else if (shape.Np <= 224)
            hold_tile<kind, 224>(shape, shared, group, of_tile, stride, tile, gram);
        else
            hold_tile<kind, 256>(shape, shared, group, of_tile, stride, tile, gram);
    }
    wait_for_group(index);
    const int mine = static_cast<int>(threadIdx.x) % group_threads;
    for (int i = 0; i < sum_count<kind>; ++i) sums[i] = group.sums[mine / splits_of_tile][mine % splits_of_tile][i];
}

#else

constexpr int sixteens = splits_of_tile / 16;

// 64 rows of the masks of a tile as numbers: one thread per 32 rows of a split.
__device__ inline void spread_masks(const std::uint32_t* bits, int stride, int slab, std::uint32_t to) {
    const int split = static_cast<int>(threadIdx.x % group_threads) / 2;
    const int half_of_row = static_cast<int>(threadIdx.x) % 2;
    const std::uint32_t word = bits[split * stride + 2 * slab + half_of_row];
    spread_halves(word, half_of_one, to, split, half_of_row);
}

// e += z K for the splits of a tile and the 64 columns of a warp, 64 rows.
__device__ inline void multiply_slab(std::uint32_t masks, std::uint32_t slab, int column, float (&e)[sixteens][8][4]) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    // Sixteen rows further is `sixteen_rows` bytes further, and 2 k pieces further a few bits: so written, an address
    // takes one instruction; the compiler kept all of them, in memory.
    constexpr std::uint32_t sixteen_rows = 16 * tile_depth * 2;
    const std::uint32_t of_masks = tile_place(lane % 16, lane / 16);
    const std::uint32_t of_slab = tile_place(column + lane / 16 * 8 + lane % 8, lane / 8 % 2);
#pragma unroll
    for (std::uint32_t k = 0; k < tile_depth / 16; ++k) {
        const std::uint32_t a_place = masks + (of_masks ^ 32 * k);
        const std::uint32_t b_place = slab + (of_slab ^ 32 * k);
        std::uint32_t b[4][4];
#pragma unroll
        for (std::uint32_t j = 0; j < 4; ++j) load_matrices(b[j], b_place + j * sixteen_rows);
#pragma unroll
        for (std::uint32_t m = 0; m < sixteens; ++m) {
            std::uint32_t a[4];
            load_matrices(a, a_place + m * sixteen_rows);
#pragma unroll
            for (int j = 0; j < 8; ++j) multiply_half(e[m][j], a, b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
        }
    }
}

// The sums of a tile over the columns of a warp. Four threads share a split and add up theirs; no other writes there.
template <Kind kind>
__device__ inline void add_columns(const GramSettings& settings, Shared<kind>& shared, GroupShared<kind>& group,
                                   const std::uint32_t* bits, int stride, int tile, int column,
                                   const float (&e)[sixteens][8][4]) {
    const Shape& shape = settings.batch.shape;
    const int g = static_cast<int>(threadIdx.x % 32) / 4;
    const int t = static_cast<int>(threadIdx.x % 4);
#pragma unroll
    for (int m = 0; m < sixteens; ++m) {
        Sums<kind> sums[2];
#pragma unroll
        for (int word = 0; word < 2; ++word) {
            const int first = column + 32 * word;
            if (first >= shape.Np) break;
            std::uint32_t of_word[2];
            float4 of_split[2];
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int split = 16 * m + 8 * h + g;
                of_word[h] = bits[split * stride + first / 32] >> (2 * t);
                if constexpr (kind == Kind::blocks) of_split[h] = group.of_split[tile * splits_of_tile + split];
            }
#pragma unroll
            for (int j = 0; j < 4; ++j)
#pragma unroll
                for (int k = 0; k < 2; ++k) {
                    const int row = first + 8 * j + 2 * t + k;
                    if (kind == Kind::blocks && row >= shape.N) continue;  // of other kinds it adds nothing
                    const ColumnFacts facts = shared.columns[row];
#pragma unroll
                    for (int h = 0; h < 2; ++h) {
                        const float Kz = e[m][4 * word + j][2 * h + k];
                        const bool in_first = (of_word[h] >> (8 * j + k) & 1U) != 0;
                        if constexpr (kind == Kind::blocks)
                            sums[h].add_block(Kz, in_first, facts.mean, shared.blocks[row], of_split[h]);
                        else
                            sums[h].add(Kz, in_first, kind == Kind::plain ? 0.0F : facts.mean, facts.c);
                    }
                }
        }
#pragma unroll
        for (int h = 0; h < 2; ++h)
#pragma unroll
            for (int i = 0; i < sum_count<kind>; ++i) {
                float value = sums[h].values[i];
                value += __shfl_xor_sync(all_lanes, value, 1);
                value += __shfl_xor_sync(all_lanes, value, 2);
                if (t == 0) group.sums[column / columns_of_warp][16 * m + 8 * h + g][i] = value;
            }
    }
}

// The sums of this thread's split, of the 128 that the group has the masks of.
template <Kind kind>
__device__ inline void hold_splits(const GramSettings& settings, Shared<kind>& shared, GroupShared<kind>& group,
                                   const std::uint32_t* bits, int index, int stride, std::uint32_t gram,
                                   std::uint32_t masks, float (&sums)[6]) {
    const Shape& shape = settings.batch.shape;
    const int mine = static_cast<int>(threadIdx.x) % group_threads;
    const int column = mine / 32 * columns_of_warp;
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
        const std::uint32_t* of_tile = bits + tile * splits_of_tile * stride;
        float e[sixteens][8][4] = {};
#pragma unroll 1
        for (int slab = 0; slab < slabs(shape); ++slab) {
            wait_for_group(index);
            spread_masks(of_tile, stride, slab, masks);
            wait_for_group(index);
            if (column < shape.Np)
                multiply_slab(masks, gram + static_cast<std::uint32_t>(slab * slab_bytes(shape)), column, e);
        }
        if (column < shape.Np) add_columns(settings, shared, group, of_tile, stride, tile, column, e);
        wait_for_group(index);
        if (mine / splits_of_tile == tile)
            for (int warp = 0; warp < slabs(shape); ++warp)
#pragma unroll
                for (int i = 0; i < sum_count<kind>; ++i) sums[i] += group.sums[warp][mine % splits_of_tile][i];
    }
}

#endif

template <Kind kind>
__global__ void __launch_bounds__(threads, 1) resident_kernel(const __grid_constant__ GramSettings settings) {
    extern __shared__ __align__(1024) unsigned char memory[];
    const Shape& shape = settings.batch.shape;
    const Chunk& chunk = settings.chunk;
    const int pair = settings.active.pairs[blockIdx.y];
    const int count =
        __shfl_sync(all_lanes, settings.from < 0 ? chunk.count : chunk.left_count[settings.from][pair], 0);
    if (static_cast<int>(blockIdx.x) * groups * splits_of_group >= count) return;
    auto& shared = *reinterpret_cast<Shared<kind>*>(memory + slabs(shape) * slab_bytes(shape));
    const auto gram = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory));
    load_gram(shape, settings.batch.K + static_cast<std::size_t>(pair) * shape.Np * shape.Np, gram);
    load_columns(settings, pair, shared);
    if (threadIdx.x == 0) shared.errors = errors_of(settings, settings.batch.facts[pair]);
    asm volatile("cp.async.wait_group 0;");
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    hopper::publish();
#endif
    __syncthreads();

    // The same in all threads of a warp, which the compiler is to know: it lines up Hopper's instructions otherwise.
    const int group = __shfl_sync(all_lanes, static_cast<int>(threadIdx.x) / group_threads, 0);
    const int mine = static_cast<int>(threadIdx.x) % group_threads;  // the split of this thread
    const int stride = bits_stride(shape.words);
    GroupShared<kind>& of_group = shared.group[group];
    const auto masks = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared.masks[group]));
    const int step = static_cast<int>(gridDim.x) * groups * splits_of_group;
    const auto place_of = [&](int first) {
        const int index = min(first + mine, count - 1);
        return settings.from < 0 ? index : left_at(chunk, settings.from, pair, index);
    };
    int first = (static_cast<int>(blockIdx.x) * groups + group) * splits_of_group;
    int place = place_of(first);
    fetch_bits(chunk, shape.words, place, of_group.bits[0] + mine * stride);

    for (int buffer = 0; first < count; first += step, buffer ^= 1) {
        const std::uint32_t* bits = of_group.bits[buffer];
        // Long before it is needed: what comes next.
        const int next = first + step < count ? place_of(first + step) : place;
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        if constexpr (kind == Kind::blocks) {
            double linear[5] = {};
            add_linear(shape, shared, bits + mine * stride, linear);
            const double all = settings.batch.facts[pair].rows;
            const double n = linear[group_rows];
            of_group.of_split[mine] = make_float4(static_cast<float>(linear[with_c] / shape.N),
                                                  static_cast<float>(n - settings.sizes.alpha * all),
                                                  static_cast<float>(n), static_cast<float>(all - n));
        }
        float sums[6] = {};
        hold_splits(settings, shared, of_group, bits, group, stride, gram, masks, sums);
        fetch_bits(chunk, shape.words, next, of_group.bits[buffer ^ 1] + mine * stride);
        // Not before the products, which need the registers.
        double linear[5] = {};
        add_linear(shape, shared, bits + mine * stride, linear);
        double of_split[6] = {};
#pragma unroll
        for (int i = 0; i < sum_count<kind>; ++i) of_split[i] = static_cast<double>(sums[i]);
        if (first + mine < count) judge_split<kind>(settings, shared.errors, pair, place, of_split, linear);
        place = next;
    }
}

template <Kind kind>
std::size_t bytes_of_block(const Shape& shape) {
    return static_cast<std::size_t>(slabs(shape)) * static_cast<std::size_t>(slab_bytes(shape)) + sizeof(Shared<kind>);
}

template <Kind kind>
void launch_resident(const GramSettings& settings, cudaStream_t stream) {
    const Shape& shape = settings.batch.shape;
    const int all = (settings.chunk.count + groups * splits_of_group - 1) / (groups * splits_of_group);
    // Enough for the last of them not to be waited for long, and few enough for K to be loaded seldom.
    const int blocks = std::clamp(2048 / settings.active.count, 1, all);
    launch("screen_resident", resident_kernel<kind>, dim3(blocks, settings.active.count), threads,
           bytes_of_block<kind>(shape), stream, settings);
}

}  // namespace

bool resident_fits(const Shape& shape) {
    const std::size_t bytes = shape.blocks ? bytes_of_block<Kind::blocks>(shape) : bytes_of_block<Kind::robust>(shape);
    return shape.Np <= most_rows && bytes <= properties().sharedMemPerBlockOptin;
}

void screen_resident(const GramSettings& settings, cudaStream_t stream) {
    const Shape& shape = settings.batch.shape;
    if (shape.blocks)
        launch_resident<Kind::blocks>(settings, stream);
    else if (shape.robust)
        launch_resident<Kind::robust>(settings, stream);
    else
        launch_resident<Kind::plain>(settings, stream);
}

}  // namespace wordbreadth::engine::cuda::gram
