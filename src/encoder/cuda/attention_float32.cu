// Attention in float32: the plain way, for those who ask for float32 and to compare the fast one with. A warp has one
// query and one head; a lane has a key where scores are made, and every 32nd value of the result where they are used.
#include "encoder/cuda/attention.cuh"
#include "encoder/cuda/layout.h"

namespace wordbreadth::encoder::cuda {
namespace {

constexpr int warps = 4;

struct Query {
    Tile tile;
    std::size_t row;
    int position;
    const float* rotations;  // or null
    int head;                // its values
};

__device__ float2 pair_at(const float* values, int i, const Query& query, int position) {
    const float2 pair = reinterpret_cast<const float2*>(values)[i];
    if (query.rotations == nullptr) return pair;
    const float* turns = query.rotations + static_cast<std::size_t>(position) * static_cast<std::size_t>(query.head);
    return rotated(pair, reinterpret_cast<const float2*>(turns)[i]);
}

__device__ float score_of(const float2* asked, const float* key, const Query& query, int position) {
    float score = 0;
    for (int i = 0; i < query.head / 2; ++i) {
        const float2 pair = pair_at(key, i, query, position);
        score += asked[i].x * pair.x + asked[i].y * pair.y;
    }
    return score;
}

__device__ float largest_of_warp(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(all_lanes, value, offset));
    return value;
}

// The sums of the softmax as they grow.
struct Sums {
    float largest = -INFINITY;
    float total = 0;
    float result[largest_head / 32] = {};
};

// The weight of this lane's key among all so far, whose sums are brought to the same scale.
__device__ float soften(Sums& sums, float score, float scale) {
    const float most = fmaxf(sums.largest, largest_of_warp(score));
    const float base = most == -INFINITY ? 0 : most * scale;
    const float factor = exp2f(grown(sums.largest, most) * scale);
    const float weight = exp2f(score * scale - base);
    sums.largest = most;
    sums.total = sums.total * factor + ::wordbreadth::cuda::sum_of_warp(weight);
    for (float& value : sums.result) value *= factor;
    return weight;
}

__global__ void __launch_bounds__(32 * warps) attend_queries(const __grid_constant__ AttentionArguments arguments) {
    __shared__ float2 asked_by_all[warps][largest_head / 2];
    const AttentionTask& task = arguments.task;
    const int lane = static_cast<int>(threadIdx.x % 32);
    const std::size_t index = std::size_t{blockIdx.x} * warps + threadIdx.x / 32;
    if (index / tile_queries >= task.tiles) return;
    const Tile tile = task.tile[index / tile_queries];
    const int number = static_cast<int>(index % tile_queries);
    if (number >= tile.queries) return;
    const std::size_t row = static_cast<std::size_t>(tile.first_query + number);
    const Query query{tile, row, task.positions[row], static_cast<const float*>(task.rotations),
                      static_cast<int>(task.head_row)};

    const std::size_t column = blockIdx.y * task.head_row;
    float2* asked = asked_by_all[threadIdx.x / 32];
    const float* own = static_cast<const float*>(task.query) + row * task.query_stride + column;
    for (int i = lane; i < query.head / 2; i += 32) asked[i] = pair_at(own, i, query, query.position);
    __syncwarp();

    const auto row_in = [&](const void* matrix, int key) {
        return static_cast<const float*>(matrix) + static_cast<std::size_t>(tile.first_key + key) * task.key_stride +
               column;
    };
    const int first = first_key_seen(query.position, arguments.reach);
    const int end = end_of_keys_seen(query.position, arguments.reach, tile.keys);
    Sums sums;
    for (int block = first; block < end; block += 32) {
        const int key = block + lane;
        const float score = key < end ? score_of(asked, row_in(task.key, key), query, key) : -INFINITY;
        const float weight = soften(sums, score, arguments.scale);
        for (int i = 0; i < min(32, end - block); ++i) {
            const float share = __shfl_sync(all_lanes, weight, i);
            const float* values = row_in(task.value, block + i);
#pragma unroll
            for (int part = 0; part < static_cast<int>(largest_head) / 32; ++part)
                if (32 * part < query.head) sums.result[part] += share * values[32 * part + lane];
        }
    }
    float* to = static_cast<float*>(task.to) + row * task.heads * task.head_row + column;
#pragma unroll
    for (int part = 0; part < static_cast<int>(largest_head) / 32; ++part)
        if (32 * part < query.head) to[32 * part + lane] = sums.result[part] / sums.total;
}

}  // namespace

void attend_in_float32(const AttentionArguments& arguments, cudaStream_t stream) {
    const AttentionTask& task = arguments.task;
    const std::size_t queries = task.tiles * tile_queries;
    const dim3 grid(static_cast<unsigned>((queries + warps - 1) / warps), static_cast<unsigned>(task.heads));
    attend_queries<<<grid, 32 * warps, 0, stream>>>(arguments);
    ::wordbreadth::cuda::check_launch("attend_queries");
}

}  // namespace wordbreadth::encoder::cuda
