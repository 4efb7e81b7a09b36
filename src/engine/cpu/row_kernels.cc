// Drawing splits, loops over the rows of one split, and over the vectors of a pair. See kernels.h and kernels_each.h.
#include "engine/cpu/kernels_each.h"
#include "permutation/philox.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace wordbreadth::engine::cpu::WORDBREADTH_ISA {
namespace {

// Splits are drawn sixteen side by side, one in each lane of two vectors.
constexpr std::size_t splits_at_once = 16;
constexpr std::size_t halves = 2;
constexpr std::size_t eight = 8;

// A 32-bit number in the lower half of every lane; the upper half does not matter. A product of two of them then has
// its lower half in place, and its upper half is one shift away.
typedef std::uint64_t Lanes __attribute__((vector_size(8 * eight)));
typedef std::uint8_t Bytes __attribute__((vector_size(eight)));
typedef std::uint8_t Sixteen __attribute__((vector_size(16)));

// 32 x 32 bits in every lane. Written out because the compiler does not know that the upper halves do not count.
inline Lanes multiply(Lanes a, Lanes b) {
#if defined(__AVX512F__)
    return (Lanes)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(__x86_64__)
    Lanes product;
#if defined(__AVX2__)
    typedef __m256i Part;
    const auto multiply_part = [](Part x, Part y) { return _mm256_mul_epu32(x, y); };
#else
    typedef __m128i Part;
    const auto multiply_part = [](Part x, Part y) { return _mm_mul_epu32(x, y); };
#endif
    const Part* pa = (const Part*)&a;
    const Part* pb = (const Part*)&b;
    Part* to = (Part*)&product;
    for (std::size_t k = 0; k < sizeof(Lanes) / sizeof(Part); ++k) to[k] = multiply_part(pa[k], pb[k]);
    return product;
#else
    return (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF);
#endif
}

// The same value in every lane.
inline Lanes all(std::uint64_t value) {
    return Lanes{} + value;
}

constexpr std::uint64_t factor0 = permutation::philox_factor0;
constexpr std::uint64_t factor1 = permutation::philox_factor1;
constexpr int rounds = permutation::philox_rounds;

struct Keys {
    std::uint64_t first[rounds], second[rounds];

    explicit Keys(std::uint64_t seed) {
        auto a = (std::uint32_t)seed;
        auto b = (std::uint32_t)(seed >> 32);
        for (int round = 0; round < rounds;
             ++round, a += permutation::philox_key_step0, b += permutation::philox_key_step1) {
            first[round] = a;
            second[round] = b;
        }
    }
};

struct Four {
    Lanes number[4];
};

// Philox4x32-10 for eight splits: counters (low, high, block, 0). What the first two rounds make of the split alone is
// kept from block to block: it saves three of their four products.
struct Philox {
    Lanes high, second_low, third_part, third_low;

    Philox(std::uint64_t first_split, const Keys& keys) {
        Lanes low;
        for (std::size_t lane = 0; lane < eight; ++lane) {
            low[lane] = (std::uint32_t)(first_split + lane);
            high[lane] = (first_split + lane) >> 32;
        }
        second_low = multiply(low, all(factor0));
        third_low = multiply((second_low >> 32) ^ keys.second[0], all(factor1));
        third_part = (third_low >> 32) ^ keys.first[1];
    }

    [[nodiscard]] Four operator()(std::uint32_t block, const Keys& keys) const {
        const std::uint64_t product = block * factor1;
        const Lanes second = multiply(high ^ ((product >> 32) ^ keys.first[0]), all(factor0));
        Lanes x0 = third_part ^ (product & 0xFFFFFFFF);
        Lanes x1 = third_low;
        Lanes x2 = (second >> 32) ^ second_low ^ keys.second[1];
        Lanes x3 = second;
        for (int round = 2; round < rounds; ++round) {
            const Lanes a = multiply(x0, all(factor0));
            const Lanes b = multiply(x2, all(factor1));
            x0 = (b >> 32) ^ x1 ^ keys.first[round];
            x1 = b;
            x2 = (a >> 32) ^ x3 ^ keys.second[round];
            x3 = a;
        }
        return {{x0, x1, x2, x3}};
    }
};

// (16 rows, 16 splits) of bytes to (16 splits, 16 rows): four rounds of shuffling the halves into each other.
inline void transpose(Sixteen* tile) {
    for (int round = 0; round < 4; ++round) {
        Sixteen next[16];
        for (std::size_t i = 0; i < 8; ++i) {
            next[2 * i] =
                __builtin_shufflevector(tile[i], tile[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            next[2 * i + 1] = __builtin_shufflevector(tile[i], tile[i + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13,
                                                      29, 14, 30, 15, 31);
        }
        for (std::size_t i = 0; i < 16; ++i) tile[i] = next[i];
    }
}

// A row joins the first group when floor(u left / 2^32) < wanted, with so many rows left and so many of them wanted.
inline Bytes take(Lanes u, Lanes left, Lanes& wanted) {
    const Lanes taken = (Lanes)((multiply(u, left) >> 32) < wanted);
    wanted += taken;  // all ones is minus one
    return __builtin_convertvector(taken & 1, Bytes);
}

inline void draw_sixteen(const Keys& keys, std::uint64_t first, std::size_t N, std::size_t n, std::uint8_t* masks,
                         std::size_t stride) {
    const Philox philox[halves] = {{first, keys}, {first + eight, keys}};
    Lanes wanted[halves] = {all(n), all(n)};
    for (std::size_t i = 0; i < N; i += splits_at_once) {
        Sixteen tile[splits_at_once] = {};
        const std::size_t rows = N - i < splits_at_once ? N - i : splits_at_once;
        for (std::size_t k = 0; k < rows; k += 4) {
            // One half after the other: both at once are more than AVX2 has registers for, and twice as slow there.
            for (std::size_t half = 0; half < halves; ++half) {
                const Four numbers = philox[half]((std::uint32_t)((i + k) / 4), keys);
                for (std::size_t w = 0; w < 4 && k + w < rows; ++w) {
                    const Bytes bytes = take(numbers.number[w], all(N - i - k - w), wanted[half]);
                    __builtin_memcpy((std::uint8_t*)&tile[k + w] + half * eight, &bytes, sizeof bytes);
                }
            }
        }
        transpose(tile);
        for (std::size_t split = 0; split < splits_at_once; ++split)
            __builtin_memcpy(masks + split * stride + i, &tile[split], sizeof tile[split]);
    }
}

}  // namespace

void draw(std::uint64_t seed, std::uint64_t first, std::size_t count, std::size_t N, std::size_t n, std::uint8_t* masks,
          std::size_t stride) {
    const Keys keys(seed);
    for (std::size_t i = 0; i < count; i += splits_at_once)
        draw_sixteen(keys, first + i, N, n, masks + i * stride, stride);
}

namespace {

// add(i, z) for all rows or blocks i of a mask: for as many as a vector has, z being one too, and for one at the end.
// Bytes are converted some at a time, which the compiler does well only in a loop of its own.
template <class Add>
inline void over_mask(const std::uint8_t* mask, std::size_t size, const Add& add) {
    constexpr std::size_t at_once = 64;
    double z[at_once];
    for (std::size_t first = 0; first < size; first += at_once) {
        const std::size_t count = size - first < at_once ? size - first : at_once;
#pragma omp simd
        for (std::size_t i = 0; i < count; ++i) z[i] = (std::int32_t)mask[first + i];
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) add(first + i, load<Doubles>(z + i));
        for (; i < count; ++i) add(first + i, z[i]);
    }
}

inline Doubles at(const double* values, std::size_t i, Doubles) {
    return load<Doubles>(values + i);
}
inline double at(const double* values, std::size_t i, double) {
    return values[i];
}

// Sums in vectors, and of what fills none.
struct Sum {
    Doubles vectors{};
    double ones = 0;

    void operator+=(Doubles value) { vectors += value; }
    void operator+=(double value) { ones += value; }
    [[nodiscard]] double value() const { return sum_of(vectors) + ones; }
};

// e of a row or block on: of as many as a vector has, or of one.
struct FloatsAt {
    const float* e;

    Doubles operator()(std::size_t i, Doubles) const { return __builtin_convertvector(load<Floats>(e + i), Doubles); }
    double operator()(std::size_t i, double) const { return e[i]; }
};

struct ProductsAt {
    const std::int32_t* products;
    DenseColumns dense;

    template <typename Value>
    Value operator()(std::size_t i, Value z) const {
        return dense.step * product(i, z) + (at(dense.offset, i, z) + z * at(dense.diagonal, i, z));
    }
    Doubles product(std::size_t i, Doubles) const {
        return __builtin_convertvector(load<Integers>(products + i), Doubles);
    }
    double product(std::size_t i, double) const { return products[i]; }
};

// The groups' sums and sums of squares.
struct GroupSums {
    Sum sum1, sum2, squares1, squares2;

    template <typename Value>
    void add(Value value, Value z) {
        const Value first = z * value;
        const Value second = value - first;
        sum1 += first;
        sum2 += second;
        squares1 += first * first;
        squares2 += second * second;
    }
    // The squares about the means.
    void spreads(const Shape& shape, double* out) const {
        out[0] = larger(squares1.value() - sum1.value() * sum1.value() / shape.n, 0);
        out[1] = larger(squares2.value() - sum2.value() * sum2.value() / shape.m, 0);
    }
};

// The products of the first group, added up: at most 127 n^2, n being at most 4,096, which an int32 holds.
inline std::int32_t sum_inside(const std::int32_t* products, const std::uint8_t* mask, std::size_t N) {
    std::int32_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < N; ++i) sum += products[i] & -(std::int32_t)mask[i];
    return sum;
}

}  // namespace

void moments(const float* e, const double* c, const std::uint8_t* mask, const Shape& shape, std::size_t N,
             double* out) {
    const double alpha = shape.alpha, beta = 1 - alpha;
    const FloatsAt e_at{e};
    Sum A, Q;
    over_mask(mask, N, [&](std::size_t i, auto z) {
        A += z * at(c, i, z);
        Q += (z - alpha) * e_at(i, z);
    });
    out[0] = A.value();
    out[1] = Q.value();
    if (!shape.robust) return;
    GroupSums sums;
    over_mask(mask, N, [&](std::size_t i, auto z) { sums.add(e_at(i, z) + (z - beta) * at(c, i, z), z); });
    sums.spreads(shape, out + 2);
}

void moments_of_products(const std::int32_t* products, const DenseColumns& dense, const std::uint8_t* mask,
                         const Shape& shape, std::size_t N, double* out) {
    out[0] = limbs(products + N, dense.c_unit);
    if (!shape.robust) {
        out[1] = dense.step * sum_inside(products, mask, N) + limbs(products + N + 3, dense.linear_unit) +
                 dense.plain_constant;
        return;
    }
    GroupSums sums;
    const ProductsAt values{products, dense};
    over_mask(mask, N, [&](std::size_t i, auto z) { sums.add(values(i, z), z); });
    // q . e, the sums of c~ over the two groups being each other's opposites.
    out[1] = (1 - shape.alpha) * sums.sum1.value() - shape.alpha * sums.sum2.value() + dense.robust_constant;
    sums.spreads(shape, out + 2);
}

namespace {

struct InfluenceSums {
    Sum a, aa, ac, acc;

    template <typename Value>
    void add(Value of_block, Value c) {
        const Value with_c = of_block * c;
        a += of_block;
        aa += of_block * of_block;
        ac += with_c;
        acc += with_c * c;
    }
    [[nodiscard]] BlockSplit::Moments values() const { return {a.value(), aa.value(), ac.value(), acc.value()}; }
};

// e_at(i, z) is e of block i on; z and the result are vectors or one value.
template <class At>
inline void add_up_split(const At& e_at, const BlockColumns& in, const std::uint8_t* mask, std::size_t K,
                         BlockSplit& out) {
    const BlockColumns columns = in;
    Sum n_sum, c2, c3, c4, y_sum;
    over_mask(mask, K, [&](std::size_t i, auto z) {
        const auto c = at(columns.c, i, z);
        const auto zc = z * c;
        const auto cc = c * c;
        n_sum += zc;
        c2 += z * cc;
        c3 += zc * cc;
        c4 += z * cc * cc;
        y_sum += z * at(columns.p, i, z);
    });
    const double n = n_sum.value();
    const double y = y_sum.value();
    // a in the first group, e + n slope + y c + constant; in the second all that depends on the split is that of the
    // other rows, and those of both cancel out in e and in y.
    const double others = columns.rows - n;
    InfluenceSums first, both;
    Sum e_sum;
    over_mask(mask, K, [&](std::size_t i, auto z) {
        const auto c = at(columns.c, i, z);
        const auto e = e_at(i, z);
        const auto a = (z + z - 1.0) * (e + y * c) + (others + z * (n - others)) * at(columns.slope, i, z) +
                       at(columns.constant, i, z);
        e_sum += e;
        first.add(z * a, c);
        both.add(a, c);
    });
    out = {n, c2.value(), c3.value(), c4.value(), e_sum.value(), first.values(), both.values()};
}

}  // namespace

void block_moments(const float* e, const BlockColumns& columns, const std::uint8_t* mask, std::size_t K,
                   BlockSplit& out) {
    add_up_split(FloatsAt{e}, columns, mask, K, out);
}

void block_moments_of_products(const std::int32_t* products, const DenseColumns& dense, const BlockColumns& columns,
                               const std::uint8_t* mask, std::size_t K, BlockSplit& out) {
    add_up_split(ProductsAt{products, dense}, columns, mask, K, out);
}

double dot(const double* a, const double* b, std::size_t size) {
    // Four sums: one alone waits for itself.
    Doubles sums[4] = {};
    std::size_t i = 0;
    for (; i + 4 * lanes <= size; i += 4 * lanes)
        for (std::size_t k = 0; k < 4; ++k)
            sums[k] += load<Doubles>(a + i + k * lanes) * load<Doubles>(b + i + k * lanes);
    double rest = 0;
    for (; i < size; ++i) rest += a[i] * b[i];
    return sum_of((sums[0] + sums[1]) + (sums[2] + sums[3])) + rest;
}

void to_float(const double* from, std::size_t size, float* to) {
#pragma omp simd
    for (std::size_t i = 0; i < size; ++i) to[i] = (float)from[i];
}

void mask_to_float(const std::uint8_t* from, std::size_t size, float* to) {
#pragma omp simd
    for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
}

double squares(const float* a, std::size_t size) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < size; ++i) sum += (double)a[i] * (double)a[i];
    return sum;
}

void times_vector(const float* a, std::size_t size, const float* x, float* y) {
    // The matrix is symmetric: columns are rows, and adding them up needs no sums across a vector.
    for (std::size_t k = 0; k < size; ++k) y[k] = 0;
    std::size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        const float* row = a + i * size;
        const float x0 = x[i], x1 = x[i + 1], x2 = x[i + 2], x3 = x[i + 3];
#pragma omp simd
        for (std::size_t k = 0; k < size; ++k)
            y[k] += (x0 * row[k] + x1 * row[k + size]) + (x2 * row[k + 2 * size] + x3 * row[k + 3 * size]);
    }
    for (; i < size; ++i)
#pragma omp simd
        for (std::size_t k = 0; k < size; ++k) y[k] += x[i] * a[i * size + k];
}

double round_row(const float* row, float step, std::size_t size, std::int8_t* units, float* rest) {
    const float inverse = 1 / step;
    // Adding and taking away 1.5 * 2^23 rounds to the nearest integer.
    constexpr float rounder = 12582912.0F;
    std::int32_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < size; ++i) {
        float value = row[i] * inverse;
        value = value < -127 ? -127 : value > 127 ? 127 : value;
        const float rounded = (value + rounder) - rounder;
        units[i] = (std::int8_t)rounded;
        rest[i] = row[i] - rounded * step;
        sum += (std::int32_t)rounded;
    }
    return sum;
}

bool factor_panel(float* a, std::size_t stride, std::size_t rows, std::size_t width) {
    for (std::size_t j = 0; j < rows; ++j) {
        float* pivot_row = a + j * stride;
        if (!(pivot_row[j] > 0)) return false;
        const float scale = 1 / __builtin_sqrtf(pivot_row[j]);
#pragma omp simd
        for (std::size_t k = j; k < width; ++k) pivot_row[k] *= scale;
        for (std::size_t i = j + 1; i < rows; ++i) {
            float* row = a + i * stride;
            const float factor = pivot_row[i];
#pragma omp simd
            for (std::size_t k = i; k < width; ++k) row[k] -= factor * pivot_row[k];
        }
    }
    return true;
}

void correct_row(float* row, double row_part, const double* column_part, double factor, const double* column,
                 std::size_t size) {
#pragma omp simd
    for (std::size_t i = 0; i < size; ++i) row[i] = (float)(row[i] - row_part - column_part[i] - factor * column[i]);
}

const Kernels table = {WORDBREADTH_NAME(WORDBREADTH_ISA),
                       draw,
                       low_rank,
                       moments,
                       moments_of_products,
                       block_moments,
                       block_moments_of_products,
                       block_low_rank,
                       decide,
                       multiply_matrices,
                       dot,
                       to_float,
                       mask_to_float,
                       squares,
                       times_vector,
                       round_row,
                       factor_panel,
                       correct_row};

}  // namespace wordbreadth::engine::cpu::WORDBREADTH_ISA
