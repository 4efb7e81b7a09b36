// Attention: on the matrix units for operands of 16 bits, and the plain way in float32.
//
// On the matrix units a warp has up to 16 queries of one sentence and one head, and
// goes over the keys in blocks, with the sums of the softmax kept as they grow; nothing but the result is written.
//
// No shared memory: the order of a head's values is ours to choose where they are multiplied and added up, so that
// every thread takes eight neighbours, 16 bytes, straight from where they lie. Values have to stand the other way
// round, which movmatrix does inside the warp. Sentences are short, and what several warps of a sentence read again is
// in the first-level cache: the bound is the memory's speed, for queries, keys and values once each, and the result.
// Measured on an H200, 32,768 tokens of BERT-large: 108 us, where the memory's speed would be 67; the warps wait for
// their first loads. Blocks of 32 keys for heads of 64 take 128 us, since fewer warps fit; waiting for the queries
// before asking for keys and values took 170.
//
// Blocks of keys begin at multiples of their size, and one that a query does not see changes nothing for it, not a bit:
// what a query gets does not depend on which other queries share its warp.
#include <algorithm>
#include <climits>
#include <cmath>
#include <type_traits>

#include "cuda/runtime.h"
#include "cuda/warp.cuh"
#include "encoder/cuda/kernels.h"
#include "encoder/cuda/operand.cuh"

namespace wordbreadth::encoder::cuda {
namespace {

using ::wordbreadth::cuda::all_lanes;

constexpr int warps = 4;  // of a block

// What a kernel is given.
struct AttentionArguments {
    AttentionTask task;
    int before, after;
    int shared_by;  // heads that have the same keys and values
    float scale;    // times log2(e): powers of two are what the hardware makes
};

AttentionArguments arguments_of(const AttentionTask& task) {
    const auto bounded = [](std::size_t reach) { return static_cast<int>(std::min<std::size_t>(reach, INT_MAX / 2)); };
    return {task, bounded(task.before), bounded(task.after), static_cast<int>(task.heads / task.key_heads),
            static_cast<float>(1.4426950408889634 * static_cast<double>(task.scale))};
}

__device__ float power_of_two(float exponent) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(exponent));
    return power;
}

// How far the largest score so far is below what it is now: exactly 0 where it stays, nothing having been seen
// included.
__device__ float grown(float before, float now) {
    return before == now ? 0 : before - now;
}

__device__ float2 rotated(float2 pair, float2 turn) {
    return {pair.x * turn.x - pair.y * turn.y, pair.y * turn.x + pair.x * turn.y};
}

// ---- the matrix units

// c += a b, (16, 8) += (16, 16) (16, 8)
template <class T>
__device__ void multiply(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
    if constexpr (std::is_same_v<T, __half>) {
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    } else {
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    }
}

__device__ std::uint32_t transposed(std::uint32_t matrix) {
    std::uint32_t result;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(result) : "r"(matrix));
    return result;
}

// Eight values as they lie, two a word.
struct Eight {
    std::uint32_t word[4];
};

__device__ Eight eight_at(const void* from) {
    const uint4 words = __ldg(static_cast<const uint4*>(from));
    return {{words.x, words.y, words.z, words.w}};
}

// Products of 16 rows with the vectors of several distances, on their way from the matrix units to the pairs of a query
// and a key that are so far apart. In DeBERTa every pair adds its query times a key of their distance, and its key
// times a query of it. The pairs of a block have few distances, most often 31, so that a product with all of them is
// but twice as large as that of queries and keys. On an H200 DeBERTa-v3-base has 2.42 M tokens per second; with a
// thread that multiplied every pair with its two vectors by itself it had 0.34.
struct DistanceProducts {
    static constexpr int distances = 32;
    static constexpr int stride = distances + 8;  // rows 8 banks apart: no two threads of a store share one
    float values[16 * stride];
};

// One warp's work. In a matrix instruction's result, thread 4 g + t holds columns 2 t and 2 t + 1 of rows g and g + 8;
// the queries of these two rows are its own (`half` 0 and 1).
template <class T, int head>
class Warp {
  public:
    static constexpr int chunks = head / 32;                 // of a head's values; a thread has eight of each chunk
    static constexpr int block_keys = head <= 32 ? 32 : 16;  // few enough that several blocks of threads fit
    static constexpr int groups = block_keys / 8;            // a matrix instruction has 8 keys

    // `products`: the warp's own, where distances have vectors; else null.
    __device__ Warp(const AttentionArguments& arguments, const Tile& tile, int head_index, DistanceProducts* products)
        : arguments_(arguments), tile_(tile), head_(head_index), products_(products) {}

    // All that is needed first is asked for before anything is waited for.
    __device__ void run() {
        const int end = min(tile_.last_position + arguments_.after + 1, tile_.keys);
        int key = max(tile_.first_position - arguments_.before, 0) / block_keys * block_keys;
        load_queries();
        load_block(key);
        rotate_queries();
        for (;;) {
            take_block(key);
            key += block_keys;
            if (key >= end) break;
            load_block(key);
        }
        finish();
    }

  private:
    // A query that is not there is taken to be the last that is; a key likewise.
    __device__ std::size_t query_row(int half) const {
        return static_cast<std::size_t>(tile_.first_query + min(g_ + 8 * half, tile_.queries - 1));
    }
    __device__ int key_of(int first, int group) const { return min(first + 8 * group + g_, tile_.keys - 1); }

    __device__ int column(int chunk) const { return head_ * head + 32 * chunk + 8 * t_; }
    __device__ int key_column(int chunk) const { return head_ / arguments_.shared_by * head + 32 * chunk + 8 * t_; }

    __device__ void load_queries() {
        const AttentionTask& task = arguments_.task;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const T* row = static_cast<const T*>(task.query) + query_row(half) * task.query_stride;
            position_[half] = __ldg(task.positions + query_row(half));
#pragma unroll
            for (int chunk = 0; chunk < chunks; ++chunk) query_[half][chunk] = eight_at(row + column(chunk));
        }
    }

    __device__ void load_block(int first) {
        const AttentionTask& task = arguments_.task;
#pragma unroll
        for (int group = 0; group < groups; ++group) {
            const std::size_t row = static_cast<std::size_t>(tile_.first_key + key_of(first, group));
            const T* key = static_cast<const T*>(task.key) + row * task.key_stride;
            const T* value = static_cast<const T*>(task.value) + row * task.key_stride;
#pragma unroll
            for (int chunk = 0; chunk < chunks; ++chunk) {
                key_[group][chunk] = eight_at(key + key_column(chunk));
                value_[group][chunk] = eight_at(value + key_column(chunk));
            }
        }
    }

    // The turns are pairs of a cosine and a sine, a word each, for the pairs of values.
    __device__ void rotate(Eight (&row)[chunks], int position) const {
        if (arguments_.task.rotations == nullptr) return;
        const __half* turns = static_cast<const __half*>(arguments_.task.rotations) + std::size_t{head} * position;
#pragma unroll
        for (int chunk = 0; chunk < chunks; ++chunk) {
            const Eight turn = eight_at(turns + 32 * chunk + 8 * t_);
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                std::uint32_t& word = row[chunk].word[i];
                const float2 pair = rotated(floats_of_word<T>(word), floats_of_word<__half>(turn.word[i]));
                word = word_of<T>(pair.x, pair.y);
            }
        }
    }

    __device__ void rotate_queries() {
        for (int half = 0; half < 2; ++half) rotate(query_[half], position_[half]);
    }

    __device__ void take_block(int first) {
        float score[groups][4] = {};
#pragma unroll
        for (int group = 0; group < groups; ++group) {
            rotate(key_[group], key_of(first, group));
            add_scores(score[group], key_[group]);
        }
        if (arguments_.task.relative.bias != nullptr) add_bias(first, score);
        if (products_ != nullptr) add_distances(first, score);
        hide_unseen(first, score);
        soften(score);
        add_values(score);
    }

    __device__ void add_scores(float (&score)[4], const Eight (&key)[chunks]) const {
        multiply_heads(score, query_[0], query_[1], key);
    }

    // Rows g of the result from `above`, rows g + 8 from `below`.
    __device__ static void multiply_heads(float (&to)[4], const Eight (&above)[chunks], const Eight (&below)[chunks],
                                          const Eight (&by)[chunks]) {
#pragma unroll
        for (int chunk = 0; chunk < chunks; ++chunk)
#pragma unroll
            for (int part = 0; part < 4; part += 2)
                multiply<T>(to,
                            {above[chunk].word[part], below[chunk].word[part], above[chunk].word[part + 1],
                             below[chunk].word[part + 1]},
                            by[chunk].word[part], by[chunk].word[part + 1]);
    }

    __device__ void add_distances(int first, float (&score)[groups][4]) const {
        const RelativeView& relative = arguments_.task.relative;
        const int end = tile_.last_position - first + 1;
        for (int distance = tile_.first_position - (first + block_keys - 1); distance < end;
             distance += DistanceProducts::distances) {
            const auto pick = [&](int group, int i, int row) {
                const int column = position_[i / 2] - (first + 8 * group + 2 * t_ + i % 2) - distance;
                if (0 <= column && column < DistanceProducts::distances)
                    score[group][i] += products_->values[row * DistanceProducts::stride + column];
            };
            if (relative.keys != nullptr) {
                multiply_distances(relative.keys, query_[0], query_[1], distance, end);
#pragma unroll
                for (int group = 0; group < groups; ++group)
#pragma unroll
                    for (int i = 0; i < 4; ++i) pick(group, i, g_ + i / 2 * 8);
            }
            if (relative.queries == nullptr) continue;
#pragma unroll
            for (int group = 0; group < groups; group += 2) {
                multiply_distances(relative.queries, key_[group], key_[group + 1], distance, end);
#pragma unroll
                for (int i = 0; i < 8; ++i) pick(group + i / 4, i % 4, i / 4 * 8 + 2 * t_ + i % 2);
            }
        }
    }

    // 16 rows times the vectors of the distances from `first` on, none at or past `end`, to shared memory.
    __device__ void multiply_distances(const void* vectors, const Eight (&above)[chunks], const Eight (&below)[chunks],
                                       int first, int end) const {
        const AttentionTask& task = arguments_.task;
        __syncwarp();  // what was there has been read
#pragma unroll
        for (int group = 0; group < DistanceProducts::distances / 8; ++group) {
            if (first + 8 * group >= end) break;
            // No pair of the sentence has a distance beyond its length.
            const int distance = max(min(first + 8 * group + g_, tile_.keys - 1), 1 - tile_.keys);
            const std::size_t bucket = static_cast<std::size_t>(__ldg(task.relative.bucket_of + distance));
            const T* row = static_cast<const T*>(vectors) + bucket * task.heads * head;
            Eight by[chunks];
#pragma unroll
            for (int chunk = 0; chunk < chunks; ++chunk) by[chunk] = eight_at(row + column(chunk));
            float product[4] = {};
            multiply_heads(product, above, below, by);
            float* to = products_->values + g_ * DistanceProducts::stride + 8 * group + 2 * t_;
            *reinterpret_cast<float2*>(to) = {product[0], product[1]};
            *reinterpret_cast<float2*>(to + 8 * DistanceProducts::stride) = {product[2], product[3]};
        }
        __syncwarp();
    }

    __device__ void add_bias(int first, float (&score)[groups][4]) const {
        const RelativeView& relative = arguments_.task.relative;
        const float* bias = relative.bias + static_cast<std::size_t>(head_) * relative.buckets;
#pragma unroll
        for (int group = 0; group < groups; ++group)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int key = min(first + 8 * group + 2 * t_ + i % 2, tile_.keys - 1);
                score[group][i] += __ldg(bias + __ldg(relative.bucket_of + position_[i / 2] - key));
            }
    }

    __device__ void hide_unseen(int first, float (&score)[groups][4]) const {
#pragma unroll
        for (int group = 0; group < groups; ++group)
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int key = first + 8 * group + 2 * t_ + i % 2;
                const int ahead = key - position_[i / 2];
                const bool seen = key < tile_.keys && ahead <= arguments_.after && -ahead <= arguments_.before;
                if (!seen) score[group][i] = -INFINITY;
            }
    }

    // Scores to weights, relative to the largest so far; what was added up before is brought to the same scale.
    __device__ void soften(float (&score)[groups][4]) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float most = largest_[half];
#pragma unroll
            for (int group = 0; group < groups; ++group)
                most = fmaxf(most, fmaxf(score[group][2 * half], score[group][2 * half + 1]));
            most = fmaxf(most, __shfl_xor_sync(all_lanes, most, 1));
            most = fmaxf(most, __shfl_xor_sync(all_lanes, most, 2));
            const float base = most == -INFINITY ? 0 : most * arguments_.scale;
            rescale(half, power_of_two(grown(largest_[half], most) * arguments_.scale));
            largest_[half] = most;
#pragma unroll
            for (int group = 0; group < groups; ++group)
#pragma unroll
                for (int i = 2 * half; i < 2 * half + 2; ++i) {
                    score[group][i] = power_of_two(score[group][i] * arguments_.scale - base);
                    total_[half] += score[group][i];
                }
        }
    }

    __device__ void rescale(int half, float factor) {
        total_[half] *= factor;
#pragma unroll
        for (int chunk = 0; chunk < chunks; ++chunk)
#pragma unroll
            for (int part = 0; part < 4; ++part) {
                result_[chunk][part][2 * half] *= factor;
                result_[chunk][part][2 * half + 1] *= factor;
            }
    }

    __device__ void add_values(const float (&weight)[groups][4]) {
#pragma unroll
        for (int group = 0; group < groups; group += 2) {
            const std::uint32_t a[4] = {word_of<T>(weight[group][0], weight[group][1]),
                                        word_of<T>(weight[group][2], weight[group][3]),
                                        word_of<T>(weight[group + 1][0], weight[group + 1][1]),
                                        word_of<T>(weight[group + 1][2], weight[group + 1][3])};
#pragma unroll
            for (int chunk = 0; chunk < chunks; ++chunk)
#pragma unroll
                for (int part = 0; part < 4; ++part)
                    multiply<T>(result_[chunk][part], a, transposed(value_[group][chunk].word[part]),
                                transposed(value_[group + 1][chunk].word[part]));
        }
    }

    __device__ void finish() {
        const AttentionTask& task = arguments_.task;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float total = total_[half];
            total += __shfl_xor_sync(all_lanes, total, 1);
            total += __shfl_xor_sync(all_lanes, total, 2);
            if (g_ + 8 * half >= tile_.queries) continue;
            const float factor = 1 / total;
            T* to = static_cast<T*>(task.to) + query_row(half) * task.heads * head;
#pragma unroll
            for (int chunk = 0; chunk < chunks; ++chunk) {
                float eight[8];
#pragma unroll
                for (int i = 0; i < 8; ++i) eight[i] = result_[chunk][i / 2][2 * half + i % 2] * factor;
                store_eight(eight, to + column(chunk));
            }
        }
    }

    const AttentionArguments& arguments_;
    const Tile tile_;
    const int head_;
    DistanceProducts* const products_;
    const int g_ = static_cast<int>(threadIdx.x % 32 / 4);
    const int t_ = static_cast<int>(threadIdx.x % 4);
    int position_[2];
    Eight query_[2][chunks];
    Eight key_[groups][chunks], value_[groups][chunks];
    float result_[chunks][4][4] = {};
    float largest_[2] = {-INFINITY, -INFINITY};
    float total_[2] = {};
};

template <class T, int head, bool has_distances>
__global__ void __launch_bounds__(32 * warps) attend_tiles(const __grid_constant__ AttentionArguments arguments) {
    const std::size_t index = std::size_t{blockIdx.x} * warps + threadIdx.x / 32;
    if (index >= arguments.task.tiles) return;
    const int4* numbers = reinterpret_cast<const int4*>(arguments.task.tile + index);
    const int4 rows = __ldg(numbers);
    const int4 positions = __ldg(numbers + 1);
    const Tile tile{rows.x, rows.y, rows.z, rows.w, positions.x, positions.y, {}};
    const int head_index = static_cast<int>(blockIdx.y);
    if constexpr (has_distances) {
        __shared__ DistanceProducts products[warps];
        Warp<T, head>(arguments, tile, head_index, products + threadIdx.x / 32).run();
    } else {
        Warp<T, head>(arguments, tile, head_index, nullptr).run();
    }
}

template <class T, bool has_distances>
void attend_by_matrices(const AttentionArguments& arguments, cudaStream_t stream) {
    const AttentionTask& task = arguments.task;
    const dim3 grid(static_cast<unsigned>((task.tiles + warps - 1) / warps), static_cast<unsigned>(task.heads));
    if (task.head_row == 32) attend_tiles<T, 32, has_distances><<<grid, 32 * warps, 0, stream>>>(arguments);
    if (task.head_row == 64) attend_tiles<T, 64, has_distances><<<grid, 32 * warps, 0, stream>>>(arguments);
    if (task.head_row == 96) attend_tiles<T, 96, has_distances><<<grid, 32 * warps, 0, stream>>>(arguments);
    if (task.head_row == 128) attend_tiles<T, 128, has_distances><<<grid, 32 * warps, 0, stream>>>(arguments);
    ::wordbreadth::cuda::check_launch("attend_tiles");
}

// ---- the plain way, in float32: for those who ask for it, and to compare the fast way with. A warp has one query and
// one head; a lane has a key where scores are made, and every 32nd value of the result where they are used.

struct Query {
    Tile tile;
    std::size_t row;
    int position;
    const float* rotations;  // or null
    int head;                // its values
};

__device__ float2 pair_in(const float* values, int i) {
    return reinterpret_cast<const float2*>(values)[i];
}

__device__ float2 pair_at(const float* values, int i, const Query& query, int position) {
    const float2 pair = pair_in(values, i);
    if (query.rotations == nullptr) return pair;
    return rotated(pair, pair_in(query.rotations + static_cast<std::size_t>(position) * query.head, i));
}

__device__ float score_of(const float2* asked, const float* key, const Query& query, int position) {
    float score = 0;
    for (int i = 0; i < query.head / 2; ++i) {
        const float2 pair = pair_at(key, i, query, position);
        score += asked[i].x * pair.x + asked[i].y * pair.y;
    }
    return score;
}

// What the distance adds to a score.
__device__ float relative_score(const AttentionTask& task, const float2* asked, const float* key, int distance,
                                std::size_t column) {
    const RelativeView& relative = task.relative;
    const std::size_t bucket = static_cast<std::size_t>(__ldg(relative.bucket_of + distance));
    const std::size_t at = bucket * task.heads * task.head_row + column;
    float score = relative.bias != nullptr ? relative.bias[blockIdx.y * relative.buckets + bucket] : 0;
    for (int i = 0; i < static_cast<int>(task.head_row) / 2; ++i) {
        if (relative.keys != nullptr) {
            const float2 pair = pair_in(static_cast<const float*>(relative.keys) + at, i);
            score += asked[i].x * pair.x + asked[i].y * pair.y;
        }
        if (relative.queries != nullptr) {
            const float2 pair = pair_in(static_cast<const float*>(relative.queries) + at, i);
            const float2 own = pair_in(key, i);
            score += own.x * pair.x + own.y * pair.y;
        }
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

    const std::size_t key_column = blockIdx.y / arguments.shared_by * task.head_row;
    const auto row_in = [&](const void* matrix, int key) {
        return static_cast<const float*>(matrix) + static_cast<std::size_t>(tile.first_key + key) * task.key_stride +
               key_column;
    };
    const auto score_at = [&](int key) {
        const float* values = row_in(task.key, key);
        const float score = score_of(asked, values, query, key);
        if (task.relative.bucket_of == nullptr) return score;
        return score + relative_score(task, asked, values, query.position - key, column);
    };
    const int first = max(query.position - arguments.before, 0);
    const int end = min(query.position + arguments.after + 1, tile.keys);
    Sums sums;
    for (int block = first; block < end; block += 32) {
        const int key = block + lane;
        const float weight = soften(sums, key < end ? score_at(key) : -INFINITY, arguments.scale);
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

void attend_plainly(const AttentionArguments& arguments, cudaStream_t stream) {
    const AttentionTask& task = arguments.task;
    const std::size_t queries = task.tiles * tile_queries;
    const dim3 grid(static_cast<unsigned>((queries + warps - 1) / warps), static_cast<unsigned>(task.heads));
    attend_queries<<<grid, 32 * warps, 0, stream>>>(arguments);
    ::wordbreadth::cuda::check_launch("attend_queries");
}

}  // namespace

void attend(Precision precision, const AttentionTask& task, cudaStream_t stream) {
    if (task.tiles == 0) return;
    const AttentionArguments arguments = arguments_of(task);
    with_operand_type(precision, [&]<class T>(T) {
        if constexpr (std::is_same_v<T, float>) {
            attend_plainly(arguments, stream);
        } else if (task.relative.keys != nullptr || task.relative.queries != nullptr) {
            attend_by_matrices<T, true>(arguments, stream);
        } else {
            attend_by_matrices<T, false>(arguments, stream);
        }
    });
}

}  // namespace wordbreadth::encoder::cuda
