// The inner loops of the CPU engine, compiled once for every instruction set and chosen at run time.
//
// Notation, as in the method: z marks the first group of a split, alpha = n / N, q = z - alpha, c~ the centred row
// sums of the Gram matrix, K the double-centred Gram matrix, e = K q. Everything a split needs is
//   A = z . c~,   Q = q . e,   V1, V2 = the groups' sums of squares of x_i . s_g about their means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wordbreadth::engine::cpu {

// What decides a split, common to all the splits of a pair.
struct Shape {
    double n, m, d;
    double alpha;  // n / N
    double tt;     // squared length of the sum of all rows
    bool robust;
    double low, high;  // the statistic exceeds when <= low or >= high; -inf, inf where the alternative has none
};

// What a screen knows of a block of splits: estimates, and how far off they can be.
struct Estimates {
    const double* A;
    const double* Q;
    double A_error;
    double Q_error;
    // Robust only: bounds of V1 and V2 as the screen sees them, and of the length of what it does not see, which is to
    // be added to the vector of both groups' distances from their means.
    const double* V1_low;
    const double* V1_high;
    const double* V2_low;
    const double* V2_high;
    double unseen;
    // The square of a further length, of which the split between the groups is not known.
    const double* shared;
    // Thresholds of each split, instead of the shape's; or null.
    const double* low = nullptr;
    const double* high = nullptr;
};

enum Verdict : std::uint8_t { no = 0, yes = 1, undecided = 2 };

// Bytes from one mask of N rows to the next.
[[nodiscard]] constexpr std::size_t mask_stride(std::size_t N) {
    return (N + 15) / 16 * 16;
}

// The columns of a low-rank product come in panels of 16: first those of L, whose last panel ends with the three limbs
// of c~; then, robust only, as many of diag(c~) L, which end with the three limbs of c~^2. See screens.h.
inline constexpr std::size_t panel_columns = 16;

struct LowRankLayout {
    std::size_t half = 0;                // columns of L with the limbs of c~: a multiple of 16
    std::size_t columns = 0;             // half (plain) or twice that (robust)
    const double* scale = nullptr;       // (columns) value of one unit; 0 for limbs
    const double* column_sum = nullptr;  // (columns) sum over all rows, in units
    double c_unit = 0;                   // value of the last limb's unit
    double centre = 0;                   // what the part of Q outside L is taken to be
    const double* cross_sum =
        nullptr;  // (half) exact column sums of diag(c~) L, 0 for limbs; robust only, like all that follows
    double c2_unit = 0;
    double cross_error = 0;              // bound of |(diag(c~) L - its int8 columns)^T q|
    double c_error = 0;                  // bound of the error of A
    double c2_error = 0;                 // the same for the sum of c~^2 over a group
    double c2_total = 0;                 // sum of c~^2 over all rows
    const double* gram_bound = nullptr;  // (half) |L y|^2 is at most the sum of these times y_j^2; 0 for limbs
};

// What makes e of a row of int8 products: e_i = step product_i + offset_i + diagonal_i z_i. For the statistic of rows
// it makes e + (z - 1 + alpha) c~: x_i . s_1 in the first group and -(x_i . s_2) in the second, less a constant.
//
// Behind the N products of a split there are those of the limbs of c~ and of what Q has besides the first group's
// products: three columns each.
inline constexpr std::size_t dense_limbs = 6;
struct DenseColumns {
    const double* offset;
    const double* diagonal;
    double step;
    double c_unit, linear_unit;
    double plain_constant, robust_constant;  // of Q
};

// What a pair brings to the statistic of blocks, one value per block; see BlockScreen in engine/cpu/cascade.h.
struct BlockColumns {
    const double* c;         // rows of the block
    const double* p;         // D~ . mu
    const double* slope;     // of a in the number of rows of the block's group
    const double* constant;  // of a
    double rows;             // of all blocks
};

// Sums over the blocks of a split: of the powers of c over the first group, of a and of a with c over it and over both;
// and of e over both, which is 0 but for its errors.
struct BlockSplit {
    double n, c2, c3, c4, e;
    struct Moments {
        double a, aa, ac, acc;
    } first, both;
};

// What is linear in a split of blocks and decides it, up to e: sums over a group of these products of a block's c, p,
// slope (s) and constant (o); see BlockScreen.
//
// The first of them make up the mean cosines and have three limbs. The others make up variances only, for which two are
// enough: even with one block of 50 among single ones they leave a standard error within a few thousandths.
namespace form {
enum : std::size_t { c, p, o, cc, ccc, cccc, ss, oo, sc, so, scc, co, occ, count };
constexpr std::size_t of_three_limbs = 4;
constexpr std::size_t limbs = 2 * count + of_three_limbs;
}  // namespace form

// The columns of the product for blocks: those of L; as many of diag(t) L, t being nearly the influences' part that
// does not depend on e, divided by the number of rows; then the first limbs of the forms, the second and the third.
struct BlockLayout {
    LowRankLayout columns;           // `half` of them are those of L, a multiple of 8
    const double* unit = nullptr;    // (16) of the forms' second limbs; 0 past the last
    const double* third = nullptr;   // (8) the same for the third ones
    double per_rows = 0, shift = 0;  // t = slope + per_rows constant - shift
    double total[form::count]{};     // of the forms, over all blocks
    double error[form::count]{};     // bounds of the errors of their sums
    double blocks1 = 0, blocks2 = 0, d = 0;
    double mean2 = 0, R0 = 0;  // |mu|^2, and R of all rows
    double centre = 0;         // e is L y + centre q and what is not seen
    double Q_error = 0;        // bounds of the errors: of Q; of a group's sum of products besides; of the length
    double A_error = 0;        // of all influences of a split, but for L y
    double influence_error = 0;
    double low = 0, high = 0;  // as in Shape
};

// C (rows, columns) = alpha op(A) op(B) + beta C in float32, all row-major with the given strides.
struct FloatProduct {
    std::size_t rows, columns, inner;
    bool transpose_a = false;  // A is (inner, rows)
    bool transpose_b = false;  // B is (columns, inner)
    float alpha = 1;
    float beta = 0;
};

struct Kernels {
    const char* name;

    // Splits first .. first + count - 1 as 0/1 bytes, (count, stride), the tail of each row zero. `stride`
    // is a multiple of 16, and `masks` has room for whole sixteens of splits.
    void (*draw)(std::uint64_t seed, std::uint64_t first, std::size_t count, std::size_t N, std::size_t n,
                 std::uint8_t* masks, std::size_t stride);

    // A, Q and (robust) the bounds of V1 and V2 from the products (count, columns) of splits and the layout's columns.
    void (*low_rank)(const LowRankLayout& layout, const Shape& shape, const std::int32_t* products, std::size_t count,
                     double* A, double* Q, double* V1_low, double* V1_high, double* V2_low, double* V2_high,
                     double* shared);

    // A, Q and (robust) V1, V2 of one split from its e.
    void (*moments)(const float* e, const double* c, const std::uint8_t* mask, const Shape& shape, std::size_t N,
                    double* out);

    // The same from a row of int8 products.
    void (*moments_of_products)(const std::int32_t* products, const DenseColumns& dense, const std::uint8_t* mask,
                                const Shape& shape, std::size_t N, double* out);

    // The sums of one split from its e.
    void (*block_moments)(const float* e, const BlockColumns& columns, const std::uint8_t* mask, std::size_t K,
                          BlockSplit& out);

    // The same from a row of int8 products.
    void (*block_moments_of_products)(const std::int32_t* products, const DenseColumns& dense,
                                      const BlockColumns& columns, const std::uint8_t* mask, std::size_t K,
                                      BlockSplit& out);

    // Verdicts (count) on splits of blocks from the products (count, columns), behind which 8 more can be read. `low`
    // and `high`: thresholds of each split, instead of the layout's; or null.
    void (*block_low_rank)(const BlockLayout& layout, const std::int32_t* products, std::size_t count,
                           const double* low, const double* high, std::uint8_t* verdicts);

    // Verdicts (count) from estimates.
    void (*decide)(const Shape& shape, const Estimates& estimates, std::size_t count, std::uint8_t* verdicts);

    void (*multiply)(const FloatProduct& shape, const float* a, std::size_t stride_a, const float* b,
                     std::size_t stride_b, float* c, std::size_t stride_c);
    double (*dot)(const double* a, const double* b, std::size_t size);
    void (*to_float)(const double* from, std::size_t size, float* to);
    void (*mask_to_float)(const std::uint8_t* from, std::size_t size, float* to);
    // sum of a_i^2
    double (*squares)(const float* a, std::size_t size);
    // y (size) = a x for a symmetric matrix in float32, (size, size)
    void (*times_vector)(const float* a, std::size_t size, const float* x, float* y);
    // Rounds a row to multiples of step: int8 units, what is left, and the sum of the units.
    double (*round_row)(const float* row, float step, std::size_t size, std::int8_t* units, float* rest);
    // Cholesky's factor of the first `rows` rows (rows, width) of a symmetric matrix, upper triangle, in place. False
    // when a pivot is not positive.
    bool (*factor_panel)(float* a, std::size_t stride, std::size_t rows, std::size_t width);
    // row_j -= row_part + column_part_j + factor column_j
    void (*correct_row)(float* row, double row_part, const double* column_part, double factor, const double* column,
                        std::size_t size);
};

// The instruction sets that this machine has, slowest first. Names: generic, avx2, avx512.
[[nodiscard]] std::vector<std::string> instruction_sets();

// The kernels of one of them; an empty name: the fastest.
[[nodiscard]] const Kernels& kernels(const std::string& instruction_set);

}  // namespace wordbreadth::engine::cpu
