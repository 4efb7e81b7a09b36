// The splits of a chunk as bits, one split a thread: drawn, or the combinations in their order. And what is known of
// them: filling, setting and counting lists and flags.
#include "engine/cuda/device.cuh"

namespace wordbreadth::engine::cuda {
namespace {

__global__ void draw_kernel(Shape shape, std::uint64_t seed, Chunk chunk) {
    const std::size_t place = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
    const std::uint64_t b = chunk.first + place;
    const uint2 key = make_uint2(static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
    auto left = static_cast<std::uint32_t>(shape.N);
    auto wanted = static_cast<std::uint32_t>(shape.n);
    for (int word = 0; word < shape.words; ++word) {
        std::uint32_t bits = 0;
#pragma unroll
        for (std::uint32_t k = 0; k < 8; ++k)
            bits |= draw_four(b, static_cast<std::uint32_t>(word) * 8 + k, key, left, wanted) << (4 * k);
        chunk.bits[static_cast<std::size_t>(word) * chunk.capacity + place] = bits;
    }
}

// Combination number b - 1 in lexicographic order, taking a row before leaving it: permutation/splits.cc.
__global__ void unrank_kernel(Shape shape, Drawing drawing, Chunk chunk) {
    const std::size_t place = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
    // Places after the last split repeat it; they are never read.
    std::uint64_t rank = chunk.first + min(place, static_cast<std::size_t>(chunk.count - 1)) - 1;
    int wanted = shape.n;
    const auto combinations = [&](int rows, int taken) {
        const int smaller = min(taken, rows - taken);
        return drawing.combinations[static_cast<std::size_t>(rows) * (drawing.smaller + 1) + smaller];
    };
    std::uint32_t bits = 0;
    for (int row = 0; row < shape.Np; ++row) {
        const int left = shape.N - row - 1;  // after this row
        if (wanted > 0 && left >= wanted - 1) {
            const std::uint64_t with_row = combinations(left, wanted - 1);
            if (rank < with_row) {
                bits |= 1U << (row % 32);
                --wanted;
            } else {
                rank -= with_row;
            }
        }
        if (row % 32 == 31) {
            chunk.bits[static_cast<std::size_t>(row / 32) * chunk.capacity + place] = bits;
            bits = 0;
        }
    }
}

constexpr int threads = 256;

__global__ void leave_all_kernel(Active active, Chunk chunk, int to) {
    const int pair = active.pairs[blockIdx.y];
    const int place = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    left_at(chunk, to, pair, place) = place;
    if (place % 32 == 0) flags_of(chunk, pair, place) = 0;
    if (place == 0) chunk.left_count[to][pair] = chunk.count;
}

// One atomic addition per warp: one per word took 165 us for all splits of 300 pairs.
__global__ void list_open_kernel(Active active, Chunk chunk, int to) {
    const int pair = active.pairs[blockIdx.y];
    const int word = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int lane = static_cast<int>(threadIdx.x % 32);
    std::uint32_t bits =
        word < chunk.capacity / 32 ? chunk.open[static_cast<std::size_t>(pair) * (chunk.capacity / 32) + word] : 0U;
    int before = __popc(bits);  // of this warp's threads up to this one
#pragma unroll
    for (int offset = 1; offset < 32; offset *= 2) {
        const int other = __shfl_up_sync(all_lanes, before, offset);
        if (lane >= offset) before += other;
    }
    int first = lane == 31 && before > 0 ? atomicAdd(&chunk.left_count[to][pair], before) : 0;
    first = __shfl_sync(all_lanes, first, 31);
    int at = first + before - __popc(bits);
    for (; bits != 0; bits &= bits - 1) left_at(chunk, to, pair, at++) = word * 32 + __ffs(static_cast<int>(bits)) - 1;
}

__global__ void set_flags_kernel(Chunk chunk, int list, int pair, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count) return;
    const int place = left_at(chunk, list, pair, i);
    atomicOr(&flags_of(chunk, pair, place), 1U << (place % 32));
}

// The place of the `wanted`-th bit, from 1, of some words.
__device__ int place_of(const std::uint32_t* words, int first, std::uint64_t wanted) {
    for (int word = first;; ++word) {
        std::uint32_t bits = words[word];
        const auto here = static_cast<std::uint64_t>(__popc(bits));
        if (here < wanted) {
            wanted -= here;
            continue;
        }
        while (--wanted > 0) bits &= bits - 1;
        return word * 32 + __ffs(static_cast<int>(bits)) - 1;
    }
}

// One block per pair; each thread takes a stretch of words.
__global__ void __launch_bounds__(threads)
    count_kernel(Active active, Chunk chunk, const std::uint64_t* wanted, Counted* counted) {
    __shared__ int stretches[threads];
    __shared__ int partial[32];
    const int pair = active.pairs[blockIdx.x];
    const int words = (chunk.count + 31) / 32;
    const std::uint32_t* flags = &flags_of(chunk, pair, 0);
    const int stretch = (words + threads - 1) / threads;
    const int first = static_cast<int>(threadIdx.x) * stretch;
    int sum = 0;
    for (int word = first; word < min(first + stretch, words); ++word) sum += __popc(flags[word]);
    stretches[threadIdx.x] = sum;
    const int total = sum_of_block(sum, partial);
    if (threadIdx.x != 0) return;
    const std::uint64_t stop_at = wanted == nullptr ? 0 : wanted[blockIdx.x];
    int place = -1;
    if (stop_at > 0 && stop_at <= static_cast<std::uint64_t>(total)) {
        std::uint64_t before = 0;
        int i = 0;
        for (; before + static_cast<std::uint64_t>(stretches[i]) < stop_at; ++i)
            before += static_cast<std::uint64_t>(stretches[i]);
        place = place_of(flags, i * stretch, stop_at - before);
    }
    counted[blockIdx.x] = {total, place};
}

}  // namespace

void draw_splits(const Shape& shape, const Drawing& drawing, const Chunk& chunk, cudaStream_t stream) {
    constexpr int block = 128;  // chunks are whole blocks of 256
    const int blocks = chunk.capacity / block;
    if (drawing.combinations == nullptr)
        launch("draw_splits", draw_kernel, blocks, block, 0, stream, shape, drawing.seed, chunk);
    else
        launch("draw_splits", unrank_kernel, blocks, block, 0, stream, shape, drawing, chunk);
}

void leave_all(const Active& active, const Chunk& chunk, int to, cudaStream_t stream) {
    const dim3 grid(chunk.capacity / threads, active.count);
    launch("leave_all", leave_all_kernel, grid, threads, 0, stream, active, chunk, to);
}

void list_open(const Active& active, const Chunk& chunk, int to, cudaStream_t stream) {
    const int blocks = (chunk.capacity / 32 + threads - 1) / threads;
    launch("list_open", list_open_kernel, dim3(blocks, active.count), threads, 0, stream, active, chunk, to);
}

void set_flags(const Chunk& chunk, int list, int pair, int count, cudaStream_t stream) {
    const int blocks = (count + threads - 1) / threads;
    launch("set_flags", set_flags_kernel, blocks, threads, 0, stream, chunk, list, pair, count);
}

void count_flags(const Active& active, const Chunk& chunk, const std::uint64_t* wanted, Counted* counted,
                 cudaStream_t stream) {
    launch("count_flags", count_kernel, active.count, threads, 0, stream, active, chunk, wanted, counted);
}

}  // namespace wordbreadth::engine::cuda
