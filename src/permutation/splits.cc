#include "permutation/splits.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "permutation/philox.h"

namespace wordbreadth::permutation {
namespace {

__extension__ using Wide = unsigned __int128;

void draw(const Splits& splits, std::uint64_t b, std::span<std::uint8_t> mask) {
    std::uint64_t wanted = splits.n;
    std::array<std::uint32_t, 4> words{};
    for (std::size_t i = 0; i < splits.N; ++i) {
        if (i % 4 == 0)
            words = philox({static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32),
                            static_cast<std::uint32_t>(i / 4), 0},
                           {static_cast<std::uint32_t>(splits.seed), static_cast<std::uint32_t>(splits.seed >> 32)});
        const bool taken = (std::uint64_t{words[i % 4]} * (splits.N - i)) >> 32 < wanted;
        mask[i] = taken;
        wanted -= taken;
    }
}

// Combination number `rank` (from 0) in lexicographic order, where taking a row comes before leaving it.
void unrank(const Splits& splits, std::uint64_t rank, std::span<std::uint8_t> mask) {
    std::size_t wanted = splits.n;
    for (std::size_t i = 0; i < splits.N; ++i) {
        if (wanted == 0) {
            mask[i] = 0;
            continue;
        }
        const std::uint64_t with_row = number_of_splits(splits.N - i - 1, wanted - 1);
        mask[i] = rank < with_row;
        if (mask[i])
            --wanted;
        else
            rank -= with_row;
    }
}

}  // namespace

std::uint64_t number_of_splits(std::size_t N, std::size_t n) {
    constexpr std::uint64_t too_many = std::numeric_limits<std::uint64_t>::max();
    Wide count = 1;
    for (std::size_t k = 1; k <= std::min(n, N - n); ++k) {
        count = count * (N - std::min(n, N - n) + k) / k;
        if (count >= too_many) return too_many;
    }
    return static_cast<std::uint64_t>(count);
}

Splits Splits::plan(std::size_t n, std::size_t m, std::uint64_t permutations, std::uint64_t seed) {
    const std::uint64_t all = number_of_splits(n + m, n);
    const bool enumerated = all <= permutations;
    return {n + m, n, enumerated ? all : permutations, seed, enumerated};
}

void Splits::write(std::uint64_t b, std::span<std::uint8_t> mask) const {
    if (enumerated)
        unrank(*this, b - 1, mask);
    else
        draw(*this, b, mask);
}

}  // namespace wordbreadth::permutation
