// The splits of N rows into a first group of n and a second of N - n: drawn, or all of them in turn.
//
// Drawn split b (b = 1 .. count) is a pure function of (seed, b, N, n). Enumerated split b is the b-th combination in
// lexicographic order; b = 1 is the observed split, rows 0 .. n-1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wordbreadth::permutation {

// C(N, n), or 2^64 - 1 when it is larger than that.
[[nodiscard]] std::uint64_t number_of_splits(std::size_t N, std::size_t n);

struct Splits {
    std::size_t N = 0;        // rows in both groups
    std::size_t n = 0;        // rows in the first
    std::uint64_t count = 0;  // how many splits there are to look at
    std::uint64_t seed = 0;
    bool enumerated = false;

    // All splits when there are at most `permutations` of them, else `permutations` drawn ones.
    static Splits plan(std::size_t n, std::size_t m, std::uint64_t permutations, std::uint64_t seed);

    // Writes split b, 1 for a row of the first group, else 0: (N).
    void write(std::uint64_t b, std::span<std::uint8_t> mask) const;
};

}  // namespace wordbreadth::permutation
