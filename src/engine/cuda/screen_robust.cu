// The robust statistic's first screen: leading columns of K, in int8.
//
// t = difference / D, and D hardly varies: by 1.3% of itself over the splits of the benchmark's pairs of 100 + 100
// rows. So a rough D decides most splits. With e = K q = L y + shift q + E q, the groups' variances are those of alpha
// c~ + L y and beta c~ - L y, which are linear in z once y = L^T q is known: c~ and its squares, and c~ L. What is not
// seen of them, E q, is no longer than |E| |q|; q itself is the same throughout a group, and its shift falls out.
//
// A warp takes 32 splits of one pair, as in the screen by leading columns (screen_int8.cu), with 32 columns instead of
// sixteen. The panel of the pair is read again for every 32 splits, through the first cache.
//
// Measured on an H200: 0.39 ms for 300 tests of 100 + 100 rows, most of it after the products.
#include <algorithm>

#include "engine/cuda/device.cuh"

namespace wordbreadth::engine::cuda {
namespace {

constexpr int threads = 256;

struct RobustSettings : Step {
    Sizes<float> sizes;
};

// From the products of four splits, this thread's columns of them, to the sums of the split that is its own.
__device__ inline LeadingSums<float> add_columns(const RobustHead& head, const int (&products)[2][4][4], int t) {
    float yy[4] = {}, length2[4] = {}, total[4] = {}, cross[4] = {}, cross_total[4] = {}, A[4] = {}, c2[4] = {};
#pragma unroll
    for (int j = 0; j < 2; ++j)
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            const int column = 8 * j + 2 * t + k;
            const float scale = head.scale[column];
            const float shift = head.shift[column];
            const float scale_cross = head.scale[panel_columns + column];
            const float shift_cross = head.shift[panel_columns + column];
            const float length = head.length[column];
            const float of_total = head.total[column];
            const float of_cross_total = head.cross_total[column];
            const float weight = limb_weight(column);
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const auto product = static_cast<float>(products[i / 2][j][2 * (i % 2) + k]);
                const auto with_c = static_cast<float>(products[i / 2][2 + j][2 * (i % 2) + k]);
                const float y = fmaf(scale, product, -shift);
                const float square = y * y;
                yy[i] += square;
                length2[i] = fmaf(length, square, length2[i]);
                total[i] = fmaf(of_total, y, total[i]);
                cross[i] = fmaf(y, fmaf(scale_cross, with_c, -shift_cross), cross[i]);
                cross_total[i] = fmaf(of_cross_total, y, cross_total[i]);
                if (j == 1) A[i] = fmaf(weight, product, A[i]);
                if (j == 1) c2[i] = fmaf(weight, with_c, c2[i]);
            }
        }
    return {.A = share_sums(A, t) * head.c_unit,
            .c2 = share_sums(c2, t) * head.c2_unit,
            .yy = share_sums(yy, t),
            .length2 = share_sums(length2, t),
            .total = share_sums(total, t),
            .cross = share_sums(cross, t),
            .cross_total = share_sums(cross_total, t)};
}

__device__ inline Verdict judge_sums(const Sizes<float>& sizes, const RobustHead& head,
                                     const LeadingSums<float>& sums) {
    const float Q = sums.yy + head.centre;
    const float A1 = 2 * sizes.alpha * sums.A;
    const float A2 = 2 * sizes.beta * sums.A;
    Estimate<float> estimate{};
    estimate.S1 = head.mean1 + A1 + Q;
    estimate.S2 = head.mean2 - A2 + Q;
    estimate.from_Q = head.Q_error;
    // Beside the error of A, a few roundings of everything that is added up.
    estimate.from_A1 = 2 * sizes.alpha * head.A_error + 6e-7F * (head.mean1 + fabsf(A1) + fabsf(Q));
    estimate.from_A2 = 2 * sizes.beta * head.A_error + 6e-7F * (head.mean2 + fabsf(A2) + fabsf(Q));
    // A small R would be what is left of a difference: not in float32.
    constexpr float least = 0.05F;
    if (!(sizes.factor1 * estimate.S1 - sizes.offset1 > least && sizes.factor2 * estimate.S2 - sizes.offset2 > least))
        return undecided;
    add_leading_spread(sizes, sums, head.c2_total, head.V_error + head.V_error_y * sqrtf(sums.yy), estimate);
    estimate.unseen = head.unseen;
    return judge<true>(sizes, estimate, Thresholds<float>{head.low, head.high}, head.slack);
}

__global__ void __launch_bounds__(threads, 2) robust_kernel(const __grid_constant__ RobustSettings settings) {
    const Chunk& chunk = settings.chunk;
    const int pair = settings.active.pairs[blockIdx.y];
    const unsigned char* panel = settings.batch.panels + pair * settings.batch.panel_bytes;
    const RobustHead& head = *reinterpret_cast<const RobustHead*>(panel);
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int g = lane / 4;
    const int t = lane % 4;
    const unsigned char* columns = panel + sizeof(RobustHead) + lane * 16;
    for (int first = static_cast<int>(blockIdx.x * threads + threadIdx.x / 32 * 32); first < chunk.capacity;
         first += static_cast<int>(gridDim.x) * threads) {
        int products[2][4][4] = {};  // (m, columns / 8)
        const int words = first < chunk.count ? settings.batch.shape.words : 0;
#pragma unroll 2
        for (int word = 0; word < words; ++word) {
            const uint4 low = *reinterpret_cast<const uint4*>(columns + word * 2 * panel_word_bytes);
            const uint4 high = *reinterpret_cast<const uint4*>(columns + (word * 2 + 1) * panel_word_bytes);
            const std::uint32_t* bits = chunk.bits + static_cast<std::size_t>(word) * chunk.capacity + first;
#pragma unroll
            for (int m = 0; m < 2; ++m) {
                std::uint32_t masks[4];
                spread(masks, bits[split_of_row(g, m, 0)], bits[split_of_row(g, m, 1)], t);
                multiply_bytes(products[m][0], masks, low.x, low.y);
                multiply_bytes(products[m][1], masks, low.z, low.w);
                multiply_bytes(products[m][2], masks, high.x, high.y);
                multiply_bytes(products[m][3], masks, high.z, high.w);
            }
        }
        const Verdict verdict = judge_sums(settings.sizes, head, add_columns(head, products, t));
        const bool real = first + lane < chunk.count;
        const unsigned exceeds = __ballot_sync(all_lanes, real && verdict == yes);
        const unsigned open = __ballot_sync(all_lanes, real && verdict == undecided);
        const std::size_t word = static_cast<std::size_t>(pair) * (chunk.capacity / 32) + first / 32;
        if (lane == 0) chunk.flags[word] = exceeds;
        if (lane == 1) chunk.open[word] = open;
    }
}

}  // namespace

void screen_robust(const Batch& batch, const Active& active, const Chunk& chunk, cudaStream_t stream) {
    const Shape& shape = batch.shape;
    const RobustSettings settings{{batch, active, chunk}, sizes_of<float>(shape.n, shape.m, shape.d, true)};
    const int all = chunk.capacity / threads;
    // Enough blocks to fill the device several times, each with a few rounds for its panel to stay in the cache.
    const int blocks = std::clamp(4096 / active.count, 1, all);
    launch("screen_robust", robust_kernel, dim3(blocks, active.count), threads, 0, stream, settings);
}

}  // namespace wordbreadth::engine::cuda
