// The first two screens, in int8.
//
// The first: what is linear in a split, A = z . c~, decides nearly all of them. Q = q^T K q lies between 0 and |K|
// |q|^2, and moves both groups alike: for equal sizes the window of A in which Q matters at all is about as wide as one
// split in fifty (leading.cu proves it, pair by pair). The product of masks and limbs is exact in int8; two pairs share
// a matrix instruction. A warp keeps 32 splits in registers, as the instruction wants them, and meets one pair of pairs
// after the other.
//
// The second: the splits that A leaves open against the leading columns of K. A warp takes 32 splits of one pair. The
// four threads that share a split's 16 columns add up their squares so that each ends with one split of its own, and
// judge it in float32.
#include <algorithm>

#include "engine/cuda/device.cuh"

namespace wordbreadth::engine::cuda {
namespace {

constexpr int threads = 256;  // of a block; in the first screen also its splits

constexpr int stage_room = 12 * 1024;  // bytes of a stage, if more than two panels fit
constexpr int most_words = 8;          // that a warp keeps in registers

struct LinearSettings : Step {
    int pairs_of_block;
    int stage_pairs;  // that come to shared memory together; even
};

// Panels `first` to `first + stage_pairs - 1` of the active pairs, as far as there are any before `end`.
__device__ inline void copy_panels(const LinearSettings& settings, int first, int end, unsigned char* to) {
    const auto bytes = static_cast<int>(settings.batch.linear_bytes);
    const int pieces = bytes / 16;
    const int count = min(settings.stage_pairs, end - first);
    for (int i = static_cast<int>(threadIdx.x); i < count * pieces; i += threads) {
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

// The four words of a pair of pairs, each by its own thread: flags and open splits of the first, then of the
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

// words > 0: masks of at most that many words stay in registers; 0: any number, spread again for every pair.
template <int words>
__global__ void __launch_bounds__(threads) linear_kernel(const __grid_constant__ LinearSettings settings) {
    extern __shared__ __align__(128) unsigned char memory[];
    const Chunk& chunk = settings.chunk;
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int g = lane / 4;
    const int t = lane % 4;
    const int first = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x / 32) * 32;
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

constexpr int words_of_block = 128;  // splits / 32
static_assert(words_of_block <= threads && words_of_block * 32 <= 65536);

struct LeadingSettings : Step {
    Sizes<float> sizes;
    int to;
};

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
            const float weight = limb_weight(column);
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

__global__ void __launch_bounds__(threads) leading_screen_kernel(const __grid_constant__ LeadingSettings settings) {
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

void screen_linear(const Batch& batch, const Active& active, const Chunk& chunk, cudaStream_t stream) {
    const Shape& shape = batch.shape;
    LinearSettings settings{
        {batch, active, chunk}, 0, std::clamp(stage_room / static_cast<int>(batch.linear_bytes), 2, 8)};
    settings.stage_pairs = settings.stage_pairs / 2 * 2;
    // Blocks to fill the device once or twice: each spreads its masks once for all of its pairs, and that takes as long
    // as a dozen of them.
    const int blocks = chunk.capacity / threads;
    const int groups = std::clamp(512 / blocks, 1, active.count);
    settings.pairs_of_block = ((active.count + groups - 1) / groups + 1) / 2 * 2;
    const dim3 grid(blocks, (active.count + settings.pairs_of_block - 1) / settings.pairs_of_block);
    const auto kernel = shape.words <= 4            ? linear_kernel<4>
                        : shape.words <= most_words ? linear_kernel<most_words>
                                                    : linear_kernel<0>;
    const std::size_t bytes = 2 * settings.stage_pairs * batch.linear_bytes;
    launch("screen_linear", kernel, grid, threads, bytes, stream, settings);
}

void screen_leading(const Batch& batch, const Active& active, const Chunk& chunk, int to, cudaStream_t stream) {
    const Shape& shape = batch.shape;
    const LeadingSettings settings{{batch, active, chunk}, sizes_of<float>(shape.n, shape.m, shape.d, false), to};
    const int blocks = (chunk.capacity / 32 + words_of_block - 1) / words_of_block;
    launch("screen_leading", leading_screen_kernel, dim3(blocks, active.count), threads, 0, stream, settings);
}

}  // namespace wordbreadth::engine::cuda
