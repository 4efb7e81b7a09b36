#include "permutation/splits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "geometry/tolerances.h"
#include "permutation/philox.h"

namespace wordbreadth::permutation {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

__extension__ using Wide = unsigned __int128;

void draw(const Splits& splits, std::uint64_t b, std::span<std::uint8_t> mask) {
    std::uint64_t wanted = splits.n;
    std::array<std::uint32_t, 4> numbers{};
    for (std::size_t i = 0; i < splits.N; ++i) {
        if (i % 4 == 0)
            numbers = philox({static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32),
                              static_cast<std::uint32_t>(i / 4), 0},
                             {static_cast<std::uint32_t>(splits.seed), static_cast<std::uint32_t>(splits.seed >> 32)});
        const bool taken = (std::uint64_t{numbers[i % 4]} * (splits.N - i)) >> 32 < wanted;
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

void Splits::write_enumerated(std::uint64_t first, std::size_t some, std::size_t stride,
                              std::span<std::uint8_t> masks) const {
    const auto mask = [&](std::size_t i) { return masks.subspan(i * stride, N); };
    write(first, mask(0));
    for (std::size_t i = 1; i < some; ++i) {
        // The combination after one is the permutation before it: a taken row comes first.
        std::ranges::copy(mask(i - 1), mask(i).begin());
        std::ranges::prev_permutation(mask(i));
    }
}

Exceedance::Exceedance(double observed, Alternative alternative) {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    switch (alternative) {
        case Alternative::greater:
            high = observed - geometry::tie_tolerance;
            low = nothing;
            break;
        case Alternative::less:
            high = nothing;
            low = observed + geometry::tie_tolerance;
            break;
        case Alternative::two_sided:
            high = std::abs(observed) - geometry::tie_tolerance;
            low = -high;
            break;
    }
}

double Exceedance::low_or_infinity() const {
    return std::isnan(low) ? -infinity : low;
}

double Exceedance::high_or_infinity() const {
    return std::isnan(high) ? infinity : high;
}

double towards(Alternative alternative, double statistic) {
    switch (alternative) {
        case Alternative::greater:
            return statistic;
        case Alternative::less:
            return -statistic;
        case Alternative::two_sided:
            return std::abs(statistic);
    }
    return statistic;
}

double p_value(const Tally& tally, const Splits& splits) {
    const auto count = static_cast<double>(tally.exceedances);
    if (splits.enumerated) return count / static_cast<double>(splits.count);
    if (tally.stopped_early) return count / static_cast<double>(tally.looked_at);
    return (1 + count) / (static_cast<double>(splits.count) + 1);
}

}  // namespace wordbreadth::permutation
