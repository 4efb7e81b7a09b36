// The splits of a chunk as bits, one split a thread: drawn, or the combinations in their order.
#include "engine/cuda/kernels.h"
#include "engine/cuda/philox.cuh"
#include "engine/cuda/runtime.h"

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
    // Places after the last split repeat it; nobody looks at them.
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

}  // namespace

void draw_splits(const Shape& shape, const Drawing& drawing, const Chunk& chunk, cudaStream_t stream) {
    constexpr int threads = 128;  // chunks are whole blocks of 256
    if (drawing.combinations == nullptr)
        draw_kernel<<<chunk.capacity / threads, threads, 0, stream>>>(shape, drawing.seed, chunk);
    else
        unrank_kernel<<<chunk.capacity / threads, threads, 0, stream>>>(shape, drawing, chunk);
    check_launch("draw_splits");
}

}  // namespace wordbreadth::engine::cuda
