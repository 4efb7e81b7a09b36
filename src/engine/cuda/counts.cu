// Lists and flags: filling, setting and counting them.
#include "engine/cuda/device.cuh"
#include "engine/cuda/kernels.h"
#include "engine/cuda/lists.cuh"
#include "engine/cuda/runtime.h"

namespace wordbreadth::engine::cuda {
namespace {

constexpr int threads = 256;

__global__ void leave_all_kernel(Active active, Chunk chunk, int to) {
    const int pair = active.pairs[blockIdx.y];
    const int place = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    left_at(chunk, to, pair, place) = place;
    if (place % 32 == 0) flags_of(chunk, pair, place) = 0;
    if (place == 0) chunk.left_count[to][pair] = chunk.count;
}

__global__ void list_open_kernel(Active active, Chunk chunk, int to) {
    const int pair = active.pairs[blockIdx.y];
    const int word = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (word >= chunk.capacity / 32) return;
    std::uint32_t bits = chunk.open[static_cast<std::size_t>(pair) * (chunk.capacity / 32) + word];
    if (bits == 0) return;
    int at = atomicAdd(&chunk.left_count[to][pair], __popc(bits));
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

void leave_all(const Active& active, const Chunk& chunk, int to, cudaStream_t stream) {
    leave_all_kernel<<<dim3(chunk.capacity / threads, active.count), threads, 0, stream>>>(active, chunk, to);
    check_launch("leave_all");
}

void list_open(const Active& active, const Chunk& chunk, int to, cudaStream_t stream) {
    const int blocks = (chunk.capacity / 32 + threads - 1) / threads;
    list_open_kernel<<<dim3(blocks, active.count), threads, 0, stream>>>(active, chunk, to);
    check_launch("list_open");
}

void set_flags(const Chunk& chunk, int list, int pair, int count, cudaStream_t stream) {
    set_flags_kernel<<<(count + threads - 1) / threads, threads, 0, stream>>>(chunk, list, pair, count);
    check_launch("set_flags");
}

void count_flags(const Active& active, const Chunk& chunk, const std::uint64_t* wanted, Counted* counted,
                 cudaStream_t stream) {
    count_kernel<<<active.count, threads, 0, stream>>>(active, chunk, wanted, counted);
    check_launch("count_flags");
}

}  // namespace wordbreadth::engine::cuda
