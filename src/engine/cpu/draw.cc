// Drawing splits: sixteen side by side, one in each lane of a vector. See kernels.h and kernels_each.h.
#include "engine/cpu/kernels_each.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace wordbreadth::cpu::WORDBREADTH_ISA {
namespace {

constexpr std::size_t lanes = 16;
typedef std::uint32_t Lanes __attribute__((vector_size(64)));
typedef std::uint64_t Wide __attribute__((vector_size(64)));

// Products of the even 32-bit lanes as 64-bit lanes. Written out because the compiler does not see that the upper
// halves are zero and would multiply 64 by 64 bits.
inline Wide multiply_even(Lanes a, Lanes b) {
#if defined(__AVX512F__)
    return (Wide)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(__x86_64__)
    Wide product;
#if defined(__AVX2__)
    typedef __m256i Part;
    const auto multiply = [](Part x, Part y) { return _mm256_mul_epu32(x, y); };
#else
    typedef __m128i Part;
    const auto multiply = [](Part x, Part y) { return _mm_mul_epu32(x, y); };
#endif
    const Part* pa = (const Part*)&a;
    const Part* pb = (const Part*)&b;
    Part* to = (Part*)&product;
    for (std::size_t k = 0; k < sizeof(Lanes) / sizeof(Part); ++k) to[k] = multiply(pa[k], pb[k]);
    return product;
#else
    return (((Wide)a) & 0xFFFFFFFF) * (((Wide)b) & 0xFFFFFFFF);
#endif
}

// The same value in every lane.
inline Lanes all(std::uint32_t value) {
    return Lanes{} + value;
}

struct Product {
    Lanes high, low;
};

// 32 x 32 bits in every lane.
inline Product multiply(Lanes a, Lanes b) {
    const Wide even = multiply_even(a, b);
    const Wide odd = multiply_even((Lanes)((Wide)a >> 32), (Lanes)((Wide)b >> 32));
    const Wide lower = Wide{} + 0xFFFFFFFF;
    return {(Lanes)((even >> 32) | (odd & ~lower)), (Lanes)((even & lower) | (odd << 32))};
}

struct Philox {
    Lanes words[4];
};

// Philox4x32-10 for sixteen counters (low, high, block, 0).
inline Philox philox(Lanes low, Lanes high, std::uint32_t block, std::uint64_t seed) {
    Philox x{{low, high, all(block), Lanes{}}};
    auto key0 = (std::uint32_t)seed;
    auto key1 = (std::uint32_t)(seed >> 32);
    const Lanes factor0 = all(0xD2511F53);
    const Lanes factor1 = all(0xCD9E8D57);
    for (int round = 0; round < 10; ++round) {
        const Product a = multiply(x.words[0], factor0);
        const Product b = multiply(x.words[2], factor1);
        x = {{b.high ^ x.words[1] ^ key0, b.low, a.high ^ x.words[3] ^ key1, a.low}};
        key0 += 0x9E3779B9;
        key1 += 0xBB67AE85;
    }
    return x;
}

// Sixteen rows' decisions, (16 rows, 16 splits) as lanes, turned into bytes (16 splits, 16 rows).
void turn(const Lanes* taken, std::size_t rows, std::uint8_t* masks, std::size_t stride) {
    for (std::size_t split = 0; split < lanes; ++split) {
        const auto* column = (const std::uint32_t*)taken + split;
        std::uint8_t* to = masks + split * stride;
        for (std::size_t i = 0; i < rows; ++i) to[i] = (std::uint8_t)(column[i * lanes] & 1);
    }
}

void draw_sixteen(std::uint64_t seed, std::uint64_t first, std::size_t N, std::size_t n, std::uint8_t* masks,
                  std::size_t stride) {
    Lanes low, high;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        low[lane] = (std::uint32_t)(first + lane);
        high[lane] = (std::uint32_t)((first + lane) >> 32);
    }
    Lanes wanted = all((std::uint32_t)n);
    Lanes taken[lanes];
    for (std::size_t i = 0; i < N; i += lanes) {
        const std::size_t rows = N - i < lanes ? N - i : lanes;
        for (std::size_t k = 0; k < rows; k += 4) {
            const Philox words = philox(low, high, (std::uint32_t)((i + k) / 4), seed);
            for (std::size_t w = 0; w < 4 && k + w < rows; ++w) {
                const auto left = (std::uint32_t)(N - i - k - w);
                taken[k + w] = (Lanes)(multiply(words.words[w], all(left)).high < wanted);
                wanted += taken[k + w];  // all ones is minus one
            }
        }
        turn(taken, rows, masks + i, stride);
    }
}

}  // namespace

void draw(std::uint64_t seed, std::uint64_t first, std::size_t count, std::size_t N, std::size_t n, std::uint8_t* masks,
          std::size_t stride) {
    // The caller's buffer has room for whole sixteens of splits.
    for (std::size_t i = 0; i < count; i += lanes) draw_sixteen(seed, first + i, N, n, masks + i * stride, stride);
}

}  // namespace wordbreadth::cpu::WORDBREADTH_ISA
