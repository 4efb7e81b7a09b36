// The splits of N rows into a first group of n and a second of N - n: drawn, or all of them in turn.
//
// Drawn split b (b = 1 .. count) is a pure function of (seed, b, N, n). Enumerated split b is the b-th combination in
// lexicographic order; b = 1 is the observed split, rows 0 .. n-1.
//
// And what becomes of them: which of them exceed, and what p-value their count gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "wordbreadth/test.h"

namespace wordbreadth::permutation {

// C(N, n), or 2^64 - 1 when it is larger than that.
[[nodiscard]] std::uint64_t number_of_splits(std::size_t N, std::size_t n);

struct Splits {
    std::size_t N = 0;        // rows in both groups
    std::size_t n = 0;        // rows in the first
    std::uint64_t count = 0;  // how many splits there are to look at
    std::uint64_t seed = 0;
    bool enumerated = false;

    bool operator==(const Splits&) const = default;

    // All splits when there are at most `permutations` of them, else `permutations` drawn ones.
    static Splits plan(std::size_t n, std::size_t m, std::uint64_t permutations, std::uint64_t seed);

    // Writes split b, 1 for a row of the first group, else 0: (N).
    void write(std::uint64_t b, std::span<std::uint8_t> mask) const;

    // Writes the enumerated splits first .. first + some - 1, `stride` bytes apart.
    void write_enumerated(std::uint64_t first, std::size_t some, std::size_t stride,
                          std::span<std::uint8_t> masks) const;
};

// A split's statistic exceeds when it is >= high, <= low, or undefined. A bound that the alternative lacks is NaN,
// which nothing reaches.
struct Exceedance {
    double low;
    double high;

    Exceedance(double observed, Alternative alternative);
    // The bounds with -inf and inf for those that the alternative lacks, which screens compare finite values with.
    [[nodiscard]] double low_or_infinity() const;
    [[nodiscard]] double high_or_infinity() const;
    [[nodiscard]] bool operator()(double statistic) const {
        return statistic >= high || statistic <= low || statistic != statistic;
    }
};

// The statistic, turned so that larger is more extreme.
[[nodiscard]] double towards(Alternative alternative, double statistic);

// How far a test got: exceedances among the first `looked_at` splits.
struct Tally {
    std::uint64_t exceedances = 0;
    std::uint64_t looked_at = 0;
    bool stopped_early = false;  // exceedances reached the adaptive limit, at split number looked_at
};

[[nodiscard]] double p_value(const Tally& tally, const Splits& splits);

}  // namespace wordbreadth::permutation
