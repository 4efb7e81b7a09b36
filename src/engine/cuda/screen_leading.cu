// The second screen: the splits that A leaves open against the leading columns of K, in int8.
//
// A warp takes 32 splits of one pair. The four threads that share a split's 16 columns add up their squares so that
// each ends with one split of its own, and judge it in float32.
#include "engine/cuda/device.cuh"
#include "engine/cuda/kernels.h"
#include "engine/cuda/lists.cuh"
#include "engine/cuda/runtime.h"
#include "engine/verdict.h"

namespace wordbreadth::engine::cuda {
namespace {

constexpr int threads = 256;
constexpr int words_of_block = 128;  // splits / 32
static_assert(words_of_block <= threads && words_of_block * 32 <= 65536);

struct Settings {
    Batch batch;
    Active active;
    Chunk chunk;
    Sizes<float> sizes;
    int to;
};

// Four threads t = 0 .. 3 hold parts of four sums; afterwards thread t has the whole of sum t.
__device__ inline float share_sums(const float (&parts)[4], int t) {
    const bool upper = (t & 2) != 0;
    const float keep0 = upper ? parts[2] : parts[0];
    const float keep1 = upper ? parts[3] : parts[1];
    const float sum0 = keep0 + __shfl_xor_sync(all_lanes, upper ? parts[0] : parts[2], 2);
    const float sum1 = keep1 + __shfl_xor_sync(all_lanes, upper ? parts[1] : parts[3], 2);
    const bool odd = (t & 1) != 0;
    return (odd ? sum1 : sum0) + __shfl_xor_sync(all_lanes, odd ? sum0 : sum1, 1);
}

// From the products of four splits, this thread's columns of them, to the verdict on the split that is its own.
__device__ inline Verdict judge_products(const Sizes<float>& sizes, const PanelHead& head,
                                         const int (&products)[2][2][4], int t) {
    float squares[4] = {};
    float linear[4] = {};
#pragma unroll
    for (int j = 0; j < 2; ++j)
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const int column = 8 * j + 2 * t + k;
            const float scale = head.scale[column];
            const float shift = head.shift[column];
            // The limbs: 13, 14, 15.
            const float weight = column == 13 ? 65536.0F : column == 14 ? 256.0F : column == 15 ? 1.0F : 0.0F;
#pragma unroll
            for (int m = 0; m < 2; ++m)
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                    const auto product = static_cast<float>(products[m][j][2 * h + k]);
                    const float y = fmaf(scale, product, -shift);
                    squares[2 * m + h] = fmaf(y, y, squares[2 * m + h]);
                    if (j == 1) linear[2 * m + h] = fmaf(weight, product, linear[2 * m + h]);
                }
        }
    const float Q = share_sums(squares, t) + head.centre;
    const float A = share_sums(linear, t) * head.c_unit;
    const float A1 = 2 * sizes.alpha * A;
    const float A2 = 2 * sizes.beta * A;
    Estimate<float> estimate{};
    estimate.S1 = head.mean1 + A1 + Q;
    estimate.S2 = head.mean2 - A2 + Q;
    estimate.from_Q = head.Q_error;
    // Beside the error of A, a few roundings of everything that is added up.
    estimate.from_A1 = 2 * sizes.alpha * head.A_error + 6e-7F * (head.mean1 + fabsf(A1) + fabsf(Q));
    estimate.from_A2 = 2 * sizes.beta * head.A_error + 6e-7F * (head.mean2 + fabsf(A2) + fabsf(Q));
    return judge<false>(sizes, estimate, Thresholds<float>{head.low, head.high}, head.slack);
}

// The places of the open splits of a stretch, in shared memory; returns how many.
__device__ int gather(const Chunk& chunk, int pair, int first_word, std::uint16_t* places) {
    __shared__ int sums[threads / 32];
    const int word = first_word + static_cast<int>(threadIdx.x);
    const bool there = threadIdx.x < words_of_block && word < chunk.capacity / 32;
    std::uint32_t bits = there ? chunk.open[static_cast<std::size_t>(pair) * (chunk.capacity / 32) + word] : 0U;
    const int mine = __popc(bits);
    int before = mine;  // of this warp's threads up to this one
#pragma unroll
    for (int offset = 1; offset < 32; offset *= 2) {
        const int other = __shfl_up_sync(all_lanes, before, offset);
        if (static_cast<int>(threadIdx.x % 32) >= offset) before += other;
    }
    if (threadIdx.x % 32 == 31) sums[threadIdx.x / 32] = before;
    __syncthreads();
    int at = before - mine;
    int total = 0;
#pragma unroll
    for (int warp = 0; warp < threads / 32; ++warp) {
        at += warp < static_cast<int>(threadIdx.x / 32) ? sums[warp] : 0;
        total += sums[warp];
    }
    for (; bits != 0; bits &= bits - 1)
        places[at++] = static_cast<std::uint16_t>(threadIdx.x * 32 + __ffs(static_cast<int>(bits)) - 1);
    __syncthreads();
    return total;
}

__global__ void __launch_bounds__(threads) leading_screen_kernel(const __grid_constant__ Settings settings) {
    __shared__ std::uint16_t places[words_of_block * 32];
    const Chunk& chunk = settings.chunk;
    const int pair = settings.active.pairs[blockIdx.y];
    const int first_word = static_cast<int>(blockIdx.x) * words_of_block;
    const int count = gather(chunk, pair, first_word, places);
    const unsigned char* panel = settings.batch.panels + pair * settings.batch.panel_bytes;
    const PanelHead& head = *reinterpret_cast<const PanelHead*>(panel);
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int g = lane / 4;
    const int t = lane % 4;
    for (int first = static_cast<int>(threadIdx.x / 32 * 32); first < count; first += threads) {
        const auto place_of = [&](int i) { return first_word * 32 + places[min(first + i, count - 1)]; };
        int products[2][2][4] = {};  // (m, columns / 8)
#pragma unroll 2
        for (int word = 0; word < settings.batch.shape.words; ++word) {
            const uint4 b =
                *reinterpret_cast<const uint4*>(panel + sizeof(PanelHead) + word * panel_word_bytes + lane * 16);
            const std::uint32_t* bits = chunk.bits + static_cast<std::size_t>(word) * chunk.capacity;
#pragma unroll
            for (int m = 0; m < 2; ++m) {
                std::uint32_t masks[4];
                spread(masks, bits[place_of(split_of_row(g, m, 0))], bits[place_of(split_of_row(g, m, 1))], t);
                multiply_bytes(products[m][0], masks, b.x, b.y);
                multiply_bytes(products[m][1], masks, b.z, b.w);
            }
        }
        const Verdict verdict = judge_products(settings.sizes, head, products, t);
        if (first + lane < count) settle(chunk, pair, place_of(lane), verdict, settings.to);
    }
}

}  // namespace

void screen_leading(const Batch& batch, const Active& active, const Chunk& chunk, int to, cudaStream_t stream) {
    const Shape& shape = batch.shape;
    const Settings settings{batch, active, chunk, sizes_of<float>(shape.n, shape.m, shape.d, false), to};
    const int blocks = (chunk.capacity / 32 + words_of_block - 1) / words_of_block;
    leading_screen_kernel<<<dim3(blocks, active.count), threads, 0, stream>>>(settings);
    check_launch("screen_leading");
}

}  // namespace wordbreadth::engine::cuda
