// The panel of the first screen: the leading columns L of K and the limbs of c~ in int8, and how far off it can be.
//
// A block a pair: two steps of subspace iteration from random signs, then L = K W (W^T K W)^(-1/2), rounded. How near L
// comes to the best columns only decides how many splits are left to the next step; for a few pairs, which would wait
// for it, it is left out (batch.leading), and what A leaves open goes straight to K. What L leaves of K is
// E = K - L L^T - shift, and |E| is at most its Frobenius norm, which K's own norm and a few small products give:
// K is never touched again. For the robust statistic, which has L once more, times c~, that is too much: remainder.cu.
//
// Tried and dropped: bounds by the Frobenius norm of E^4 and E^8. They are four times as narrow, but an error of Q
// nearly cancels between groups of one size (verdict.h): 0.1% of the splits were left instead of 0.4%, which saved
// less than half of what E and its powers cost.
#include <cmath>

#include "engine/cuda/device.cuh"

namespace wordbreadth::engine::cuda {
namespace {

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int power_steps = 2;
constexpr double middle = 0.4;  // robust: the middle of what L leaves, in units of the shortest column's square
constexpr int ones = panel_columns - 1;  // the column of the first basis that gives the row sums of K
constexpr float negligible = 1e-6F;      // share of a column under which what is left of it is rounding errors
constexpr int limb_bits = 22;            // three signed limbs of eight bits hold it with room

struct Shared {
    float parts[warps][panel_columns * panel_columns];
    float products[panel_columns][panel_columns];
    float root[panel_columns][panel_columns];  // upper triangle
    float inverse[panel_columns];              // of its diagonal; 0 for a column that is left out
    int largest[panel_columns];                // bits of the largest magnitude
    float scale[2 * panel_columns];
    int sums[2 * panel_columns];
    double doubles[directions * 32];
};

// Where the block works: in shared memory, or beyond `rows_in_shared` in global memory.
struct Work {
    Shape shape;
    const __half* K;  // (Np, Np)
    float* Y;         // (Np, column_stride)
    __half* W;        // (panel_columns, W_stride), columns of the basis one after the other
    int W_stride;
};

// A sign that looks random.
__device__ inline float sign(std::uint32_t index) {
    index = (index + 0x9E3779B9U) * 0x85EBCA6BU;
    index = (index ^ (index >> 13)) * 0xC2B2AE35U;
    return (index >> 16 & 1U) != 0 ? 1.0F : -1.0F;
}

__device__ void start(const Work& work) {
    for (int row = static_cast<int>(threadIdx.x); row < work.shape.Np; row += threads)
        for (int j = 0; j < panel_columns; ++j) {
            const auto index = static_cast<std::uint32_t>(row * panel_columns + j);
            const float value = j < directions ? sign(index) : j == ones ? 1.0F : 0.0F;
            work.W[j * work.W_stride + row] = __float2half_rn(row < work.shape.N ? value : 0.0F);
        }
    __syncthreads();
}

__device__ inline uint4 eight(const __half* from) {
    return *reinterpret_cast<const uint4*>(from);
}

// Y = K W: sixteen rows a warp at a time.
__device__ void multiply(const Work& work) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int g = lane / 4;
    const int t = lane % 4;
    const int Np = work.shape.Np;
    for (int row = static_cast<int>(threadIdx.x / 32) * 16; row < Np; row += warps * 16) {
        float sums[2][4] = {};
        const __half* low = work.K + static_cast<std::size_t>(row + g) * Np;
        const __half* high = low + static_cast<std::size_t>(8) * Np;
#pragma unroll 4
        for (int k = 8 * t; k < Np; k += 32) {
            const uint4 a0 = eight(low + k);
            const uint4 a1 = eight(high + k);
            const std::uint32_t first[4] = {a0.x, a1.x, a0.y, a1.y};
            const std::uint32_t second[4] = {a0.z, a1.z, a0.w, a1.w};
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                const uint4 b = eight(work.W + (8 * j + g) * work.W_stride + k);
                multiply_half(sums[j], first, b.x, b.y);
                multiply_half(sums[j], second, b.z, b.w);
            }
        }
#pragma unroll
        for (int j = 0; j < 2; ++j)
#pragma unroll
            for (int h = 0; h < 2; ++h)
                *reinterpret_cast<float2*>(work.Y + (row + g + 8 * h) * column_stride + 8 * j + 2 * t) =
                    make_float2(sums[j][2 * h], sums[j][2 * h + 1]);
    }
    __syncthreads();
}

// Eight halves, added up.
__device__ inline float sum_of_eight(const uint4& eight) {
    const auto* pairs = reinterpret_cast<const __half2*>(&eight);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float2 two = __half22float2(pairs[i]);
        sum += two.x + two.y;
    }
    return sum;
}

// The row sums of K, which the last column of the first basis gave, and with its rest: a warp per four rows.
__device__ void keep_sums(const Work& work, Shared& shared, const Batch& batch, std::size_t pair) {
    constexpr int rows = 4;
    const int Np = work.shape.Np;
    const int lane = static_cast<int>(threadIdx.x % 32);
    float* K_sums = batch.K_sums + pair * Np;
    float* with_rest = K_sums + static_cast<std::size_t>(batch.pairs) * Np;
    double totals[2] = {};
    for (int first = static_cast<int>(threadIdx.x / 32) * rows; first < Np; first += warps * rows) {
        float rest[rows] = {};
        if (batch.K_rest != nullptr)
            for (int j = lane * 8; j < Np; j += 32 * 8)
#pragma unroll
                for (int r = 0; r < rows; ++r)
                    rest[r] += sum_of_eight(eight(batch.K_rest + (pair * Np + first + r) * Np + j));
#pragma unroll
        for (int r = 0; r < rows; ++r) {
            const float sum = work.Y[(first + r) * column_stride + ones];
            const float both = sum + sum_of_warp(rest[r]) / rest_scale;
            if (lane != r) continue;
            K_sums[first + r] = sum;
            with_rest[first + r] = both;
            totals[0] += static_cast<double>(sum);
            totals[1] += static_cast<double>(both);
        }
    }
    sums_of_block(totals, shared.doubles);
    if (threadIdx.x >= 2) return;
    batch.facts[pair].K_total[threadIdx.x] = totals[threadIdx.x];
}

// products = A^T Y, (16, 16), A's rows given by a(row, column). A warp takes every sixteenth row, a lane 2 x 4
// products.
template <class A>
__device__ void inner_products(const Work& work, Shared& shared, const A& a) {
    const int warp = static_cast<int>(threadIdx.x / 32);
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int first_a = lane / 4 * 2;
    const int first_b = lane % 4 * 4;
    float sums[2][4] = {};
#pragma unroll 4
    for (int row = warp; row < work.shape.Np; row += warps) {
        const float4 b = *reinterpret_cast<const float4*>(work.Y + row * column_stride + first_b);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const float value = a(row, first_a + i);
            sums[i][0] += value * b.x;
            sums[i][1] += value * b.y;
            sums[i][2] += value * b.z;
            sums[i][3] += value * b.w;
        }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
        *reinterpret_cast<float4*>(&shared.parts[warp][(first_a + i) * panel_columns + first_b]) =
            make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
    __syncthreads();
    if (threadIdx.x < panel_columns * panel_columns) {
        float sum = 0;
#pragma unroll
        for (int part = 0; part < warps; ++part) sum += shared.parts[part][threadIdx.x];
        shared.products[threadIdx.x / panel_columns][threadIdx.x % panel_columns] = sum;
    }
    __syncthreads();
}

// Cholesky's factor of the products of the directions, by the first warp, a column a lane. Columns without a length of
// their own are left out.
__device__ void factor(Shared& shared) {
    if (threadIdx.x < 32) {
        const int column = static_cast<int>(threadIdx.x) % panel_columns;
        float h[panel_columns];
#pragma unroll
        for (int i = 0; i < panel_columns; ++i) h[i] = shared.products[i][column];
#pragma unroll
        for (int k = 0; k < directions; ++k) {
            const float pivot = __shfl_sync(all_lanes, h[k], k);
            const bool kept = pivot > negligible * shared.products[k][k] && pivot > 0;
            const float inverse = kept ? rsqrtf(pivot) : 0.0F;
            const float r = column >= k ? h[k] * inverse : 0.0F;
#pragma unroll
            for (int i = k + 1; i < panel_columns; ++i) h[i] -= __shfl_sync(all_lanes, r, i) * r;
            if (threadIdx.x < panel_columns) shared.root[k][column] = r;
            if (threadIdx.x == 0) shared.inverse[k] = inverse;
        }
        for (int k = directions; k < panel_columns; ++k) {
            if (threadIdx.x < panel_columns) shared.root[k][column] = 0;
            if (threadIdx.x == 0) shared.inverse[k] = 0;
        }
    }
    __syncthreads();
}

// One row of Y R^(-1); what is not a direction becomes 0.
__device__ inline void divide(const Shared& shared, const float* Y, float (&row)[panel_columns]) {
#pragma unroll
    for (int j = 0; j < panel_columns; j += 4) {
        const float4 four = *reinterpret_cast<const float4*>(Y + j);
        row[j] = four.x;
        row[j + 1] = four.y;
        row[j + 2] = four.z;
        row[j + 3] = four.w;
    }
#pragma unroll
    for (int i = 0; i < panel_columns; ++i) {
        row[i] *= shared.inverse[i];
#pragma unroll
        for (int j = i + 1; j < panel_columns; ++j) row[j] -= row[i] * shared.root[i][j];
    }
}

__device__ void orthonormalise(const Work& work, Shared& shared) {
    inner_products(work, shared, [&](int row, int column) { return work.Y[row * column_stride + column]; });
    factor(shared);
    for (int i = static_cast<int>(threadIdx.x); i < work.shape.Np; i += threads) {
        float row[panel_columns];
        divide(shared, work.Y + i * column_stride, row);
#pragma unroll
        for (int j = 0; j < panel_columns; ++j) work.W[j * work.W_stride + i] = __float2half_rn(row[j]);
    }
    __syncthreads();
}

// L = Y R^(-1) in place of Y, and the scale of every column: its largest magnitude becomes 127.
__device__ void make_columns(const Work& work, Shared& shared) {
    if (threadIdx.x < panel_columns) {
        shared.largest[threadIdx.x] = 0;
        shared.sums[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int first = 0; first < work.shape.Np; first += threads) {
        const int i = first + static_cast<int>(threadIdx.x);
        float row[panel_columns] = {};
        if (i < work.shape.Np) divide(shared, work.Y + i * column_stride, row);
#pragma unroll
        for (int j = 0; j < directions; ++j) {
            if (i < work.shape.Np) work.Y[i * column_stride + j] = row[j];
            // Magnitudes are ordered like the integers of their bits.
            const unsigned largest = __reduce_max_sync(all_lanes, __float_as_uint(fabsf(row[j])));
            if (threadIdx.x % 32 == 0) atomicMax(&shared.largest[j], static_cast<int>(largest));
        }
    }
    __syncthreads();
    if (threadIdx.x < panel_columns) {
        const float largest = __int_as_float(shared.largest[threadIdx.x]);
        shared.scale[threadIdx.x] = largest > 0 && largest < 3e38F ? largest / 127 : 1.0F;
    }
    __syncthreads();
}

// Rounds L to int8: units in the panel and in W, values in Y.
template <bool robust>
__device__ void round_columns(const Work& work, Shared& shared, std::int8_t* panel) {
    for (int first = 0; first < work.shape.Np; first += threads) {
        const int i = first + static_cast<int>(threadIdx.x);
        const bool there = i < work.shape.Np;
#pragma unroll
        for (int j = 0; j < directions; ++j) {
            const float scale = shared.scale[j];
            const float value = there ? work.Y[i * column_stride + j] : 0.0F;
            const int units = max(-127, min(127, __float2int_rn(value / scale)));
            const int sum = __reduce_add_sync(all_lanes, units);
            if (threadIdx.x % 32 == 0) atomicAdd(&shared.sums[j], sum);
            if (!there) continue;
            panel[panel_place<robust>(i, j)] = static_cast<std::int8_t>(units);
            work.W[j * work.W_stride + i] = __int2half_rn(units);
            work.Y[i * column_stride + j] = static_cast<float>(units) * scale;
        }
        if (!there) continue;
        for (int j = directions; j < panel_columns; ++j) {
            work.W[j * work.W_stride + i] = __float2half_rn(0);
            work.Y[i * column_stride + j] = 0;
        }
    }
    __syncthreads();
}

struct Limbs {
    double unit, error, magnitude;
    double total, squares, largest;
};

// The same in the linear screen, which has four columns of a pair, the last of them zero.
__device__ inline int linear_place(int i, int j) {
    const int k = i % 32;
    return i / 32 * linear_word_bytes + (j * 4 + k / 8) * 8 + k % 8;
}

// Values in three limbs, value = unit (65536 a + 256 b + c), each given to put(row, limb, value); returns what is lost
// of all of them together.
template <class Value, class Put>
__device__ double write_limbs(const Shape& shape, Shared& shared, double unit, const Value& value, const Put& put) {
    double error = 0;
    for (int i = static_cast<int>(threadIdx.x); i < shape.Np; i += threads) {
        int units = __double2int_rn(value(i) / unit);
        error += fabs(value(i) - units * unit);
        for (int limb = limbs - 1; limb >= 0; --limb) {
            const int low = ((units + 128) & 255) - 128;
            put(i, limb, static_cast<std::int8_t>(low));
            units = (units - low) / 256;
        }
    }
    return sum_of_block(error, shared.doubles);
}

// c~ in limbs.
template <bool robust>
__device__ Limbs add_limbs(const Shape& shape, Shared& shared, const double* c, std::int8_t* panel,
                           std::int8_t* linear) {
    double largest = 0;
    double sums[3] = {};  // of the magnitudes, of c~, of its squares
    for (int i = static_cast<int>(threadIdx.x); i < shape.N; i += threads) {
        largest = fmax(largest, fabs(c[i]));
        sums[0] += fabs(c[i]);
        sums[1] += c[i];
        sums[2] += c[i] * c[i];
    }
    largest = largest_of_block(largest, shared.doubles);
    sums_of_block(sums, shared.doubles);
    const double unit = largest > 0 ? largest / (1 << limb_bits) : 1.0;
    const double error = write_limbs(
        shape, shared, unit, [&](int i) { return c[i]; },
        [&](int i, int limb, std::int8_t value) {
            panel[panel_place<robust>(i, directions + limb)] = value;
            linear[linear_place(i, limb)] = value;
            if (limb == 0) linear[linear_place(i, limbs)] = 0;
        });
    return {unit, error, sums[0], sums[1], sums[2], largest};
}

// What the columns of the robust statistic lack: the squares of c~ in limbs, and c~ L in int8.
struct Cross {
    double c2_unit, c2_error;
    double off;      // Frobenius norm of what int8 takes from c~ L
    double scales2;  // sum of the squares of its scales
    double totals2;  // |1 . L|^2
};

// L as it was rounded is in Y. Writes what the head has of these columns.
__device__ Cross add_cross(const Work& work, Shared& shared, const double* c, const Limbs& limbs_of_c,
                           std::int8_t* panel, RobustHead& head) {
    const Shape& shape = work.shape;
    Cross cross{};
    cross.c2_unit = limbs_of_c.largest > 0 ? limbs_of_c.largest * limbs_of_c.largest / (1 << limb_bits) : 1.0;
    cross.c2_error = write_limbs(
        shape, shared, cross.c2_unit, [&](int i) { return c[i] * c[i]; },
        [&](int i, int limb, std::int8_t value) {
            panel[panel_place<true>(i, panel_columns + directions + limb)] = value;
        });
    if (threadIdx.x < panel_columns) shared.largest[threadIdx.x] = 0;
    __syncthreads();
    double totals[directions] = {};
    for (int first = 0; first < shape.Np; first += threads) {
        const int i = first + static_cast<int>(threadIdx.x);
        const auto of_row = i < shape.Np ? static_cast<float>(c[i]) : 0.0F;
#pragma unroll
        for (int j = 0; j < directions; ++j) {
            const float value = i < shape.Np ? of_row * work.Y[i * column_stride + j] : 0.0F;
            totals[j] += static_cast<double>(value);
            const unsigned largest = __reduce_max_sync(all_lanes, __float_as_uint(fabsf(value)));
            if (threadIdx.x % 32 == 0) atomicMax(&shared.largest[j], static_cast<int>(largest));
        }
    }
    sums_of_block(totals, shared.doubles);
    if (threadIdx.x < panel_columns) {
        const float largest = __int_as_float(shared.largest[threadIdx.x]);
        shared.scale[panel_columns + threadIdx.x] = largest > 0 && largest < 3e38F ? largest / 127 : 1.0F;
        shared.sums[panel_columns + threadIdx.x] = 0;
    }
    __syncthreads();
    double off2[1] = {};
    for (int first = 0; first < shape.Np; first += threads) {
        const int i = first + static_cast<int>(threadIdx.x);
        const bool there = i < shape.Np;
        const auto of_row = there ? static_cast<float>(c[i]) : 0.0F;
#pragma unroll
        for (int j = 0; j < directions; ++j) {
            const float scale = shared.scale[panel_columns + j];
            const float value = there ? of_row * work.Y[i * column_stride + j] : 0.0F;
            const int units = max(-127, min(127, __float2int_rn(value / scale)));
            const int sum = __reduce_add_sync(all_lanes, units);
            if (threadIdx.x % 32 == 0) atomicAdd(&shared.sums[panel_columns + j], sum);
            const float off = value - static_cast<float>(units) * scale;
            off2[0] += static_cast<double>(off * off);
            if (there) panel[panel_place<true>(i, panel_columns + j)] = static_cast<std::int8_t>(units);
        }
    }
    sums_of_block(off2, shared.doubles);
    cross.off = sqrt(off2[0]) * 1.001;
    const double alpha = static_cast<double>(shape.n) / shape.N;
#pragma unroll
    for (int j = 0; j < directions; ++j) {
        const auto scale = static_cast<double>(shared.scale[panel_columns + j]);
        const double total = static_cast<double>(shared.scale[j]) * shared.sums[j];
        cross.scales2 += scale * scale;
        cross.totals2 += total * total;
        if (static_cast<int>(threadIdx.x) != j) continue;
        head.scale[panel_columns + j] = static_cast<float>(scale);
        head.shift[panel_columns + j] =
            static_cast<float>(alpha * (scale * shared.sums[panel_columns + j] - totals[j]));
        head.total[j] = static_cast<float>(total);
        head.cross_total[j] = static_cast<float>(totals[j]);
    }
    if (threadIdx.x >= directions && threadIdx.x < panel_columns) {
        head.scale[panel_columns + threadIdx.x] = head.shift[panel_columns + threadIdx.x] = 0;
        head.total[threadIdx.x] = head.cross_total[threadIdx.x] = 0;
    }
    return cross;
}

// What is known of K and L when L is done, the same in every thread.
struct Norms {
    double trace;       // of K
    double squares;     // of K
    double rounding;    // length of what half precision took from K
    double lacking;     // and of what its rest leaves of that
    double rounding_Z;  // and from Z
    double L_squares;   // |L|_F^2
    double L_norm2;     // bound of |L|^2
    double LL_squares;  // |L L^T|_F^2
    double LKL;         // trace of L^T K L
    double scales2;     // sum of the squares of the scales
    double shortest2;   // robust: least |L_j|^2
    float length;       // threads of line j: |L y|^2 is at most the sum of length_j y_j^2
};

// What is known of L; all zero without it.
__device__ void measure_columns(const Work& work, Shared& shared, Norms& norms) {
    inner_products(work, shared, [&](int row, int column) { return work.Y[row * column_stride + column]; });
    // A thread a product; sixteen neighbours have a line of them.
    static_assert(threads == panel_columns * panel_columns);
    const int line = static_cast<int>(threadIdx.x) / panel_columns;
    const int column = static_cast<int>(threadIdx.x) % panel_columns;
    const float product = shared.products[line][column];
    float sum_of_line = fabsf(product);
#pragma unroll
    for (int offset = panel_columns / 2; offset > 0; offset /= 2)
        sum_of_line += __shfl_xor_sync(all_lanes, sum_of_line, offset);
    norms.L_norm2 = largest_of_block(static_cast<double>(sum_of_line), shared.doubles);
    norms.length = sum_of_line;
    if (work.shape.robust) {
        const bool is_square = line == column && line < directions;
        norms.shortest2 = -largest_of_block(is_square ? -static_cast<double>(product) : -1e300, shared.doubles);
    }
    const float scale_of_line = line < directions ? shared.scale[line] : 0.0F;
    double small[3] = {line == column ? static_cast<double>(product) : 0.0,
                       static_cast<double>(product) * static_cast<double>(product),
                       column == 0 ? static_cast<double>(scale_of_line) * static_cast<double>(scale_of_line) : 0.0};
    sums_of_block(small, shared.doubles);
    norms.L_squares = small[0];
    norms.LL_squares = small[1];
    norms.scales2 = small[2];
    multiply(work);  // K times the units of L
}

__device__ Norms measure(const Work& work, Shared& shared, const Batch& batch, std::size_t pair) {
    const int Np = work.shape.Np;
    Norms norms{};
    if (batch.leading) measure_columns(work, shared, norms);
    double sums[6] = {};
    for (int i = static_cast<int>(threadIdx.x); i < Np; i += threads) {
        float LKL = 0;
#pragma unroll
        for (int j = 0; j < (batch.leading ? directions : 0); ++j) {
            const float scale = shared.scale[j];
            LKL += scale * scale * __half2float(work.W[j * work.W_stride + i]) * work.Y[i * column_stride + j];
        }
        sums[0] += static_cast<double>(LKL);
        sums[1] += static_cast<double>(__half2float(work.K[static_cast<std::size_t>(i) * Np + i]));
        sums[2] += static_cast<double>(batch.row_rounding2[pair * Np + i]);
    }
    const int tiles = gram_tiles(Np);
    for (int i = static_cast<int>(threadIdx.x); i < tiles; i += threads) {
#pragma unroll
        for (int k = 0; k < 3; ++k) sums[3 + k] += batch.K_squares[(pair * tiles + i) * 3 + k];
    }
    sums_of_block(sums, shared.doubles);
    norms.LKL = sums[0];
    norms.trace = sums[1];
    norms.rounding_Z = sqrt(sums[2]) * 1.001;
    norms.squares = sums[3];
    norms.rounding = sqrt(sums[4]) * 1.001;
    norms.lacking = sqrt(sums[5]) * 1.001;
    return norms;
}

// What the linear screen is made from.
struct LinearFacts {
    double tt, largest_Q, A_error, unit, magnitude;
};

// The head of the panel, and the pair's facts, by all threads alike.
__device__ LinearFacts describe(const Shape& shape, const Norms& norms, const Limbs& limbs_of_c,
                                const PairSource& source, PairFacts& facts, HeadFacts& head) {
    const double N = shape.N;
    // The float32 sums behind the norms are good to a few 1e-6 of what was added up, the product K L to
    // product_rounding of its magnitudes, |K| entry by entry being no longer than the trace.
    // In float32, as E is computed.
    const auto shift = static_cast<double>(
        static_cast<float>(norms.shortest2 > 0 ? middle * norms.shortest2 : (norms.trace - norms.L_squares) / N));
    const double doubt = 1e-5 * (norms.squares + norms.LL_squares + fabs(shift) * (norms.trace + norms.L_squares)) +
                         2 * product_rounding(shape.Np) * norms.trace * norms.L_squares;
    const double squares = norms.squares + norms.LL_squares + N * shift * shift - 2 * norms.LKL -
                           2 * shift * (norms.trace - norms.L_squares) + doubt;
    const double remainder = sqrt(fmax(squares, 0.0));
    const double norm = norms.L_norm2 * (1 + 1e-6 * (shape.Np + 16)) + fabs(shift) + remainder;
    // Z in half precision, or in two parts of it: K - Z' Z'^T = Z D^T + D Z'^T with |D|_F as measured, and the float32
    // of its computing. The products with the second part, 2^-11 of the others, come first, and add less than 1% to
    // that.
    const double length = sqrt(shape.blocks ? facts.c2 : N);  // bound of that of all rows
    const double D = norms.rounding_Z + 2e-6 * length;
    // What the product of two second parts would have added is at most the square of the first's rounding.
    const double rest2 = shape.precise ? 0x1p-21 * norms.trace : 0.0;
    // Each matrix instruction rounds in units of the sum so far, of some columns, and of what it adds. The sums of all
    // entries, positive semidefinite and less than K, are no longer than K; what is added has, over all instructions,
    // the magnitudes of the trace.
    const double entries = sqrt(norms.squares) + 0x1p-8 * norms.trace;  // with the products of the second part
    const double of_sums = 1.01 * (product_rounding(shape.dp) * entries + 0x1p-21 * norms.trace);
    const double of_product = 2 * sqrt(norm) * D + D * D + of_sums + rest2;
    facts.gram_error[0] = of_product + norms.rounding;
    facts.gram_error[1] = of_product + norms.lacking;
    facts.magnitude = 1.0001 * sqrt(norms.squares) + norms.rounding;
    facts.c_total = limbs_of_c.total;
    facts.c_squares = limbs_of_c.squares;
    facts.shift = shift;
    facts.remainder = remainder;
    facts.L_squares = norms.L_squares;
    // Of each c~: the rounding of the row, and float64's; over a group of rows, by the lengths of the two vectors.
    const double of_row = (source.rounding + 1e-12 * (shape.blocks ? length : 1)) * sqrt(facts.tt);
    facts.c_error = 1.01 * of_row * sqrt(N * (shape.n > shape.m ? shape.n : shape.m));

    const double q2 = static_cast<double>(shape.n) * shape.m / N;
    const double alpha = shape.n / N;
    const double largest_Q = norm * q2;
    // A product and its mean are whole numbers of units up to 127 N, rounded to float32 two or three times.
    const double y_error = sqrt(norms.scales2) * 127.0 * N * 0x1p-22;
    head.mean1 = static_cast<float>(alpha * alpha * facts.tt);
    head.mean2 = static_cast<float>((1 - alpha) * (1 - alpha) * facts.tt);
    head.centre = static_cast<float>(shift * q2);
    head.c_unit = static_cast<float>(limbs_of_c.unit);
    const double Q_error = (shape.robust ? 0.0 : (remainder + facts.gram_error[0]) * q2) +  // robust: remainder.cu
                           2 * sqrt(largest_Q) * y_error + y_error * y_error + 4e-6 * largest_Q +
                           1e-6 * fabs(shift) * q2;
    const double A_error = facts.c_error + limbs_of_c.error + 4e-7 * limbs_of_c.magnitude;
    head.Q_error = static_cast<float>(1.0001 * Q_error);
    head.A_error = static_cast<float>(1.0001 * A_error);
    head.low = static_cast<float>(source.low);
    head.high = static_cast<float>(source.high);
    const double threshold = fmax(isinf(source.low) ? 0 : fabs(source.low), isinf(source.high) ? 0 : fabs(source.high));
    head.slack = static_cast<float>(5e-6 + 2e-7 * threshold);
    return {facts.tt, (norm + facts.gram_error[0]) * q2, 1.0001 * A_error, limbs_of_c.unit, limbs_of_c.magnitude};
}

// How far off the sums of squares of the robust statistic can be, as screen_robust.cu computes them, and what it does
// not see; remainder.cu adds the most of that. c~ counts as what it is in float64: what that is off goes with the
// unseen.
__device__ void describe_spread(const Shape& shape, const Norms& norms, const Limbs& limbs_of_c, const Cross& cross,
                                const PairFacts& facts, RobustHead& head) {
    const double N = shape.N;
    const double q2 = static_cast<double>(shape.n) * shape.m / N;
    const double per_row = 1.0 / (shape.n < shape.m ? shape.n : shape.m);
    const double c_length = sqrt(limbs_of_c.squares);
    const double A = c_length * sqrt(q2);  // that it can be at most, and so on
    const double A_off = limbs_of_c.error + 4e-7 * limbs_of_c.magnitude + fabs(limbs_of_c.total);
    const double y = 1.0001 * sqrt(norms.L_norm2 * q2);
    const double y_off = sqrt(norms.scales2) * 127.0 * N * 0x1p-22;
    const double total = sqrt(cross.totals2);
    const double sum = y * (y + total);  // of L y over a group
    const double sum_off = y_off * (y + total) + 2e-6 * sum;
    const double product = c_length * sqrt(norms.L_squares);  // c~ L y at most, for each unit of |y|
    const double of_c = cross.c2_error + 4e-7 * limbs_of_c.squares + per_row * A_off * (3 * A + A_off);
    const double of_means = 2 * per_row * (A * sum_off + A_off * (sum + y * total));
    head.c2_unit = static_cast<float>(cross.c2_unit);
    head.c2_total = static_cast<float>(limbs_of_c.squares);
    head.V_error = static_cast<float>(1.0001 * (of_c + of_means + 8e-6 * (limbs_of_c.squares + y * product)));
    const double of_columns = cross.off * sqrt(q2) + sqrt(cross.scales2) * 127.0 * N * 0x1p-22 + 4e-6 * product;
    head.V_error_y = static_cast<float>(1.0001 * 2 * of_columns);
    head.unseen = static_cast<float>(
        1.0001 * (sqrt(norms.L_norm2) * y_off + 2 * facts.c_error / sqrt(static_cast<double>(shape.n))));
}

// The verdict on every split with this A, whatever its Q.
__device__ Verdict judge_linear(const Sizes<double>& sizes, const LinearFacts& facts, const PairSource& source,
                                double A) {
    Estimate<double> estimate{};
    const double Q = facts.largest_Q / 2;
    estimate.S1 = sizes.alpha * sizes.alpha * facts.tt + 2 * sizes.alpha * A + Q;
    estimate.S2 = sizes.beta * sizes.beta * facts.tt - 2 * sizes.beta * A + Q;
    estimate.from_Q = Q;
    estimate.from_A1 = 2 * sizes.alpha * facts.A_error;
    estimate.from_A2 = 2 * sizes.beta * facts.A_error;
    return judge<false>(sizes, estimate, Thresholds<double>{source.low, source.high}, 1e-8);
}

// About the A at which the difference of the log breadths is `wanted`, Q being in the middle. Only a guess, in float32.
__device__ double find_A(const Sizes<double>& sizes, const LinearFacts& facts, double wanted) {
    const auto d = static_cast<float>(sizes.d);
    double A = 0;
    for (int step = 0; step < 3; ++step) {
        const double Q = facts.largest_Q / 2;
        const double S1 = sizes.alpha * sizes.alpha * facts.tt + 2 * sizes.alpha * A + Q;
        const double S2 = sizes.beta * sizes.beta * facts.tt - 2 * sizes.beta * A + Q;
        const auto R1 = static_cast<float>(sizes.factor1 * S1);
        const auto R2 = static_cast<float>(sizes.factor2 * S2);
        const float difference = 0.5F * logf(R2 / R1) + logf((d - R2) * (1 - R1) / ((d - R1) * (1 - R2)));
        const float slope1 = 0.5F / R1 - 1 / (d - R1) + 1 / (1 - R1);
        const float slope2 = 0.5F / R2 - 1 / (d - R2) + 1 / (1 - R2);
        A += (static_cast<double>(difference) - wanted) /
             (2 * sizes.alpha * sizes.factor1 * static_cast<double>(slope1) +
              2 * sizes.beta * sizes.factor2 * static_cast<double>(slope2));
    }
    return A;
}

// The nearest of 32 values beyond A, on the side of `direction`, at which the verdict is `wanted`; infinitely far if
// there is none. The difference of the log breadths falls as A grows, whatever Q is, so that the verdict holds for all
// that lies further.
__device__ double nearest(const Sizes<double>& sizes, const LinearFacts& facts, const PairSource& source, double A,
                          double direction, Verdict wanted) {
    const auto distance = static_cast<double>(exp2f(0.5F * static_cast<float>(threadIdx.x % 32)));
    const double candidate = A + direction * facts.magnitude * 1e-5 * distance;
    const unsigned found = __ballot_sync(all_lanes, judge_linear(sizes, facts, source, candidate) == wanted);
    const double value = __shfl_sync(all_lanes, candidate, found == 0 ? 0 : __ffs(static_cast<int>(found)) - 1);
    return found == 0 || !isfinite(value) ? direction * static_cast<double>(INFINITY) : value;
}

// What A alone decides, by four warps: each finds one end of what is certain.
__device__ void bound_linear(const Shape& shape, const LinearFacts& facts, const PairSource& source, LinearHead& head) {
    const Sizes<double> sizes = sizes_of<double>(shape.n, shape.m, shape.d, false);
    // The upper threshold of the statistic is reached at a low A: exceeding up to yes_below, not from no_from on.
    const int warp = static_cast<int>(threadIdx.x / 32);
    const bool upper = warp < 2;
    const bool below = warp == 0 || warp == 2;
    const double threshold = upper ? source.high : source.low;
    double end = below ? -static_cast<double>(INFINITY) : static_cast<double>(INFINITY);
    if (isinf(threshold)) {
        // No such threshold: nothing exceeds there, everything beyond it does not.
        end = upper ? -static_cast<double>(INFINITY) : static_cast<double>(INFINITY);
    } else {
        const double A = find_A(sizes, facts, threshold);
        end = nearest(sizes, facts, source, A, below ? -1 : 1, upper == below ? yes : no);
    }
    if (threadIdx.x % 32 != 0) return;
    const double units = end / facts.unit;
    float* const ends[4] = {&head.yes_below, &head.no_from, &head.no_to, &head.yes_above};
    *ends[warp] = below ? __double2float_rd(units) : __double2float_ru(units);
}

// L: two steps of subspace iteration, and the rounding to int8.
template <bool robust>
__device__ void find_columns(const Work& work, Shared& shared, std::int8_t* columns) {
    for (int step = 0; step < power_steps; ++step) {
        if (step > 0) multiply(work);
        orthonormalise(work, shared);
    }
    multiply(work);
    inner_products(work, shared,
                   [&](int row, int column) { return __half2float(work.W[column * work.W_stride + row]); });
    factor(shared);
    make_columns(work, shared);
    round_columns<robust>(work, shared, columns);
}

template <bool robust>
__global__ void __launch_bounds__(threads, robust ? 2 : 3) leading_kernel(Batch batch) {
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ Shared shared;
    if (block_is_stopped(batch.stop)) return;
    const Shape& shape = batch.shape;
    const std::size_t pair = blockIdx.x;
    const bool in_shared = shape.Np <= rows_in_shared;
    const int W_stride = shape.Np + 8;
    auto* room = reinterpret_cast<float*>(memory);
    const Work work{shape, batch.K + pair * shape.Np * shape.Np,
                    in_shared ? room : batch.columns + pair * shape.Np * column_stride,
                    in_shared ? reinterpret_cast<__half*>(room + shape.Np * column_stride)
                              : batch.basis + pair * panel_columns * W_stride,
                    W_stride};
    unsigned char* panel = batch.panels + pair * batch.panel_bytes;
    unsigned char* linear = batch.linear + pair * batch.linear_bytes;
    using Head = std::conditional_t<robust, RobustHead, PanelHead>;
    auto& head = *reinterpret_cast<Head*>(panel);
    auto* columns = reinterpret_cast<std::int8_t*>(panel + sizeof(Head));

    start(work);
    multiply(work);
    keep_sums(work, shared, batch, pair);
    if (batch.leading) find_columns<robust>(work, shared, columns);
    const double* c = batch.c + pair * shape.Np;
    const Limbs limbs_of_c =
        add_limbs<robust>(shape, shared, c, columns, reinterpret_cast<std::int8_t*>(linear + sizeof(LinearHead)));
    Cross cross{};
    if constexpr (robust)
        if (batch.leading) cross = add_cross(work, shared, c, limbs_of_c, columns, head);
    const Norms norms = measure(work, shared, batch, pair);
    if (batch.leading && threadIdx.x < panel_columns) {
        const auto j = threadIdx.x;
        const bool is_direction = j < directions;
        const double scale = is_direction ? static_cast<double>(shared.scale[j]) : 0.0;
        head.scale[j] = static_cast<float>(scale);
        head.shift[j] = is_direction ? static_cast<float>(scale * shared.sums[j] * shape.n / shape.N) : 0.0F;
    }
    if constexpr (robust)
        if (threadIdx.x % panel_columns == 0)
            head.length[threadIdx.x / panel_columns] = norms.length * (1 + 1e-6F * static_cast<float>(shape.Np + 32));
    if (threadIdx.x >= 4 * 32) return;
    const PairSource& source = batch.source[pair];
    const LinearFacts facts = describe(shape, norms, limbs_of_c, source, batch.facts[pair], head);
    if constexpr (robust)
        describe_spread(shape, norms, limbs_of_c, cross, batch.facts[pair], head);
    else
        bound_linear(shape, facts, source, *reinterpret_cast<LinearHead*>(linear));
}

}  // namespace

void find_leading(const Batch& batch, cudaStream_t stream) {
    const Shape& shape = batch.shape;
    const int row_bytes = column_stride * 4 + panel_columns * 2;
    const int bytes = shape.Np <= rows_in_shared ? shape.Np * row_bytes + panel_columns * 8 * 2 : 0;
    launch("find_leading", shape.robust ? leading_kernel<true> : leading_kernel<false>, batch.pairs, threads,
           static_cast<std::size_t>(bytes), stream, batch);
}

}  // namespace wordbreadth::engine::cuda
