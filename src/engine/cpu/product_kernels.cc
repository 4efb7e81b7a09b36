// Products of matrices in float32 that need no code written first. See kernels.h and kernels_each.h.
//
// On a Xeon with AVX-512 36 to 63 thousand million multiplications a second (13 columns: 21), AVX2 20 to 32, where
// oneDNN's has 50 to 74 with AVX-512.
#include "engine/cpu/kernels_each.h"

namespace wordbreadth::engine::cpu::WORDBREADTH_ISA {
namespace {

// Of a tile of the result, which stays in registers: AVX-512 has 32 of them, the others 16.
constexpr std::size_t floats = 2 * lanes;
constexpr std::size_t vectors = 2;
constexpr std::size_t tile_columns = vectors * floats;
#if defined(__AVX512F__)
constexpr std::size_t tile_rows = 12;
#else
constexpr std::size_t tile_rows = 6;
#endif
constexpr std::size_t most_inner = 256;  // of them at a time: tile_columns as many stay in the first cache

typedef float Wide __attribute__((vector_size(4 * floats)));

inline Wide all(float value) {
    return value - Wide{};
}

// Where op(A) or op(B) is kept: from a row to the next, and from a column to the next.
struct Steps {
    std::size_t row, column;
};

struct Tile {
    Wide sums[tile_rows][vectors];
};

// `b` is (inner, tile_columns), its rows `stride` apart. Not unrolled, the compiler keeps the sums in memory: a tenth
// of the speed.
inline void add_up(const float* const* rows_of_a, std::size_t step, const float* b, std::size_t stride,
                   std::size_t inner, Tile& tile) {
    Wide sums[tile_rows][vectors] = {};
    for (std::size_t k = 0; k < inner; ++k) {
        Wide of_b[vectors];
#pragma GCC unroll 2
        for (std::size_t v = 0; v < vectors; ++v) of_b[v] = load<Wide>(b + k * stride + v * floats);
#pragma GCC unroll 12
        for (std::size_t r = 0; r < tile_rows; ++r) {
            const Wide of_a = all(rows_of_a[r][k * step]);
#pragma GCC unroll 2
            for (std::size_t v = 0; v < vectors; ++v) sums[r][v] += of_a * of_b[v];
        }
    }
#pragma GCC unroll 12
    for (std::size_t r = 0; r < tile_rows; ++r)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < vectors; ++v) tile.sums[r][v] = sums[r][v];
}

// Some columns of op(B), those behind the last one zero.
inline void pack(const float* b, const Steps& steps, std::size_t inner, std::size_t columns, float* to) {
    for (std::size_t k = 0; k < inner; ++k)
        for (std::size_t j = columns; j < tile_columns; ++j) to[k * tile_columns + j] = 0;
    if (steps.column == 1) {
        for (std::size_t k = 0; k < inner; ++k)
            __builtin_memcpy(to + k * tile_columns, b + k * steps.row, columns * sizeof(float));
        return;
    }
    for (std::size_t j = 0; j < columns; ++j)
        for (std::size_t k = 0; k < inner; ++k) to[k * tile_columns + j] = b[k * steps.row + j * steps.column];
}

inline void store(const Tile& tile, std::size_t rows, std::size_t columns, float alpha, float beta, float* c,
                  std::size_t stride) {
    for (std::size_t r = 0; r < rows; ++r) {
        float values[tile_columns];
        __builtin_memcpy(values, tile.sums[r], sizeof values);
        float* row = c + r * stride;
        if (beta == 0)
            for (std::size_t j = 0; j < columns; ++j) row[j] = alpha * values[j];
        else
            for (std::size_t j = 0; j < columns; ++j) row[j] = alpha * values[j] + beta * row[j];
    }
}

}  // namespace

void multiply_matrices(const FloatProduct& shape, const float* a, std::size_t stride_a, const float* b,
                       std::size_t stride_b, float* c, std::size_t stride_c) {
    const Steps of_a = shape.transpose_a ? Steps{1, stride_a} : Steps{stride_a, 1};
    const Steps of_b = shape.transpose_b ? Steps{1, stride_b} : Steps{stride_b, 1};
    alignas(64) float packed[most_inner * tile_columns];
    for (std::size_t k = 0; k < shape.inner; k += most_inner) {
        const std::size_t inner = shape.inner - k < most_inner ? shape.inner - k : most_inner;
        const float beta = k == 0 ? shape.beta : 1;
        for (std::size_t j = 0; j < shape.columns; j += tile_columns) {
            const std::size_t columns = shape.columns - j < tile_columns ? shape.columns - j : tile_columns;
            const float* panel = b + k * of_b.row + j * of_b.column;
            const bool is_packed = of_b.column != 1 || columns < tile_columns;
            if (is_packed) pack(panel, of_b, inner, columns, packed);
            for (std::size_t i = 0; i < shape.rows; i += tile_rows) {
                const std::size_t rows = shape.rows - i < tile_rows ? shape.rows - i : tile_rows;
                const float* rows_of_a[tile_rows];  // the last one again, where there are fewer
                for (std::size_t r = 0; r < tile_rows; ++r)
                    rows_of_a[r] = a + (i + (r < rows ? r : rows - 1)) * of_a.row + k * of_a.column;
                Tile tile;
                add_up(rows_of_a, of_a.column, is_packed ? packed : panel, is_packed ? tile_columns : of_b.row, inner,
                       tile);
                store(tile, rows, columns, shape.alpha, beta, c + i * stride_c + j, stride_c);
            }
        }
    }
}

}  // namespace wordbreadth::engine::cpu::WORDBREADTH_ISA
