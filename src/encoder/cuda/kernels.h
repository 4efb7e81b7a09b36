// The kernels between the products. Matrices are row after row, `row` values apart (a multiple of 8, zeros past the
// model's own width); `operands` are in the type of the products. All work in the order of the stream they are given.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "encoder/batching/packed_piece.h"
#include "encoder/encoder.h"

namespace wordbreadth::encoder::cuda {

using batching::PackedPiece;
using batching::Piece;
using batching::Tile;
using batching::tile_queries;
using snapshot::Activation;

// To the type of the products.
void round(Precision precision, const float* from, std::size_t count, void* to, cudaStream_t stream);

struct NormView {
    const float* weight = nullptr;  // (row); null: no norm
    const float* bias = nullptr;    // (row), or null
    float epsilon = 0;
};

struct RowSizes {
    std::size_t rows, width, row;  // width: the model's own
};

struct EmbedTask {
    RowSizes sizes;
    const std::int32_t *ids, *types, *positions;         // (rows); types may be null: all 0
    const float *word_rows, *type_rows, *position_rows;  // (.., row); all but the first may be null
    NormView norm;
    void* operands;   // (rows, row)
    float* residual;  // (rows, row), or null
};
void embed(Precision precision, const EmbedTask& task, cudaStream_t stream);

// What is handed out: (rows, row), added to what is there or not, and multiplied.
struct VectorsView {
    float* values = nullptr;  // null: not handed out yet
    bool add = false;
    float scale = 1;
    std::int32_t* not_finite = nullptr;  // set to 1 when a value is
};

// sum = what went past a half of a layer + what it made of it; then the norm of that.
// With `residual`, that is where the sum is kept; else `operands` are what went past.
struct AddTask {
    RowSizes sizes;
    const void* delta;  // (rows, row), operands
    void* operands;     // (rows, row); left alone when the result is handed out
    float* residual;    // (rows, row), or null
    NormView norm;
    VectorsView vectors;
};
void add_and_normalize(Precision precision, const AddTask& task, cudaStream_t stream);

// Rows of a layer that is not the last one asked for: from `residual`, or else from `operands`.
struct CollectTask {
    RowSizes sizes;            // rows: the kept ones
    const std::int32_t* kept;  // (rows)
    const void* operands;
    const float* residual;  // or null
    VectorsView vectors;
};
void collect(Precision precision, const CollectTask& task, cudaStream_t stream);

struct TakeTask {
    RowSizes sizes;            // rows: the kept ones
    const std::int32_t* kept;  // (rows)
    const void* from_operands;
    void* to_operands;
    const float* from_residual;  // or null
    float* to_residual;
};
void take_rows(Precision precision, const TakeTask& task, cudaStream_t stream);

// In place.
void activate(Precision precision, Activation activation, std::size_t count, void* values, cudaStream_t stream);

// both (rows, 2 width): what is activated, then what it is multiplied by; to (rows, width).
void activate_and_multiply(Precision precision, Activation activation, std::size_t rows, std::size_t width,
                           const void* both, void* to, cudaStream_t stream);

struct AttentionTask {
    std::size_t heads, head, head_row;
    std::size_t reach;  // a query sees keys at most this far from its position
    std::size_t tiles;
    const Tile* tile;                      // (tiles)
    const std::int32_t* positions;         // of the queries, by their rows
    const void *query, *key, *value;       // (.., heads, head_row), operands
    std::size_t query_stride, key_stride;  // between rows; values are as far apart as keys
    const void*
        rotations;  // (position, head_row / 2, 2): cosine and sine, in f32, or f16 for operands of 16 bits; or null
    void* to;       // (queries, heads, head_row), operands
};
void attend(Precision precision, const AttentionTask& task, cudaStream_t stream);

}  // namespace wordbreadth::encoder::cuda
