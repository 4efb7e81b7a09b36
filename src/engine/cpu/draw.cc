// Drawing splits: sixteen side by side, one in each lane of two vectors. See kernels.h and kernels_each.h.
#include "engine/cpu/kernels_each.h"
#include "permutation/philox.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace wordbreadth::engine::cpu::WORDBREADTH_ISA {
namespace {

constexpr std::size_t splits_at_once = 16;
constexpr std::size_t halves = 2;

// A 32-bit number in the lower half of every lane; the upper half does not matter. A product of two of them then has
// its lower half in place, and its upper half is one shift away.
typedef std::uint64_t Lanes __attribute__((vector_size(64)));
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

}  // namespace wordbreadth::engine::cpu::WORDBREADTH_ISA
