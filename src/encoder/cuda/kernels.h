// The kernels between the products. Matrices are row after row, `row` values apart (a multiple of 8, zeros past the
// model's own width); `operands` are in the type of the products. All work in the order of the stream they are given.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "encoder/batching/batch.h"
#include "encoder/encoder.h"

namespace wordbreadth::encoder::cuda {

using batching::PackedPiece;
using batching::Piece;
using batching::Tile;
using batching::tile_queries;
using snapshot::Activation;

inline constexpr std::size_t widest_row = 4096;  // a warp holds one in its registers
inline constexpr std::size_t largest_head = 128;

// To the type of the products.
void round(Precision precision, const float* from, std::size_t count, void* to, cudaStream_t stream);

struct NormView {
    const float* weight = nullptr;  // (row); null: no norm
    const float* bias = nullptr;    // (row), or null
    float epsilon = 0;
    bool centres = true;  // else the mean is taken to be 0
};

struct RowSizes {
    std::size_t rows, width, row;  // width: the model's own
};

struct EmbedTask {
    RowSizes sizes;
    const std::int32_t *ids, *types, *positions;         // (rows); types may be null: all 0
    const float *word_rows, *type_rows, *position_rows;  // (.., row); all but the first may be null
    NormView norm;
    float* residual;  // (rows, row), or null
    NormView next;    // of what is in `residual`, before it becomes operands
    void* operands;   // (rows, row)
};
void embed(Precision precision, const EmbedTask& task, cudaStream_t stream);

// What is handed out: (rows, row), added to what is there or not, and multiplied.
struct VectorsView {
    float* values = nullptr;  // null: not handed out yet
    bool add = false;
    float scale = 1;
    std::int32_t* not_finite = nullptr;  // set to 1 when a value is
};

// sum = what went past a half of a layer, from `residual` or else from `source`, + what the half made of it; then the
// norm of that.
struct CarryTask {
    RowSizes sizes;
    const std::int32_t* taken = nullptr;  // (rows), which rows go on; null: all, in their order
    const void* delta = nullptr;          // (rows, row), operands; null: nothing is added
    const void* source = nullptr;         // (.., row), operands
    float* residual = nullptr;            // (.., row), where the sum is kept unless it is handed out; or null
    NormView norm = {};
    void* operands = nullptr;  // (rows, row); left alone when the result is handed out
    VectorsView vectors = {};
};
void carry(Precision precision, const CarryTask& task, cudaStream_t stream);

// In place.
void activate(Precision precision, Activation activation, std::size_t count, void* values, cudaStream_t stream);

// both (rows, 2 width): what is activated, then what it is multiplied by; to (rows, width).
void activate_and_multiply(Precision precision, Activation activation, std::size_t rows, std::size_t width,
                           const void* both, void* to, cudaStream_t stream);

// Heads of queries or keys, in place, each by itself.
struct HeadNormTask {
    std::size_t rows, stride;           // stride: between rows
    std::size_t heads, head, head_row;  // head: the model's own size
    NormView norm;                      // (head_row)
    void* values;                       // (rows, heads, head_row), operands
};
void normalize_heads(Precision precision, const HeadNormTask& task, cudaStream_t stream);

// Terms of a score that depend on the bucket of the distance query - key.
struct RelativeView {
    std::size_t buckets = 0;
    const std::int32_t* bucket_of = nullptr;  // points to that of distance 0; null: there are no terms at all
    const float* bias = nullptr;              // (heads, buckets): added; or null
    const void* keys = nullptr;               // (buckets, heads, head_row), operands: times the query; or null
    const void* queries = nullptr;            // the same, times the key
};

struct AttentionTask {
    std::size_t heads, key_heads, head_row;  // heads / key_heads heads in turn share keys and values
    float scale;                             // of the scores
    std::size_t before, after;               // a query sees keys at most this far from its position
    std::size_t tiles;
    const Tile* tile;                      // (tiles)
    const std::int32_t* positions;         // of the queries, by their rows
    const void *query, *key, *value;       // (.., heads or key_heads, head_row), operands
    std::size_t query_stride, key_stride;  // between rows; values are as far apart as keys
    const void*
        rotations;  // (position, head_row / 2, 2): cosine and sine, in f32, or f16 for operands of 16 bits; or null
    RelativeView relative;
    void* to;  // (queries, heads, head_row), operands
};
void attend(Precision precision, const AttentionTask& task, cudaStream_t stream);

}  // namespace wordbreadth::encoder::cuda
