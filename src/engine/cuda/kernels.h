// A batch of pairs of one shape on the device: what is where, and how large; and the kernels, as functions that launch
// them. Each is asynchronous in `stream` and checks its launch.
//
// P pairs; N = n + m rows in d dimensions; Np, dp: N and d rounded up to whole 32-bit words and tiles, the rest filled
// with zeros. Z stands for the aligned rows of a pair less their mean, K = Z Z^T, both kept in half precision. Kernels
// take batches by value.
#pragma once

#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "cuda/runtime.h"
#include "engine/verdict.h"

namespace wordbreadth::engine::cuda {

using wordbreadth::cuda::Arena;
using wordbreadth::cuda::Buffer;
using wordbreadth::cuda::check_launch;
using wordbreadth::cuda::Event;
using wordbreadth::cuda::OutOfMemory;
using wordbreadth::cuda::properties;
using wordbreadth::cuda::Stream;

inline constexpr int row_unit = 32;     // Np is a multiple of it: rows of one 32-bit word of a mask
inline constexpr int column_unit = 64;  // dp is a multiple of it

// Columns of the screen by leading columns: leading directions of K, then c~ in three limbs of eight bits. That of the
// robust statistic has as many again: these times c~, and the squares of c~.
inline constexpr int panel_columns = 16;
inline constexpr int limbs = 3;
inline constexpr int directions = panel_columns - limbs;

struct Shape {
    int n, m, N, d;
    int Np, dp;
    int words;    // 32-bit words of a mask: Np / 32
    bool robust;  // the statistic is studentised
    bool blocks;  // rows are the sums of blocks: not of unit length, and counted
    bool align;
    bool precise;  // most splits come to K, which is made with more care
};

// A pair as it comes: its clouds on the device, and when a split of it exceeds.
struct PairSource {
    const float* x;        // (n, dp) unit rows
    const float* y;        // (m, dp)
    const double* x_full;  // (n, d) the same in full
    const double* y_full;  // (m, d)
    const double* sum_x;   // (d)
    const double* sum_y;   // (d)
    double length_x, length_y;
    double rounding;   // of the rows in float32: the largest distance of one from the full one
    double low, high;  // -inf, inf where the alternative has none
    // Of blocks: their numbers of rows and their squared lengths, (n) and (m).
    const double* counts_x;
    const double* counts_y;
    const double* squares_x;
    const double* squares_y;

    [[nodiscard]] WORDBREADTH_BOTH double count(int k, int n) const { return k < n ? counts_x[k] : counts_y[k - n]; }
    [[nodiscard]] WORDBREADTH_BOTH double square(int k, int n) const { return k < n ? squares_x[k] : squares_y[k - n]; }
};

// What the kernels find out about a pair, one after the other.
struct PairFacts {
    double tt;          // squared length of the sum of all aligned rows
    double mirror_sum;  // u . that sum
    double c_error;     // bound of the error of c~ . z for any split
    double c_total;     // 1 . c~, which is 0 up to rounding
    double c_squares;   // |c~|^2
    double magnitude;   // bound of the norm of K with its entries' magnitudes
    // Of K in half precision, and with its rest:
    double K_total[2];     // 1 . K 1, which is 0 up to rounding
    double gram_error[2];  // bound of how far K is off
    // Of blocks:
    double rows;                // in all of them
    double c2, c3, c4;          // sums of the powers of their numbers of rows
    double squares;             // and of their squared lengths
    double R0;                  // mean cosine of the pairs of rows from different ones
    double constants, weights;  // lengths of the columns `constant` and `weight` of their BlockColumns
    // Of what the leading columns leave of K: see remainder.cu.
    double shift;      // K = L L^T + shift + E
    double remainder;  // bound of the Frobenius norm of E
    double L_squares;  // |L|_F^2
};

// What the screen needs of a block: with sign 1 in the first group and -1 in the second,
// a = sign (K z - alpha K 1 + A / N - weight (n_1 - alpha n)) + constant of the group; see engine/cpu/cascade.h for a.
struct BlockColumns {
    float constant1, constant2;
    float weight;  // R0 c
    float c;       // rows of the block
};

// The head of a pair's panel in the linear screen: what A alone decides, in units of the last limb. A split exceeds
// when A <= yes_below or A >= yes_above, and does not when no_from <= A <= no_to.
struct LinearHead {
    float yes_below, no_from, no_to, yes_above;
};

// What the head of a pair's panel of leading columns has for either statistic.
struct HeadFacts {
    float mean1, mean2;  // alpha^2 tt, beta^2 tt
    float centre;        // of q^T E q
    float c_unit;        // value of the last limb's unit
    float Q_error, A_error;
    float low, high;
    float slack;
};

struct PanelHead : HeadFacts {
    float scale[panel_columns];  // y_j = scale (product_j - alpha sum_j); 0 for limbs
    float shift[panel_columns];  // scale alpha sum_j
    float unused[23];
};
static_assert(sizeof(PanelHead) == 256);

// Of the robust statistic. With L the leading columns and y = L^T q:
struct RobustHead : HeadFacts {
    float scale[2 * panel_columns];  // y_j, or (c~ L)_j . z, = scale product_j - shift; 0 for limbs
    float shift[2 * panel_columns];
    float length[panel_columns];       // |L y|^2 is at most the sum of length y^2
    float total[panel_columns];        // 1 . L
    float cross_total[panel_columns];  // c~ . L
    float c2_unit, c2_total;           // of the squares of c~: the last limb's unit, and their sum
    float V_error, V_error_y;          // of a group's sum of squares, and for each unit of |y|
    float unseen;                      // bound of the length of what is not seen of K q and c~
    float unused[2];
};
static_assert(sizeof(RobustHead) == 512);

struct Batch {
    Shape shape;
    int pairs;
    const int* stop;           // (1) set when nobody wants the results any more: kernels that may run long then end
    bool leading;              // whether the screen by leading columns is used
    const PairSource* source;  // (P)
    PairFacts* facts;          // (P)
    double* mirror;            // (P, dp) u
    double* sum;               // (P, dp) of all aligned rows
    double* sum_for_x;         // (P, dp) the same reflected: what a row of x before its reflection is multiplied with
    float* short_mirror;       // (P, dp) u and
    float* short_mean;         // (P, dp) the mean of the aligned rows, in float32
    double* c;                 // (P, Np) c~: products of the rows with the sum, less their mean
    float* row_rounding2;      // (P, Np) squares of what half precision took from a row of Z
    __half* Z;                 // (P, Np, dp)
    __half* Z_rest;            // (P, Np, dp) what half precision takes from Z; null unless the shape is precise
    __half* K;                 // (P, Np, Np)
    __half* K_rest;            // (P, Np, Np) rest_scale times what half precision takes from K; or null, as Z_rest
    double* K_squares;  // (P, tiles, 3) sums of the squares of K, of what rounding took, and of what K_rest lacks
    float* K_sums;      // (2, P, Np) row sums of K in half precision, and with its rest
    BlockColumns* block_columns;  // (P, Np)
    float* columns;         // (P, Np, column_stride) work space of the leading columns where shared memory has no room
    __half* basis;          // (P, panel_columns, Np + 8) likewise
    unsigned char* linear;  // (P, linear_bytes) LinearHead, then the limbs of c~
    std::size_t linear_bytes;  // sizeof(LinearHead) + words linear_word_bytes
    unsigned char* panels;  // (P, panel_bytes) PanelHead or RobustHead, then int8 columns as the instruction wants them
    std::size_t panel_bytes;
    // Of the robust statistic, where leading columns are used: what they leave of K and its square, and for each the
    // sums of squares as in K_squares, of the square and of the fourth power.
    __half* E;          // (2, P, Ep, Ep) with Ep rows, tiled_rows(Np)
    double* E_squares;  // (2, P, tiles, 3)
};

inline constexpr float rest_scale = 2048;  // a power of 2 for which the rest of K is no denormal number

inline constexpr int column_stride = 20;       // floats of a row of columns: sixteen, and four against bank conflicts
inline constexpr int linear_word_bytes = 128;  // limbs of 32 rows, and as many zeros
inline constexpr int panel_word_bytes = 512;   // int8 columns of 32 rows; the robust statistic has two of them

[[nodiscard]] WORDBREADTH_BOTH std::size_t panel_bytes_of(const Shape& shape) {
    return shape.robust ? sizeof(RobustHead) + static_cast<std::size_t>(shape.words) * 2 * panel_word_bytes
                        : sizeof(PanelHead) + static_cast<std::size_t>(shape.words) * panel_word_bytes;
}

inline constexpr int list_count = 3;

// Some splits of a job, and what is known of them for every pair of a batch.
struct Chunk {
    std::uint64_t first;   // number of the first split, from 1
    int count;             // splits
    int capacity;          // splits rounded up to whole blocks; the stride of the arrays below
    std::uint32_t* bits;   // (words, capacity) word w of split b: rows 32 w .. 32 w + 31 of the first group
    std::uint32_t* flags;  // (P, capacity / 32) bit b is set when the split exceeds
    std::uint32_t* open;   // (P, capacity / 32) bit b is set when the first screen leaves the split open
    // Splits that a step leaves to the next one, by place in the chunk: (P, capacity), and how many: (P).
    int* left[list_count];
    int* left_count[list_count];
};

// ---- kernels

// A cloud that comes to the device.
struct Arrival {
    double* full;    // (n, d)
    float* rounded;  // (n, dp) in float32, zeros after the last column
    float* off2;     // (n) the square of each row's distance from the full one
    int n, d, dp;
};
// Rounds the rows of clouds, which are listed `there` as well.
void to_float(std::span<const Arrival> clouds, const Arrival* there, cudaStream_t stream);

// Tiles of 128 x 128 of K on and below the diagonal, for this many rows.
[[nodiscard]] WORDBREADTH_BOTH int gram_tiles(int rows) {
    const int tiles = (rows + 127) / 128;
    return tiles * (tiles + 1) / 2;
}

// ---- preparing the pairs of a batch, in this order

// u, the sum of the aligned rows, tt.                                       geometry.cu
void align_pairs(const Batch& batch, cudaStream_t stream);
// Z and c~.
void centre_rows(const Batch& batch, cudaStream_t stream);
// What blocks are, and their columns.
void measure_blocks(const Batch& batch, cudaStream_t stream);
// K = Z Z^T.                                                                gram.cu
void multiply_rows(const Batch& batch, cudaStream_t stream);
// `to` = A A^T for the (rows, rows) matrices `from` of all pairs, and the sums of squares, as in K_squares. `to` may be
// null; rows are a multiple of 64.
void square(const Batch& batch, int rows, const __half* from, __half* to, double* squares, cudaStream_t stream);
// The panels of the first screen: leading columns, limbs of c~, and how far off it can be.   leading.cu
void find_leading(const Batch& batch, cudaStream_t stream);
// Rows up to which it needs no work space in global memory.
inline constexpr int rows_in_shared = 640;
// For the robust statistic: how far what the leading columns leave of K can be from its middle.     remainder.cu
void bound_remainder(const Batch& batch, cudaStream_t stream);
[[nodiscard]] WORDBREADTH_BOTH int tiled_rows(int rows) {
    return (rows + 63) / 64 * 64;
}

// ---- deciding a chunk of splits

struct Drawing {
    std::uint64_t seed;
    const std::uint64_t* combinations;  // enumerated: (N + 1, smaller + 1) number of splits; else null
    int smaller;                        // rows in the smaller group
};
void draw_splits(const Shape& shape, const Drawing& drawing, const Chunk& chunk, cudaStream_t stream);  // splits.cu

// The screens of the cascade. Each takes the splits that are still open (the first: all of them), sets the flags of
// those that exceed, and leaves the rest in the list `to`. `active` names the pairs to look at: (count).
struct Active {
    const int* pairs;
    int count;
};
struct Step {
    Batch batch;
    Active active;
    Chunk chunk;
};
// The first sets all flags, and `open`, from which the second starts.
void screen_linear(const Batch& batch, const Active& active, const Chunk& chunk, cudaStream_t stream);
void screen_leading(const Batch& batch, const Active& active, const Chunk& chunk, int to, cudaStream_t stream);
// The robust statistic's first: sets all flags, and `open`.                                     screen_robust.cu
void screen_robust(const Batch& batch, const Active& active, const Chunk& chunk, cudaStream_t stream);
// from < 0: all splits. `both`: with the rest of K.
void screen_gram(const Batch& batch, const Active& active, const Chunk& chunk, int from, int to, bool both,
                 cudaStream_t stream);
// Shared memory that it needs.
[[nodiscard]] std::size_t gram_screen_bytes(const Shape& shape);
// Puts the splits that are open into the list `to`.
void list_open(const Active& active, const Chunk& chunk, int to, cudaStream_t stream);
// Puts every split of the chunk into the list `to`.
void leave_all(const Active& active, const Chunk& chunk, int to, cudaStream_t stream);

// By the full vectors, in float64.                                                                       rows.cu
void decide_by_rows(const Batch& batch, const Active& active, const Chunk& chunk, int from, int to, double* scratch,
                    cudaStream_t stream);
// Elements of `scratch`; only the robust statistic needs any.
[[nodiscard]] std::size_t rows_scratch(const Shape& shape);

// Sets the flags of the first `count` splits in a list of a pair.
void set_flags(const Chunk& chunk, int list, int pair, int count, cudaStream_t stream);

// Of every active pair: how many of the chunk's flags are set, and the place of the `wanted`-th of them (-1: fewer).
struct Counted {
    int exceedances;
    int place;
};
void count_flags(const Active& active, const Chunk& chunk, const std::uint64_t* wanted, Counted* counted,
                 cudaStream_t stream);

}  // namespace wordbreadth::engine::cuda
