// For the screen of the robust statistic: how far E = K - L L^T - shift, what the leading columns leave of K, can move
// a split. An error of K q nearly cancels nowhere in the variances, so that the Frobenius norm, which the plain
// statistic makes do with, would leave two splits in three.
//
// |E| is at most the eighth root of tr E^8, which is the Frobenius norm of E^4: two squares on the matrix units. With
// the shift in the middle of the eigenvalues it is about 0.7 of the largest of K - L L^T, five times less than the
// Frobenius norm of E; half of the largest would be the best that any bound by norms can do.
#include <cmath>

#include "engine/cuda/device.cuh"

namespace wordbreadth::engine::cuda {
namespace {

constexpr int threads = 256;
constexpr int tile = 64;  // rows and columns of E that a block makes

// L of 64 rows, from the panel.
__device__ inline void load_rows(const Shape& shape, const unsigned char* panel, int first,
                                 float (&L)[directions][tile]) {
    const RobustHead& head = *reinterpret_cast<const RobustHead*>(panel);
    const auto* columns = reinterpret_cast<const std::int8_t*>(panel + sizeof(RobustHead));
    for (int index = static_cast<int>(threadIdx.x); index < tile * directions; index += threads) {
        const int row = first + index % tile;
        const int j = index / tile;
        L[j][index % tile] =
            row < shape.Np ? head.scale[j] * static_cast<float>(columns[panel_place<true>(row, j)]) : 0.0F;
    }
}

// E in half precision, with zeros beyond the last row. A thread has four columns of four rows.
__global__ void __launch_bounds__(threads) remainder_kernel(Batch batch, int Ep) {
    __shared__ __align__(16) float rows[directions][tile];
    __shared__ __align__(16) float columns[directions][tile];
    const Shape& shape = batch.shape;
    const std::size_t pair = blockIdx.y;
    const int tiles = Ep / tile;
    const int first_row = static_cast<int>(blockIdx.x) / tiles * tile;
    const int first_column = static_cast<int>(blockIdx.x) % tiles * tile;
    const unsigned char* panel = batch.panels + pair * batch.panel_bytes;
    load_rows(shape, panel, first_row, rows);
    load_rows(shape, panel, first_column, columns);
    __syncthreads();
    const int of_row = static_cast<int>(threadIdx.x) / (tile / 4) * 4;
    const int of_column = static_cast<int>(threadIdx.x) % (tile / 4) * 4;
    float values[4][4] = {};
#pragma unroll
    for (int j = 0; j < directions; ++j) {
        const float4 a = *reinterpret_cast<const float4*>(&rows[j][of_row]);
        const float4 b = *reinterpret_cast<const float4*>(&columns[j][of_column]);
        const float a4[4] = {a.x, a.y, a.z, a.w};
        const float b4[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
            for (int k = 0; k < 4; ++k) values[i][k] -= a4[i] * b4[k];
    }
    const auto shift = static_cast<float>(batch.facts[pair].shift);
    const int column = first_column + of_column;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int row = first_row + of_row + i;
        const bool there = row < shape.Np && column < shape.Np;  // Np is a multiple of 32
        const __half* K = batch.K + (pair * shape.Np + (there ? row : 0)) * shape.Np + (there ? column : 0);
        const uint2 four = there ? *reinterpret_cast<const uint2*>(K) : make_uint2(0, 0);
        const auto* of_K = reinterpret_cast<const __half*>(&four);
        __align__(8) __half out[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const float diagonal = row == column + k && row < shape.N ? shift : 0.0F;
            out[k] = __float2half_rn(there ? (__half2float(of_K[k]) + values[i][k]) - diagonal : 0.0F);
        }
        *reinterpret_cast<uint2*>(batch.E + (pair * Ep + row) * Ep + column) = *reinterpret_cast<const uint2*>(out);
    }
}
static_assert(tile * tile == threads * 16);

struct Squares {
    double values, rounding;
};

__device__ Squares sum_squares(const double* squares, std::size_t pair, int tiles) {
    Squares sums{};
    for (int i = static_cast<int>(threadIdx.x); i < tiles; i += 32) {
        sums.values += squares[(pair * tiles + i) * 3];
        sums.rounding += squares[(pair * tiles + i) * 3 + 1];
    }
    return {sum_of_warp(sums.values), sum_of_warp(sums.rounding)};
}

// From the Frobenius norms of E^2 and E^4, as they were computed, to that of E; a warp per pair. A square lacks what
// float32 takes in adding up, in units of the squared Frobenius norm of its factor, and what half precision takes,
// which was measured. Where half precision has no room the sums are infinite or no numbers, and the Frobenius norm is
// left.
__global__ void bound_kernel(Batch batch, int Ep) {
    const Shape& shape = batch.shape;
    const std::size_t pair = blockIdx.x;
    const int tiles = gram_tiles(Ep);
    const Squares second = sum_squares(batch.E_squares, pair, tiles);
    const Squares fourth =
        sum_squares(batch.E_squares + static_cast<std::size_t>(batch.pairs) * tiles * 3, pair, tiles);
    if (threadIdx.x != 0) return;
    const PairFacts& facts = batch.facts[pair];
    // E itself: thirteen products in float32, and the rounding to half precision.
    const double of_E = 1.01 * 0x1p-11 * facts.remainder + 0x1p-24 * Ep + 2e-6 * facts.L_squares;
    const double length = facts.remainder + of_E;
    const double of_sums = product_rounding(Ep);
    const double length2 = 1.0001 * sqrt(second.values);
    const double norm4 = 1.0001 * sqrt(fourth.values) + 1.001 * sqrt(fourth.rounding) + of_sums * length2 * length2;
    const double norm2 = sqrt(norm4) + 1.001 * sqrt(second.rounding) + of_sums * length * length;
    const double radius = fmin(facts.remainder, sqrt(norm2) + of_E) + facts.gram_error[0];
    const double q2 = static_cast<double>(shape.n) * shape.m / shape.N;
    auto& head = *reinterpret_cast<RobustHead*>(batch.panels + pair * batch.panel_bytes);
    head.Q_error += static_cast<float>(1.0001 * radius * q2);
    head.unseen += static_cast<float>(1.0001 * radius * sqrt(q2));
}

}  // namespace

void bound_remainder(const Batch& batch, cudaStream_t stream) {
    const int Ep = tiled_rows(batch.shape.Np);
    const std::size_t all =
        static_cast<std::size_t>(batch.pairs) * static_cast<std::size_t>(Ep) * static_cast<std::size_t>(Ep);
    const std::size_t sums = static_cast<std::size_t>(batch.pairs) * static_cast<std::size_t>(gram_tiles(Ep)) * 3;
    launch("bound_remainder", remainder_kernel, dim3((Ep / tile) * (Ep / tile), batch.pairs), threads, 0, stream, batch,
           Ep);
    square(batch, Ep, batch.E, batch.E + all, batch.E_squares, stream);
    square(batch, Ep, batch.E + all, nullptr, batch.E_squares + sums, stream);
    launch("bound_remainder", bound_kernel, batch.pairs, 32, 0, stream, batch, Ep);
}

}  // namespace wordbreadth::engine::cuda
