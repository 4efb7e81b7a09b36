// The last step on the device: a split's group sums from the full vectors, in float64. Only ties closer than any
// tolerance and degenerate splits are left to the host.
//
// A cluster of blocks takes a few splits of one pair; each block has columns of its own, so that a row is read once for
// all of the splits, by many multiprocessors at a time. Rows that are in no first group are not read: the second
// group's sum is what the first leaves of the whole. Before Hopper a cluster is one block.
//
// Tried and dropped: the same with the rows in float32 first. They take half as long to read, but their rounding is
// about what the screen before could see already: by the bounds every second split is left.
#include <cooperative_groups.h>

#include <algorithm>

#include "engine/cuda/device.cuh"

namespace wordbreadth::engine::cuda {
namespace {

namespace cg = cooperative_groups;

constexpr int threads = 256;
constexpr int row_groups = 2;                        // threads of a block that take every second row
constexpr int group_threads = threads / row_groups;  // each of them two columns
constexpr int columns_at_once = 2 * group_threads;
constexpr int rows_at_once = 2048;  // that are listed in shared memory
constexpr int largest_cluster = 4;
constexpr int most_blocks = 512;
// Splits of a cluster. With eight of the robust statistic a multiprocessor has room for one block, not two: 414 us
// instead of 315 for what is left of 300 tests of 100 + 100 x 384.
constexpr int tile_size = 4;
constexpr int warp_rows = 4;  // rows that a warp multiplies with the splits' sums at a time

struct Settings : Step {
    Sizes<double> sizes;
    double* scratch;  // robust: (clusters, tile, dp)
    int from, to;
};

// What is added up of a split over all dimensions: s1 and its parts x and y, u, and the sum s of all aligned rows.
enum Product { squares, x_u, y_u, with_sum, product_count };

template <int tile>
struct Shared {
    // The rows that some split of the tile has in its first group, and which splits, of x and of y.
    std::uint16_t rows[2][rows_at_once];
    std::uint8_t bits[2][rows_at_once];
    int row_count[2];
    double is_stopped;  // 1 where this block has seen, at the beginning of a tile, that nobody wants the results,
    bool is_ending;     // or since
    std::uint8_t bits_of_row[rows_at_once];
    int places[tile];
    double sums[tile][2][group_threads];  // of the second row group
    double partial[tile * product_count][threads / 32];
    double products[tile * product_count];  // of this block's columns
    double whole[tile * product_count];     // of all columns
    double V[tile * 2];                     // of this block's rows
    double blocks[tile][3];                 // of the first group's: rows, their squares, squared lengths
};

// The block's place in its cluster.
struct Team {
    int rank, size;

    __device__ static Team mine() {
#if __CUDA_ARCH__ >= 900
        const cg::cluster_group cluster = cg::this_cluster();
        return {static_cast<int>(cluster.block_rank()), static_cast<int>(cluster.num_blocks())};
#else
        return {0, 1};
#endif
    }
    __device__ static void wait() {
#if __CUDA_ARCH__ >= 900
        cg::this_cluster().sync();
#else
        __syncthreads();
#endif
    }
    // The sum over the cluster of a variable that each block has in its shared memory.
    [[nodiscard]] __device__ double sum(double* variable) const {
#if __CUDA_ARCH__ >= 900
        double total = 0;
#pragma unroll
        for (int other = 0; other < largest_cluster; ++other)
            if (other < size) total += *cg::this_cluster().map_shared_rank(variable, other);
        return total;
#else
        return *variable;
#endif
    }
};

// Sums over the block of each thread's values, by as many threads as there are values.
template <int count>
__device__ inline void store_sums(const double (&values)[count], double (*partial)[threads / 32], double* to) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < count; ++i) {
        const double sum = sum_of_warp(values[i]);
        if (threadIdx.x % 32 == 0) partial[i][threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x >= count) return;
    double total = 0;
#pragma unroll
    for (int warp = 0; warp < threads / 32; ++warp) total += partial[threadIdx.x][warp];
    to[threadIdx.x] = total;
}

// Lists the rows first .. first + rows_at_once - 1 that are in the first group of some split: one warp per 32 rows.
template <int tile>
__device__ void list_rows(const Settings& settings, Shared<tile>& shared, int first) {
    const Shape& shape = settings.batch.shape;
    const Chunk& chunk = settings.chunk;
    __syncthreads();
    if (threadIdx.x < 2) shared.row_count[threadIdx.x] = 0;
    if (threadIdx.x == 0) shared.is_ending = is_stopped(settings.batch.stop);
    __syncthreads();
    if (shared.is_ending) return;
    const int lane = static_cast<int>(threadIdx.x % 32);
    for (int word = static_cast<int>(threadIdx.x / 32); word < min(rows_at_once, shape.Np - first) / 32;
         word += threads / 32) {
        const std::uint32_t* masks = chunk.bits + static_cast<std::size_t>(first / 32 + word) * chunk.capacity;
        std::uint32_t bits = 0;
#pragma unroll
        for (int s = 0; s < tile; ++s) bits |= (masks[shared.places[s]] >> lane & 1U) << s;
        const int row = word * 32 + lane;
        shared.bits_of_row[row] = static_cast<std::uint8_t>(bits);
        if (bits == 0) continue;
        const int cloud = first + row < shape.n ? 0 : 1;
        const int at = atomicAdd(&shared.row_count[cloud], 1);
        shared.rows[cloud][at] = static_cast<std::uint16_t>(row);
        shared.bits[cloud][at] = static_cast<std::uint8_t>(bits);
    }
    __syncthreads();
}

// Two neighbouring values; `even`: rows have an even number of them, so that both are loaded together.
template <bool even>
__device__ inline double2 two_at(const double* from, int columns) {
    if constexpr (even)
        return columns > 0 ? *reinterpret_cast<const double2*>(from) : make_double2(0, 0);
    else
        return make_double2(columns > 0 ? from[0] : 0.0, columns > 1 ? from[1] : 0.0);
}

// sums += the listed rows of a cloud that are in the first group, at this thread's two columns. `rows` is where the row
// that the list calls 0 would be.
template <bool even, int tile>
__device__ inline void add_rows(const Shared<tile>& shared, int cloud, const double* rows, int d, int columns,
                                double (&sums)[tile][2]) {
    const int count = shared.row_count[cloud];
    constexpr int ahead = 8;  // rows that are asked for before the first is used
    for (int first = static_cast<int>(threadIdx.x) / group_threads; first < count; first += ahead * row_groups) {
        double2 value[ahead];
        std::uint32_t bits[ahead];
#pragma unroll
        for (int k = 0; k < ahead; ++k) {
            const int i = first + k * row_groups;
            bits[k] = i < count ? shared.bits[cloud][i] : 0U;
            value[k] =
                two_at<even>(rows + static_cast<std::ptrdiff_t>(shared.rows[cloud][min(i, count - 1)]) * d, columns);
        }
#pragma unroll
        for (int k = 0; k < ahead; ++k)
#pragma unroll
            for (int s = 0; s < tile; ++s) {
                const bool in_first = (bits[k] >> s & 1U) != 0;
                sums[s][0] += in_first ? value[k].x : 0.0;
                sums[s][1] += in_first ? value[k].y : 0.0;
            }
    }
}

// The first row group gets the sums of both.
template <int tile>
__device__ inline void add_groups(Shared<tile>& shared, double (&sums)[tile][2]) {
    const bool second = threadIdx.x >= group_threads;
    const int at = static_cast<int>(threadIdx.x) % group_threads;
    __syncthreads();
#pragma unroll
    for (int s = 0; s < tile; ++s)
#pragma unroll
        for (int k = 0; k < 2; ++k)
            if (second) shared.sums[s][k][at] = sums[s][k];
    __syncthreads();
#pragma unroll
    for (int s = 0; s < tile; ++s)
#pragma unroll
        for (int k = 0; k < 2; ++k)
            if (!second) sums[s][k] += shared.sums[s][k][at];
}

// The products of the splits' sums, over the columns of this block. Robust: the sums x + y are kept as well.
template <bool even, bool robust, int tile>
__device__ void sum_groups(const Settings& settings, Shared<tile>& shared, const Team& team, int pair, double* kept) {
    const Shape& shape = settings.batch.shape;
    const PairSource& source = settings.batch.source[pair];
    const double* u = settings.batch.mirror + static_cast<std::size_t>(pair) * shape.dp;
    const double* sum = settings.batch.sum + static_cast<std::size_t>(pair) * shape.dp;
    const double twice = 2 * settings.batch.facts[pair].mirror_sum;
    double products[tile * product_count] = {};
    if (shape.Np <= rows_at_once) list_rows(settings, shared, 0);
    for (int block = team.rank * columns_at_once; block < shape.d; block += team.size * columns_at_once) {
        const int column = block + static_cast<int>(threadIdx.x) % group_threads * 2;
        const int columns = shape.d - column;
        double x[tile][2] = {};
        double y[tile][2] = {};
        for (int first = 0; first < shape.N; first += rows_at_once) {
            if (shape.Np > rows_at_once) list_rows(settings, shared, first);
            const double* rows_x = source.x_full + static_cast<std::ptrdiff_t>(first) * shape.d + column;
            const double* rows_y = source.y_full + static_cast<std::ptrdiff_t>(first - shape.n) * shape.d + column;
            add_rows<even>(shared, 0, rows_x, shape.d, columns, x);
            add_rows<even>(shared, 1, rows_y, shape.d, columns, y);
        }
        add_groups(shared, x);
        add_groups(shared, y);
        if (threadIdx.x >= group_threads) continue;
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            if (k >= columns) continue;
            const double mirror = u[column + k];
            const double total = sum[column + k];
#pragma unroll
            for (int s = 0; s < tile; ++s) {
                const double both = x[s][k] + y[s][k];
                products[s * product_count + squares] += both * both;
                products[s * product_count + x_u] += x[s][k] * mirror;
                products[s * product_count + y_u] += y[s][k] * mirror;
                products[s * product_count + with_sum] += both * total - x[s][k] * twice * mirror;
                if constexpr (robust) kept[static_cast<std::size_t>(s) * shape.dp + column + k] = both;
            }
        }
    }
    store_sums(products, shared.partial, shared.products);
}

// What is linear in the splits of a job that permutes blocks: one warp per split.
template <int tile>
__device__ void count_blocks(const Settings& settings, Shared<tile>& shared, int pair) {
    static_assert(tile <= threads / 32);
    const Shape& shape = settings.batch.shape;
    const PairSource& source = settings.batch.source[pair];
    const int s = static_cast<int>(threadIdx.x / 32);
    if (s >= tile) return;
    double sums[3] = {};
    for (int k = static_cast<int>(threadIdx.x % 32); k < shape.N; k += 32) {
        const std::uint32_t word =
            settings.chunk.bits[static_cast<std::size_t>(k / 32) * settings.chunk.capacity + shared.places[s]];
        if ((word >> (k % 32) & 1U) == 0) continue;
        const double c = source.count(k, shape.n);
        sums[0] += c;
        sums[1] += c * c;
        sums[2] += source.square(k, shape.n);
    }
    for (int i = 0; i < 3; ++i) {
        const double sum = sum_of_warp(sums[i]);
        if (threadIdx.x % 32 == 0) shared.blocks[s][i] = sum;
    }
}

// A group of a split: of rows, or of blocks with `n` rows.
struct Group {
    double n, pairs;  // of blocks: C
    double total;     // what R is proportional to: |s|^2, or R C
};

struct Groups {
    Group first, second;
};

template <bool blocks, int tile>
__device__ inline Groups groups_of(const Settings& settings, const Shared<tile>& shared, int pair, int s) {
    const PairFacts& facts = settings.batch.facts[pair];
    const double* whole = shared.whole + s * product_count;
    // |s1|^2 and |s2|^2: the reflection of x's part moves only its component along u.
    const double S1 = whole[squares] - 4 * whole[x_u] * whole[y_u];
    const double S2 = facts.tt - 2 * whole[with_sum] + S1;
    if constexpr (!blocks) return {{settings.sizes.n, 0, S1}, {settings.sizes.m, 0, S2}};
    const double(&sums)[3] = shared.blocks[s];
    const double n = sums[0];
    const double m = facts.rows - n;
    return {{n, n * n - sums[1], S1 - sums[2]}, {m, m * m - (facts.c2 - sums[1]), S2 - (facts.squares - sums[2])}};
}

// The groups' sums of squares of (row . s_g) about their mean |s_g|^2 / n_g, or of the blocks' influences, over this
// block's rows: a warp takes four at a time.
template <bool blocks, int tile>
__device__ void measure_spread(const Settings& settings, Shared<tile>& shared, const Team& team, int pair,
                               const double* kept) {
    const Shape& shape = settings.batch.shape;
    const PairSource& source = settings.batch.source[pair];
    const double* u = settings.batch.mirror + static_cast<std::size_t>(pair) * shape.dp;
    const double* sum = settings.batch.sum + static_cast<std::size_t>(pair) * shape.dp;
    const PairFacts& facts = settings.batch.facts[pair];
    const int lane = static_cast<int>(threadIdx.x % 32);
    double V[tile * 2] = {};
    for (int first = 0; first < shape.N; first += rows_at_once) {
        if (shape.Np > rows_at_once) list_rows(settings, shared, first);
        if (shape.Np > rows_at_once && shared.is_ending) break;
        const int last = min(shape.N, first + rows_at_once);
        for (int base = first + (team.rank * (threads / 32) + static_cast<int>(threadIdx.x / 32)) * warp_rows;
             base < last; base += team.size * (threads / 32) * warp_rows) {
            const double* from[warp_rows];
#pragma unroll
            for (int r = 0; r < warp_rows; ++r) {
                const int row = min(base + r, shape.N - 1);
                from[r] = row < shape.n ? source.x_full + static_cast<std::size_t>(row) * shape.d
                                        : source.y_full + static_cast<std::size_t>(row - shape.n) * shape.d;
            }
            double with_u[warp_rows] = {};
            double product[warp_rows] = {};
            double with_kept[warp_rows][tile] = {};
            for (int k = lane; k < shape.d; k += 32) {
                const double mirror = u[k];
                const double total = sum[k];
                double value[warp_rows];
#pragma unroll
                for (int r = 0; r < warp_rows; ++r) {
                    value[r] = from[r][k];
                    with_u[r] += value[r] * mirror;
                    product[r] += value[r] * total;
                }
#pragma unroll
                for (int s = 0; s < tile; ++s) {
                    const double of_split = kept[static_cast<std::size_t>(s) * shape.dp + k];
#pragma unroll
                    for (int r = 0; r < warp_rows; ++r) with_kept[r][s] += value[r] * of_split;
                }
            }
#pragma unroll
            for (int r = 0; r < warp_rows; ++r) {
                const bool of_x = base + r < shape.n;
                const double along = sum_of_warp(with_u[r]);
                // A row of x meets the sum, and the y part of s1, reflected; a row of y the x part.
                const double c = sum_of_warp(product[r]) - (of_x ? 2 * along * facts.mirror_sum : 0.0);
                const std::uint32_t bits = shared.bits_of_row[min(base + r, last - 1) - first];
                const int block = min(base + r, shape.N - 1);
                const double count = blocks ? source.count(block, shape.n) : 1.0;
                const double square = blocks ? source.square(block, shape.n) : 0.0;
#pragma unroll
                for (int s = 0; s < tile; ++s) {
                    const double* whole = shared.whole + s * product_count;
                    const double in_first = sum_of_warp(with_kept[r][s]) - 2 * along * whole[of_x ? y_u : x_u];
                    const bool is_first = (bits >> s & 1U) != 0;
                    const Groups groups = groups_of<blocks>(settings, shared, pair, s);
                    const Group& group = is_first ? groups.first : groups.second;
                    const double expected =
                        blocks ? square + group.total / group.pairs * count * (group.n - count) : group.total / group.n;
                    const double off = (is_first ? in_first : c - in_first) - expected;
                    const double counted = lane == 0 && base + r < last ? off * off : 0.0;
                    V[2 * s] += is_first ? counted : 0.0;
                    V[2 * s + 1] += is_first ? 0.0 : counted;
                }
            }
        }
    }
    store_sums(V, shared.partial, shared.V);
}

// How far off the sums can be by float64 arithmetic, here and in the definition.
template <bool robust, bool blocks>
__device__ Estimate<double> estimate_of(const Settings& settings, int pair, const Groups& groups, double V1,
                                        double V2) {
    const Shape& shape = settings.batch.shape;
    const double N = blocks ? settings.batch.facts[pair].rows : shape.N;
    const double of_sums = 0x1p-50 * N * N * (N + 64);
    Estimate<double> estimate{};
    estimate.S1 = groups.first.total;
    estimate.S2 = groups.second.total;
    estimate.from_A1 = of_sums;
    estimate.from_A2 = of_sums;
    if constexpr (robust) {
        estimate.V1_low = V1 * (1 - 1e-12);
        estimate.V1_high = V1 * (1 + 1e-12);
        estimate.V2_low = V2 * (1 - 1e-12);
        estimate.V2_high = V2 * (1 + 1e-12);
        estimate.unseen = 0x1p-49 * N * (N + shape.d + 64) * sqrt(N);
    }
    return estimate;
}

// False when the cluster has seen that nobody wants the results: all of its blocks say the same.
template <bool even, bool robust, bool blocks, int tile>
__device__ bool decide_tile(const Settings& settings, Shared<tile>& shared, const Team& team, int pair, int count,
                            int index, double* kept) {
    const Chunk& chunk = settings.chunk;
    const int first = index * tile;
    const int s = static_cast<int>(threadIdx.x);
    if (s < tile) shared.places[s] = left_at(chunk, settings.from, pair, min(first + s, count - 1));
    if (s == 0) shared.is_stopped = is_stopped(settings.batch.stop) ? 1 : 0;
    __syncthreads();
    if constexpr (blocks) count_blocks(settings, shared, pair);
    sum_groups<even, robust>(settings, shared, team, pair, kept);
    Team::wait();
    if (s < tile * product_count) shared.whole[s] = team.sum(&shared.products[s]);
    const bool stopped = team.sum(&shared.is_stopped) > 0;
    __syncthreads();
    if constexpr (robust) {
        measure_spread<blocks>(settings, shared, team, pair, kept);
        Team::wait();
    }
    if (team.rank == 0 && s < tile && first + s < count) {
        const double V1 = robust ? team.sum(&shared.V[2 * s]) : 0.0;
        const double V2 = robust ? team.sum(&shared.V[2 * s + 1]) : 0.0;
        const Groups groups = groups_of<blocks>(settings, shared, pair, s);
        const Estimate<double> estimate = estimate_of<robust, blocks>(settings, pair, groups, V1, V2);
        Sizes<double> sizes = settings.sizes;
        if constexpr (blocks) {
            sizes.factor1 = 1 / groups.first.pairs;
            sizes.factor2 = 1 / groups.second.pairs;
            sizes.offset1 = sizes.offset2 = 0;
        }
        const PairSource& source = settings.batch.source[pair];
        const Thresholds<double> thresholds{source.low, source.high};
        settle(chunk, pair, shared.places[s], judge<robust>(sizes, estimate, thresholds, 1e-11), settings.to);
    }
    Team::wait();  // before anybody's sums are written again
    return !stopped;
}

// Clusters take the tiles of all pairs in turn. Blocks are a kernel of their own: as a choice within that of the robust
// statistic, they made it a fifth slower.
template <bool even, bool robust, bool blocks>
__global__ void __launch_bounds__(threads, 2) rows_kernel(const __grid_constant__ Settings settings) {
    constexpr int tile = tile_size;
    __shared__ Shared<tile> shared;
    __shared__ int pairs[threads];
    __shared__ int counts[threads];
    const Team team = Team::mine();
    const int clusters = static_cast<int>(gridDim.x) / team.size;
    int next = static_cast<int>(blockIdx.x) / team.size;  // this cluster's next tile, counted from the pair's first
    double* kept =
        robust ? settings.scratch + static_cast<std::size_t>(next) * tile * settings.batch.shape.dp : nullptr;
    for (int first = 0; first < settings.active.count; first += threads) {
        __syncthreads();
        const int index = first + static_cast<int>(threadIdx.x);
        if (index < settings.active.count) {
            pairs[threadIdx.x] = settings.active.pairs[index];
            counts[threadIdx.x] = settings.chunk.left_count[settings.from][pairs[threadIdx.x]];
        }
        __syncthreads();
        for (int i = 0; i < min(threads, settings.active.count - first); ++i) {
            const int tiles = (counts[i] + tile - 1) / tile;
            for (; next < tiles; next += clusters)
                if (!decide_tile<even, robust, blocks>(settings, shared, team, pairs[i], counts[i], next, kept)) return;
            next -= tiles;
        }
    }
}

// Blocks of a cluster: as many as have columns to add up.
unsigned cluster_size(const Shape& shape) {
    if (properties().major < 9) return 1;
    return shape.d > 2 * columns_at_once ? largest_cluster : shape.d > columns_at_once ? 2 : 1;
}

}  // namespace

std::size_t rows_scratch(const Shape& shape) {
    if (!shape.robust) return 0;
    const std::size_t clusters = most_blocks / cluster_size(shape);
    return clusters * tile_size * static_cast<std::size_t>(shape.dp);
}

void decide_by_rows(const Batch& batch, const Active& active, const Chunk& chunk, int from, int to, double* scratch,
                    cudaStream_t stream) {
    const Shape& shape = batch.shape;
    const Settings settings{
        {batch, active, chunk}, sizes_of<double>(shape.n, shape.m, shape.d, shape.robust), scratch, from, to};
    const bool even = shape.d % 2 == 0;
    const auto kernel = shape.blocks   ? (even ? rows_kernel<true, true, true> : rows_kernel<false, true, true>)
                        : shape.robust ? (even ? rows_kernel<true, true, false> : rows_kernel<false, true, false>)
                                       : (even ? rows_kernel<true, false, false> : rows_kernel<false, false, false>);
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {cluster_size(shape), 1, 1};
    cudaLaunchConfig_t launch{};
    launch.gridDim = dim3(most_blocks);
    launch.blockDim = dim3(threads);
    launch.stream = stream;
    launch.attrs = &cluster;
    launch.numAttrs = cluster.val.clusterDim.x > 1 ? 1 : 0;
    WORDBREADTH_CUDA(cudaLaunchKernelEx(&launch, kernel, settings));
}

}  // namespace wordbreadth::engine::cuda
