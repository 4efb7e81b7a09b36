// The alignment of the pairs, and their rows less their mean, in half precision.
#include <algorithm>

#include "engine/cuda/device.cuh"
#include "geometry/tolerances.h"

namespace wordbreadth::engine::cuda {
namespace {

// A column of blocks per cloud, a block per row.
__global__ void __launch_bounds__(256) to_float_kernel(const Arrival* clouds) {
    __shared__ double shared[32];
    const Arrival cloud = clouds[blockIdx.x];
    for (int i = static_cast<int>(blockIdx.y); i < cloud.n; i += static_cast<int>(gridDim.y)) {
        const double* row = cloud.full + static_cast<std::size_t>(i) * cloud.d;
        float* out = cloud.rounded + static_cast<std::size_t>(i) * cloud.dp;
        double squares = 0;
        for (int k = static_cast<int>(threadIdx.x); k < cloud.dp; k += static_cast<int>(blockDim.x)) {
            const double value = k < cloud.d ? row[k] : 0.0;
            const float rounded = __double2float_rn(value);
            out[k] = rounded;
            squares += (value - rounded) * (value - rounded);
        }
        squares = sum_of_block(squares, shared);
        if (threadIdx.x == 0) cloud.off2[i] = __double2float_ru(squares);
    }
}

// Squared length in the order of additions of geometry/vector_math.h. Where the directions nearly coincide, u is made
// of rounding errors, and only the very same ones give the definition's reflection.
__device__ double squared_length_as_defined(const double* a, int d, double* shared) {
    if (threadIdx.x < 8) {
        double partial = 0;
#pragma unroll 8
        for (int k = static_cast<int>(threadIdx.x); k < d; k += 8) partial = __dadd_rn(partial, __dmul_rn(a[k], a[k]));
        shared[threadIdx.x] = partial;
    }
    __syncthreads();
    return __dadd_rn(__dadd_rn(__dadd_rn(shared[0], shared[1]), __dadd_rn(shared[2], shared[3])),
                     __dadd_rn(__dadd_rn(shared[4], shared[5]), __dadd_rn(shared[6], shared[7])));
}

// One block per pair.
__global__ void __launch_bounds__(256) align_kernel(Batch batch) {
    __shared__ double shared[32];
    const int d = batch.shape.d;
    const int dp = batch.shape.dp;
    const std::size_t pair = blockIdx.x;
    const PairSource source = batch.source[pair];
    double* u = batch.mirror + pair * dp;
    double* sum = batch.sum + pair * dp;
    const int first = static_cast<int>(threadIdx.x);
    const int step = static_cast<int>(blockDim.x);

    for (int k = first; k < dp; k += step)
        u[k] = batch.shape.align && k < d
                   ? __dsub_rn(__ddiv_rn(source.sum_x[k], source.length_x), __ddiv_rn(source.sum_y[k], source.length_y))
                   : 0.0;
    __syncthreads();
    const double length = __dsqrt_rn(squared_length_as_defined(u, d, shared));
    const bool turned = length >= geometry::equal_directions;
    double along = 0;
    for (int k = first; k < d; k += step) {
        u[k] = turned ? __ddiv_rn(u[k], length) : 0.0;
        along += u[k] * source.sum_x[k];
    }
    along = sum_of_block(along, shared);
    double tt = 0;
    double mirror_sum = 0;
    for (int k = first; k < dp; k += step) {
        sum[k] = k < d ? source.sum_x[k] - 2 * along * u[k] + source.sum_y[k] : 0.0;
        tt += sum[k] * sum[k];
        mirror_sum += u[k] * sum[k];
    }
    tt = sum_of_block(tt, shared);
    mirror_sum = sum_of_block(mirror_sum, shared);
    if (threadIdx.x == 0) {
        batch.facts[pair].tt = tt;
        batch.facts[pair].mirror_sum = mirror_sum;
    }
    if (batch.Z == nullptr) return;
    for (int k = first; k < dp; k += step) {
        batch.sum_for_x[pair * dp + k] = sum[k] - 2 * mirror_sum * u[k];
        batch.short_mirror[pair * dp + k] = static_cast<float>(u[k]);
        batch.short_mean[pair * dp + k] = static_cast<float>(sum[k] / batch.shape.N);
    }
}

constexpr int rows_at_once = 8;
constexpr int rows_of_block = 32;
constexpr int most_threads = 256;
constexpr int thread_columns = 4;  // neighbours that a thread has, of every so many
static_assert(rows_at_once == 8, "share_sums");

// Eight sums over a warp, thread by thread: afterwards lanes 4 r .. 4 r + 3 have the whole of sum r.
template <class T>
__device__ inline T share_sums(const T (&parts)[rows_at_once]) {
    const auto lane = threadIdx.x % 32;
    T four[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const bool upper = (lane & 16U) != 0;
        four[i] = (upper ? parts[4 + i] : parts[i]) + __shfl_xor_sync(all_lanes, upper ? parts[i] : parts[4 + i], 16);
    }
    T two[2];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const bool upper = (lane & 8U) != 0;
        two[i] = (upper ? four[2 + i] : four[i]) + __shfl_xor_sync(all_lanes, upper ? four[i] : four[2 + i], 8);
    }
    const bool upper = (lane & 4U) != 0;
    T one = (upper ? two[1] : two[0]) + __shfl_xor_sync(all_lanes, upper ? two[0] : two[1], 4);
    one += __shfl_xor_sync(all_lanes, one, 2);
    return one + __shfl_xor_sync(all_lanes, one, 1);
}

// What a thread knows of its columns.
struct Columns {
    float4 u, mean;
    double for_x[4], for_y[4];

    __device__ Columns(const Batch& batch, std::size_t pair, int k) {
        const std::size_t at = pair * batch.shape.dp + k;
        u = *reinterpret_cast<const float4*>(batch.short_mirror + at);
        mean = *reinterpret_cast<const float4*>(batch.short_mean + at);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            for_x[j] = batch.sum_for_x[at + j];
            for_y[j] = batch.sum[at + j];
        }
    }
};

struct CentreShared {
    float along[most_threads / 32][rows_at_once];
    double product[most_threads / 32][rows_at_once];
    float rounding2[most_threads / 32][rows_at_once];
    float twice[rows_at_once];  // the component along u, for a row of x
};

__device__ inline void add_products(const Columns& columns, const float4& x, bool of_x, float& along, double& product) {
    along += x.x * columns.u.x + x.y * columns.u.y + x.z * columns.u.z + x.w * columns.u.w;
    product +=
        (x.x * (of_x ? columns.for_x[0] : columns.for_y[0]) + x.y * (of_x ? columns.for_x[1] : columns.for_y[1])) +
        (x.z * (of_x ? columns.for_x[2] : columns.for_y[2]) + x.w * (of_x ? columns.for_x[3] : columns.for_y[3]));
}

__device__ inline void write_four(__half* to, const __half2& low, const __half2& high) {
    *reinterpret_cast<uint2*>(to) =
        make_uint2(*reinterpret_cast<const unsigned*>(&low), *reinterpret_cast<const unsigned*>(&high));
}

// Writes four values of Z, and what half precision takes from them unless `rest` is null; returns the squares of what
// is lost.
__device__ inline float write_centred(const Columns& columns, const float4& x, float twice, bool real, __half* to,
                                      __half* rest) {
    const float centred[4] = {real ? x.x - twice * columns.u.x - columns.mean.x : 0.0F,
                              real ? x.y - twice * columns.u.y - columns.mean.y : 0.0F,
                              real ? x.z - twice * columns.u.z - columns.mean.z : 0.0F,
                              real ? x.w - twice * columns.u.w - columns.mean.w : 0.0F};
    const __half2 low = __floats2half2_rn(centred[0], centred[1]);
    const __half2 high = __floats2half2_rn(centred[2], centred[3]);
    write_four(to, low, high);
    float off[4] = {centred[0] - __low2float(low), centred[1] - __high2float(low), centred[2] - __low2float(high),
                    centred[3] - __high2float(high)};
    if (rest != nullptr) {
        const __half2 rest_low = __floats2half2_rn(off[0], off[1]);
        const __half2 rest_high = __floats2half2_rn(off[2], off[3]);
        write_four(rest, rest_low, rest_high);
        off[0] -= __low2float(rest_low);
        off[1] -= __high2float(rest_low);
        off[2] -= __low2float(rest_high);
        off[3] -= __high2float(rest_high);
    }
    return off[0] * off[0] + off[1] * off[1] + off[2] * off[2] + off[3] * off[3];
}

// Where rows come from. They are read ahead into shared memory, each thread its own part, so that none waits for
// anybody else's; or, when a block does not cover all columns, straight from global memory, twice.
template <bool ahead>
struct Rows {
    const Shape& shape;
    const PairSource& source;
    float4* room;  // (2, rows_at_once, threads)

    [[nodiscard]] __device__ const float4* at(int row, int k) const {
        const int real = min(row, shape.N - 1);
        const float* from = real < shape.n ? source.x + static_cast<std::size_t>(real) * shape.dp
                                           : source.y + static_cast<std::size_t>(real - shape.n) * shape.dp;
        return reinterpret_cast<const float4*>(from + k);
    }
    [[nodiscard]] __device__ float4* place(int stage, int r) const {
        return room + (stage * rows_at_once + r) * blockDim.x + threadIdx.x;
    }
    __device__ void start(int stage, int first, int last, int k) const {
        if constexpr (ahead) {
            if (first < last && k < shape.dp)
#pragma unroll
                for (int r = 0; r < rows_at_once; ++r)
                    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                                     static_cast<std::uint32_t>(__cvta_generic_to_shared(place(stage, r)))),
                                 "l"(at(first + r, k)));
            asm volatile("cp.async.commit_group;");
        }
    }
    __device__ static void wait() {
        if constexpr (ahead) asm volatile("cp.async.wait_group 1;");
    }
    [[nodiscard]] __device__ float4 get(int stage, int first, int r, int k) const {
        if (k >= shape.dp) return make_float4(0, 0, 0, 0);
        return ahead ? *place(stage, r) : *at(first + r, k);
    }
};

// A block takes 32 rows of a pair, eight at a time; a thread has the same columns of all of them, and what it needs to
// know of these in registers. The product with the sum is added up in float64, since c~ is small beside it; all else is
// good enough in float32, below what half precision takes away.
//
// Tried and dropped: a warp for every row or two. Reading the sum again for every row took twice as long as the rows.
template <bool one_pass>
__global__ void __launch_bounds__(most_threads, one_pass ? 3 : 2) centre_kernel(Batch batch) {
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ CentreShared shared;
    const Shape& shape = batch.shape;
    const std::size_t pair = blockIdx.y;
    const PairSource& source = batch.source[pair];
    const Rows<one_pass> rows{shape, source, reinterpret_cast<float4*>(memory)};
    const double mean = batch.facts[pair].tt / shape.N;
    const auto warps = blockDim.x / 32;
    const auto warp = threadIdx.x / 32;
    const auto lane = threadIdx.x % 32;
    const int step = static_cast<int>(blockDim.x) * thread_columns;
    const int column = static_cast<int>(threadIdx.x) * thread_columns;
    const Columns only(batch, pair, min(column, shape.dp - thread_columns));
    const int begin = static_cast<int>(blockIdx.x) * rows_of_block;
    const int end = begin + rows_of_block;
    rows.start(0, begin, end, column);
    for (int first = begin, stage = 0; first < end; first += rows_at_once, stage ^= 1) {
        rows.start(stage ^ 1, first + rows_at_once, end, column);
        rows.wait();
        float along[rows_at_once] = {};
        double product[rows_at_once] = {};
        for (int k = column; one_pass ? k == column : k < shape.dp; k += step) {
            const Columns columns = one_pass ? only : Columns(batch, pair, k);
#pragma unroll
            for (int r = 0; r < rows_at_once; ++r)
                add_products(columns, rows.get(stage, first, r, k), first + r < shape.n, along[r], product[r]);
        }
        const float along_of_warp = share_sums(along);
        const double product_of_warp = share_sums(product);
        __syncthreads();
        if (lane % 4 == 0) {
            shared.along[warp][lane / 4] = along_of_warp;
            shared.product[warp][lane / 4] = product_of_warp;
        }
        __syncthreads();
        if (threadIdx.x < rows_at_once) {
            const int row = first + static_cast<int>(threadIdx.x);
            float along_row = 0;
            double c = -mean;
            for (unsigned w = 0; w < warps; ++w) {
                along_row += shared.along[w][threadIdx.x];
                c += shared.product[w][threadIdx.x];
            }
            shared.twice[threadIdx.x] = row < shape.n ? 2 * along_row : 0.0F;
            batch.c[pair * shape.Np + row] = row < shape.N ? c : 0.0;
        }
        __syncthreads();
        float rounding2[rows_at_once] = {};
        for (int k = column; one_pass ? k == column : k < shape.dp; k += step) {
            const Columns columns = one_pass ? only : Columns(batch, pair, k);
#pragma unroll
            for (int r = 0; r < rows_at_once; ++r)
                if (k < shape.dp) {
                    const std::size_t at = (pair * shape.Np + first + r) * shape.dp + k;
                    rounding2[r] +=
                        write_centred(columns, rows.get(stage, first, r, k), shared.twice[r], first + r < shape.N,
                                      batch.Z + at, batch.Z_rest == nullptr ? nullptr : batch.Z_rest + at);
                }
        }
        const float rounding_of_warp = share_sums(rounding2);
        if (lane % 4 == 0) shared.rounding2[warp][lane / 4] = rounding_of_warp;
        __syncthreads();
        if (threadIdx.x < rows_at_once) {
            float total = 0;
            for (unsigned w = 0; w < warps; ++w) total += shared.rounding2[w][threadIdx.x];
            batch.row_rounding2[pair * shape.Np + first + static_cast<int>(threadIdx.x)] = total;
        }
    }
}

// One block per pair, after its c~.
__global__ void __launch_bounds__(256) blocks_kernel(Batch batch) {
    __shared__ double shared[5 * 32];
    const Shape& shape = batch.shape;
    const std::size_t pair = blockIdx.x;
    const PairSource source = batch.source[pair];
    PairFacts& facts = batch.facts[pair];
    const int first = static_cast<int>(threadIdx.x);
    const int step = static_cast<int>(blockDim.x);
    double sums[5] = {};
    for (int k = first; k < shape.N; k += step) {
        const double c = source.count(k, shape.n);
        sums[0] += c;
        sums[1] += c * c;
        sums[2] += c * c * c;
        sums[3] += c * c * c * c;
        sums[4] += source.square(k, shape.n);
    }
    sums_of_block(sums, shared);
    const double rows = sums[0];
    const double R0 = (facts.tt - sums[4]) / (rows * rows - sums[1]);
    double norms[2] = {};
    if (batch.Z != nullptr) {
        const double alpha = static_cast<double>(shape.n) / shape.N;
        const double mean = facts.tt / shape.N;
        for (int k = first; k < shape.Np; k += step) {
            const bool real = k < shape.N;
            const double c = real ? source.count(k, shape.n) : 0.0;
            const double product = real ? batch.c[pair * shape.Np + k] + mean - R0 * c * rows : 0.0;
            const double own = real ? R0 * c * c - source.square(k, shape.n) : 0.0;
            const double constant1 = alpha * product + own;
            const double constant2 = (1 - alpha) * product + own;
            batch.block_columns[pair * shape.Np + k] = {static_cast<float>(constant1), static_cast<float>(constant2),
                                                        static_cast<float>(R0 * c), static_cast<float>(c)};
            norms[0] += constant1 * constant1 + constant2 * constant2;
            norms[1] += R0 * c * R0 * c;
        }
        sums_of_block(norms, shared);
    }
    if (threadIdx.x != 0) return;
    facts.rows = rows;
    facts.c2 = sums[1];
    facts.c3 = sums[2];
    facts.c4 = sums[3];
    facts.squares = sums[4];
    facts.R0 = R0;
    facts.constants = sqrt(norms[0]);
    facts.weights = sqrt(norms[1]);
}

}  // namespace

void measure_blocks(const Batch& batch, cudaStream_t stream) {
    launch("measure_blocks", blocks_kernel, batch.pairs, 256, 0, stream, batch);
}

void to_float(std::span<const Arrival> clouds, const Arrival* there, cudaStream_t stream) {
    int rows = 1;
    for (const Arrival& cloud : clouds) rows = std::max(rows, cloud.n);
    const dim3 grid(static_cast<unsigned>(clouds.size()), static_cast<unsigned>(std::min(rows, 65535)));
    launch("to_float", to_float_kernel, grid, 256, 0, stream, there);
}

void align_pairs(const Batch& batch, cudaStream_t stream) {
    launch("align_pairs", align_kernel, batch.pairs, 256, 0, stream, batch);
}

void centre_rows(const Batch& batch, cudaStream_t stream) {
    const int wanted = (batch.shape.dp / thread_columns + 31) / 32 * 32;
    const dim3 grid(batch.shape.Np / rows_of_block, batch.pairs);
    const std::size_t bytes = 2 * rows_at_once * static_cast<std::size_t>(wanted) * sizeof(float4);
    if (wanted <= most_threads)
        launch("centre_rows", centre_kernel<true>, grid, wanted, bytes, stream, batch);
    else
        launch("centre_rows", centre_kernel<false>, grid, most_threads, 0, stream, batch);
}

}  // namespace wordbreadth::engine::cuda
