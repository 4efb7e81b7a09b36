#include "study/pair_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace wordbreadth::study {
namespace {

// A part that is killed loses a tile at most, and parts differ by one: some tiles in each of them, however small, and
// more where they are large. Their number is limited by the files that a process can have in its memory (65,530).
constexpr std::size_t fewest_per_part = 8, most_per_part = 32;
constexpr std::size_t small_tile = 1 << 12, large_tile = 1 << 20;  // pairs
constexpr std::size_t most_tiles = 32'768;

std::size_t wanted_tiles(std::size_t pairs, std::size_t parts) {
    const std::size_t each = std::clamp(pairs / parts / small_tile, fewest_per_part, most_per_part);
    const std::size_t wanted = std::min(std::max(parts * each, pairs / large_tile), most_tiles);
    return std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(pairs, 1));
}

// The bits of a number with a zero between each two of them.
std::uint64_t spread(std::uint64_t number) {
    std::uint64_t bits = 0;
    for (unsigned bit = 0; bit < 32; ++bit) bits |= (number >> bit & 1) << (2 * bit);
    return bits;
}

// Pairs before row x of the upper triangle of n clouds.
std::size_t before_row(std::size_t x, std::size_t n) {
    return x * (2 * n - x - 1) / 2;
}

}  // namespace

PairLayout PairLayout::of_list(std::size_t pairs, std::size_t parts) {
    PairLayout layout(parts);
    const std::size_t tiles = wanted_tiles(pairs, parts);
    for (std::size_t tile = 0; tile < tiles; ++tile)
        layout.begins_.push_back(static_cast<std::size_t>(range_of({tile + 1, tiles}, pairs).begin));
    layout.begins_.push_back(pairs);
    return layout;
}

PairLayout PairLayout::of_all(std::size_t clouds, std::size_t parts) {
    PairLayout layout(parts);
    layout.clouds_ = clouds;
    const auto wanted = static_cast<double>(wanted_tiles(clouds * (clouds - 1) / 2, parts));
    const auto across = static_cast<std::size_t>(std::ceil((std::sqrt(8 * wanted + 1) - 1) / 2));
    layout.side_ = (clouds + across - 1) / across;
    layout.across_ = (clouds + layout.side_ - 1) / layout.side_;
    for (std::size_t row = 0; row < layout.across_; ++row)
        for (std::size_t column = row; column < layout.across_; ++column)
            if (row != column || layout.width(row) > 1) layout.squares_.push_back({row, column});
    std::ranges::sort(layout.squares_, {},
                      [](const Square& square) { return spread(square.row) << 1 | spread(square.column); });
    layout.numbers_.resize(layout.across_ * layout.across_);
    layout.begins_.push_back(0);
    for (const auto& [row, column] : layout.squares_) {
        const std::size_t height = layout.width(row), width = layout.width(column);
        layout.numbers_[row * layout.across_ + column] = layout.begins_.size() - 1;
        layout.begins_.push_back(layout.begins_.back() + (row == column ? width * (width - 1) / 2 : height * width));
    }
    return layout;
}

std::size_t PairLayout::width(std::size_t square) const {
    return std::min(side_, clouds_ - square * side_);
}

Part PairLayout::part_of(std::size_t tile) const {
    const std::size_t middle = begins_[tile] + size(tile) / 2;
    // The part that has the pair in the middle of the tile.
    return {middle * parts_ / pairs() + 1, parts_};
}

PartRange PairLayout::tiles_of(const Part& part) const {
    const auto first_of = [&](std::uint64_t number) {
        std::size_t low = 0, high = tiles();
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (part_of(middle).number < number)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    return {first_of(part.number), first_of(part.number + 1)};
}

std::vector<Pair> PairLayout::pairs_in(std::size_t tile) const {
    const auto& [row, column] = squares_[tile];
    std::vector<Pair> pairs;
    pairs.reserve(size(tile));
    for (std::size_t x = row * side_; x < row * side_ + width(row); ++x)
        for (std::size_t y = std::max(column * side_, x + 1); y < column * side_ + width(column); ++y)
            pairs.push_back({x, y});
    return pairs;
}

std::vector<Pair> PairLayout::pairs_in(std::size_t tile, const std::vector<Pair>& list) const {
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(begins_[tile]);
    return {begin, begin + static_cast<std::ptrdiff_t>(size(tile))};
}

Pair PairLayout::pair_at(std::size_t pair) const {
    std::size_t low = 0, high = clouds_ - 1;  // the last row that begins at the pair or before it
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        (before_row(middle, clouds_) <= pair ? low : high) = middle;
    }
    return {low, low + 1 + pair - before_row(low, clouds_)};
}

PairLayout::Place PairLayout::find(std::size_t pair) const {
    if (clouds_ == 0) {
        const auto next = std::ranges::upper_bound(begins_, pair);
        const auto tile = static_cast<std::size_t>(next - begins_.begin()) - 1;
        return {tile, pair - begins_[tile]};
    }
    const auto [x, y] = pair_at(pair);
    const std::size_t row = x / side_, column = y / side_;
    const std::size_t down = x - row * side_, along = y - column * side_, w = width(column);
    const std::size_t tile = numbers_[row * across_ + column];
    return {tile, row == column ? before_row(down, w) + along - down - 1 : down * w + along};
}

}  // namespace wordbreadth::study
