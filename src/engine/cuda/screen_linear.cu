// The first screen: what is linear in a split, A = z . c~, decides nearly all of them.
//
// Q = q^T K q lies between 0 and |K| |q|^2, and moves both groups alike: for equal sizes the window of A in which Q
// matters at all is about as wide as one split in fifty (leading.cu proves it, pair by pair). The product of masks and
// limbs is exact in int8; two pairs share a matrix instruction.
//
// A warp keeps 32 splits in registers, as the instruction wants them, and meets one pair of pairs after the other.
#include <algorithm>

#include "engine/cuda/device.cuh"
#include "engine/cuda/kernels.h"
#include "engine/cuda/lists.cuh"
#include "engine/cuda/runtime.h"

namespace wordbreadth::engine::cuda {
namespace {

constexpr int splits_of_block = 256;
constexpr int stage_room = 12 * 1024;  // bytes of a stage, if more than two panels fit
constexpr int most_words = 8;          // that a warp keeps in registers

struct Settings {
    Batch batch;
    Active active;
    Chunk chunk;
    int pairs_of_block;
    int stage_pairs;  // that come to shared memory together; even
};

// Panels `first` to `first + stage_pairs - 1` of the active pairs, as far as there are any before `end`.
__device__ inline void copy_panels(const Settings& settings, int first, int end, unsigned char* to) {
    const auto bytes = static_cast<int>(settings.batch.linear_bytes);
    const int pieces = bytes / 16;
    const int count = min(settings.stage_pairs, end - first);
    for (int i = static_cast<int>(threadIdx.x); i < count * pieces; i += splits_of_block) {
        const int index = i / pieces;
        const int at = i % pieces * 16;
        const unsigned char* from =
            settings.batch.linear + settings.active.pairs[first + index] * settings.batch.linear_bytes + at;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                         static_cast<std::uint32_t>(__cvta_generic_to_shared(to + index * bytes + at))),
                     "l"(from));
    }
    asm volatile("cp.async.commit_group;");
}

// Thread t has limbs 2 t and 2 t + 1 of eight columns: a, b and c, 0 of the first pair, then of the second. Of its four
// splits, an even thread ends with A of the first two, its odd neighbour with A of the others.
__device__ inline void share_limbs(const int (&products)[2][4], int t, float (&A)[2]) {
    float parts[4];
#pragma unroll
    for (int m = 0; m < 2; ++m)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const auto low = static_cast<float>(products[m][2 * h]);
            const auto high = static_cast<float>(products[m][2 * h + 1]);
            parts[2 * m + h] = t % 2 == 0 ? fmaf(65536.0F, low, 256.0F * high) : low;
        }
    const bool odd = t % 2 != 0;
#pragma unroll
    for (int k = 0; k < 2; ++k)
        A[k] = (odd ? parts[2 + k] : parts[k]) + __shfl_xor_sync(all_lanes, odd ? parts[k] : parts[2 + k], 1);
}

// Bits of two ballots, thread 4 g + t having splits 4 g + 2 t and 4 g + 2 t + 1 of a pair, in the order of the splits.
__device__ inline unsigned in_order(unsigned first, unsigned second) {
    return (first & 0x11111111U) | (second & 0x11111111U) << 1 | (first & 0x22222222U) << 1 |
           (second & 0x22222222U) << 2;
}

// The four words of a pair of pairs, each by a thread of its own: flags and open splits of the first, then of the
// second.
//
// Tried and dropped: adding the open splits to a list here. Half of the warps waited for an atomic addition every time.
__device__ inline void store_words(const Chunk& chunk, int first, int pair, const unsigned (&exceeds)[2],
                                   const unsigned (&open)[2], bool two) {
    const int rest = chunk.count - first;
    const unsigned real = rest >= 32 ? all_lanes : rest <= 0 ? 0U : (1U << rest) - 1;
    const auto lane = threadIdx.x % 32;
    const int shift = lane < 2 ? 0 : 2;
    const bool is_open = lane % 2 != 0;
    const unsigned word =
        in_order((is_open ? open[0] : exceeds[0]) >> shift, (is_open ? open[1] : exceeds[1]) >> shift);
    std::uint32_t* words = is_open ? chunk.open : chunk.flags;
    if (lane < (two ? 4U : 2U))
        words[static_cast<std::size_t>(pair) * (chunk.capacity / 32) + first / 32] = word & real;
}

// words > 0: masks of at most that many words stay in registers; 0: any number, spread anew for every pair.
template <int words>
__global__ void __launch_bounds__(splits_of_block) linear_kernel(const __grid_constant__ Settings settings) {
    extern __shared__ __align__(128) unsigned char memory[];
    const Chunk& chunk = settings.chunk;
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int g = lane / 4;
    const int t = lane % 4;
    const int first = static_cast<int>(blockIdx.x) * splits_of_block + static_cast<int>(threadIdx.x / 32) * 32;
    const int begin = static_cast<int>(blockIdx.y) * settings.pairs_of_block;
    const int end = min(begin + settings.pairs_of_block, settings.active.count);
    const int word_count = settings.batch.shape.words;
    const auto bytes = static_cast<int>(settings.batch.linear_bytes);
    const auto word_of = [&](int m, int h, int word) {
        return chunk.bits[static_cast<std::size_t>(word) * chunk.capacity + first + split_of_row(g, m, h)];
    };

    std::uint32_t masks[words > 0 ? words : 1][2][4];
    if constexpr (words > 0) {
#pragma unroll
        for (int word = 0; word < words; ++word)
#pragma unroll
            for (int m = 0; m < 2; ++m) {
                const bool there = word < word_count;
                spread(masks[word][m], there ? word_of(m, 0, word) : 0U, there ? word_of(m, 1, word) : 0U, t);
                keep_in_registers(masks[word][m]);
            }
    }
    copy_panels(settings, begin, end, memory);
    for (int first_of_stage = begin, stage = 0; first_of_stage < end;
         first_of_stage += settings.stage_pairs, stage ^= 1) {
        asm volatile("cp.async.wait_group 0;");
        __syncthreads();
        copy_panels(settings, first_of_stage + settings.stage_pairs, end,
                    memory + (stage ^ 1) * settings.stage_pairs * bytes);
        const unsigned char* panels = memory + stage * settings.stage_pairs * bytes;
        for (int index = first_of_stage; index < min(first_of_stage + settings.stage_pairs, end);
             index += 2, panels += 2 * bytes) {
            const bool two = index + 1 < end;
            // Lanes of the second pair look at the first again when there is none.
            const unsigned char* mine = panels + (g >= 4 && two ? bytes : 0);
            const unsigned char* limbs_of_lane = mine + sizeof(LinearHead) + (g % 4 * 4 + t) * 8;
            int products[2][4] = {};
            if constexpr (words > 0) {
#pragma unroll
                for (int word = 0; word < words; ++word) {
                    if (word >= word_count) break;
                    const uint2 b = *reinterpret_cast<const uint2*>(limbs_of_lane + word * linear_word_bytes);
#pragma unroll
                    for (int m = 0; m < 2; ++m) multiply_bytes(products[m], masks[word][m], b.x, b.y);
                }
            } else {
                for (int word = 0; word < word_count; ++word) {
                    const uint2 b = *reinterpret_cast<const uint2*>(limbs_of_lane + word * linear_word_bytes);
#pragma unroll
                    for (int m = 0; m < 2; ++m) {
                        spread(masks[0][m], word_of(m, 0, word), word_of(m, 1, word), t);
                        multiply_bytes(products[m], masks[0][m], b.x, b.y);
                    }
                }
            }
            float A[2];
            share_limbs(products, t, A);
            const LinearHead head = *reinterpret_cast<const LinearHead*>(panels + (t >= 2 && two ? bytes : 0));
            unsigned exceeds[2];
            unsigned open[2];
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                const bool is = A[k] <= head.yes_below || A[k] >= head.yes_above;
                const bool is_not = A[k] >= head.no_from && A[k] <= head.no_to;
                exceeds[k] = __ballot_sync(all_lanes, is);
                open[k] = __ballot_sync(all_lanes, !is && !is_not);
            }
            const int pair = settings.active.pairs[index + (lane / 2 % 2 != 0 && two ? 1 : 0)];
            store_words(chunk, first, pair, exceeds, open, two);
        }
    }
}

template <int words>
void launch(const Settings& settings, dim3 grid, cudaStream_t stream) {
    const std::size_t bytes = 2 * settings.stage_pairs * settings.batch.linear_bytes;
    WORDBREADTH_CUDA(cudaFuncSetAttribute(linear_kernel<words>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          static_cast<int>(bytes)));
    linear_kernel<words><<<grid, splits_of_block, bytes, stream>>>(settings);
    check_launch("screen_linear");
}

}  // namespace

void screen_linear(const Batch& batch, const Active& active, const Chunk& chunk, cudaStream_t stream) {
    const Shape& shape = batch.shape;
    Settings settings{batch, active, chunk, 0, std::clamp(stage_room / static_cast<int>(batch.linear_bytes), 2, 8)};
    settings.stage_pairs = settings.stage_pairs / 2 * 2;
    // Blocks to fill the device once or twice: each spreads its masks once for all of its pairs, and that takes as long
    // as a dozen of them.
    const int blocks = chunk.capacity / splits_of_block;
    const int groups = std::clamp(512 / blocks, 1, active.count);
    settings.pairs_of_block = ((active.count + groups - 1) / groups + 1) / 2 * 2;
    const dim3 grid(blocks, (active.count + settings.pairs_of_block - 1) / settings.pairs_of_block);
    if (shape.words <= 4)
        launch<4>(settings, grid, stream);
    else if (shape.words <= most_words)
        launch<most_words>(settings, grid, stream);
    else
        launch<0>(settings, grid, stream);
}

}  // namespace wordbreadth::engine::cuda
