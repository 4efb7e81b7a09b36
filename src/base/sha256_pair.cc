#include "base/sha256_pair.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#include <array>
#endif

namespace wordbreadth::base {

#if defined(__x86_64__)

namespace {

#define WORDBREADTH_SHA __attribute__((target("sha,sse4.1"), always_inline)) inline

// FIPS 180-4, 4.2.2: of the cube roots of the first 64 primes.
alignas(16) constexpr std::array<std::uint32_t, 64> constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

const __m128i* vectors(const void* from) {
    return static_cast<const __m128i*>(from);
}

// A state as the instructions have it: words a, b, e, f and c, d, g, h.
struct Lane {
    __m128i abef, cdgh;
    __m128i message[4];  // the 16 words of the schedule that are needed next

    WORDBREADTH_SHA explicit Lane(const std::uint32_t* state) {
        const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(vectors(state)), 0xB1);
        const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(vectors(state + 4)), 0x1B);
        abef = _mm_alignr_epi8(badc, hgfe, 8);
        cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);
    }

    WORDBREADTH_SHA void store(std::uint32_t* state) const {
        const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
        auto* const to = reinterpret_cast<__m128i*>(state);
        _mm_storeu_si128(to, _mm_blend_epi16(feba, dchg, 0xF0));
        _mm_storeu_si128(to + 1, _mm_alignr_epi8(dchg, feba, 8));
    }

    WORDBREADTH_SHA void load(const std::byte* block) {
        const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) message[i] = _mm_shuffle_epi8(_mm_loadu_si128(vectors(block) + i), big_endian);
    }

    // Rounds 4 * `step` to 4 * `step` + 3.
    WORDBREADTH_SHA void add_rounds(int step, __m128i constant) {
        __m128i& now = message[step % 4];
        const __m128i words = _mm_add_epi32(now, constant);
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, words);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(words, 0x0E));
        if (step >= 12) return;
        const __m128i next = message[(step + 1) % 4], third = message[(step + 2) % 4], last = message[(step + 3) % 4];
        now =
            _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(now, next), _mm_alignr_epi8(last, third, 4)), last);
    }
};

}  // namespace

bool has_sha256_pair() {
    constexpr unsigned sse4_1 = 1U << 19, sha = 1U << 29;
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & sse4_1) == 0) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & sha) != 0;
}

__attribute__((target("sha,sse4.1"))) void add_blocks_to_pair(std::uint32_t* first_state, const std::byte* first,
                                                              std::uint32_t* second_state, const std::byte* second,
                                                              std::size_t blocks) {
    constexpr std::size_t block_bytes = 64;
    Lane one(first_state), other(second_state);
    for (; blocks > 0; --blocks, first += block_bytes, second += block_bytes) {
        const __m128i abef_of_one = one.abef, cdgh_of_one = one.cdgh;
        const __m128i abef_of_other = other.abef, cdgh_of_other = other.cdgh;
        one.load(first);
        other.load(second);
#pragma GCC unroll 16
        for (int step = 0; step < 16; ++step) {
            const __m128i constant = _mm_load_si128(vectors(constants.data()) + step);
            one.add_rounds(step, constant);
            other.add_rounds(step, constant);
        }
        one.abef = _mm_add_epi32(one.abef, abef_of_one);
        one.cdgh = _mm_add_epi32(one.cdgh, cdgh_of_one);
        other.abef = _mm_add_epi32(other.abef, abef_of_other);
        other.cdgh = _mm_add_epi32(other.cdgh, cdgh_of_other);
    }
    one.store(first_state);
    other.store(second_state);
}

#undef WORDBREADTH_SHA

#else

bool has_sha256_pair() {
    return false;
}

void add_blocks_to_pair(std::uint32_t*, const std::byte*, std::uint32_t*, const std::byte*, std::size_t) {}

#endif

}  // namespace wordbreadth::base
