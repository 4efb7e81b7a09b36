#include "study/pair_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace wordbreadth::study {
namespace {

std::size_t clouds_in(const PairLayout& layout, const PartRange& tiles, std::size_t clouds) {
    std::vector<char> is_read(clouds);
    for (std::size_t tile = tiles.begin; tile < tiles.end; ++tile)
        for (const auto& [x, y] : layout.pairs_in(tile)) is_read[x] = is_read[y] = 1;
    return static_cast<std::size_t>(std::ranges::count(is_read, 1));
}

TEST(PairLayout, HasEveryPairOnceWhereItIsFound) {
    for (const std::size_t clouds : {2, 3, 4, 7, 16, 50, 131})
        for (const std::size_t parts : {1, 2, 3, 8, 64, 1000}) {
            const PairLayout layout = PairLayout::of_all(clouds, parts);
            ASSERT_EQ(layout.pairs(), clouds * (clouds - 1) / 2);
            std::vector<std::vector<Pair>> tiles;
            std::size_t pairs = 0;
            for (std::size_t tile = 0; tile < layout.tiles(); ++tile) {
                tiles.push_back(layout.pairs_in(tile));
                ASSERT_EQ(tiles.back().size(), layout.size(tile));
                ASSERT_GT(layout.size(tile), 0U);
                pairs += layout.size(tile);
            }
            ASSERT_EQ(pairs, layout.pairs());
            std::size_t number = 0;
            for (std::size_t x = 0; x < clouds; ++x)
                for (std::size_t y = x + 1; y < clouds; ++y, ++number) {
                    const auto [tile, index] = layout.find(number);
                    ASSERT_EQ(tiles[tile][index].x, x) << clouds << " clouds, " << parts << " parts";
                    ASSERT_EQ(tiles[tile][index].y, y) << clouds << " clouds, " << parts << " parts";
                }
        }
}

TEST(PairLayout, OfAListKeepsItsOrder) {
    for (const std::size_t size : {1, 2, 5, 100, 5000})
        for (const std::size_t parts : {1, 3, 64}) {
            const PairLayout layout = PairLayout::of_list(size, parts);
            std::vector<Pair> list;
            for (std::size_t i = 0; i < size; ++i) list.push_back({i, i + 1});
            for (std::size_t i = 0; i < size; ++i) {
                const auto [tile, index] = layout.find(i);
                ASSERT_EQ(layout.pairs_in(tile, list)[index].x, i);
            }
        }
}

TEST(PairLayout, GivesEachTileToOnePart) {
    for (const std::size_t clouds : {2, 20, 131})
        for (const std::size_t parts : {1, 2, 3, 8, 64, 1000}) {
            const PairLayout layout = PairLayout::of_all(clouds, parts);
            std::size_t next = 0;
            for (std::size_t number = 1; number <= parts; ++number) {
                const PartRange tiles = layout.tiles_of({number, parts});
                ASSERT_EQ(tiles.begin, next);
                for (std::size_t tile = tiles.begin; tile < tiles.end; ++tile)
                    ASSERT_EQ(layout.part_of(tile), (Part{number, parts}));
                next = tiles.end;
            }
            ASSERT_EQ(next, layout.tiles());
        }
}

TEST(PairLayout, DividesTheWorkEvenlyAndLoadsFewClouds) {
    constexpr std::size_t clouds = 4500;
    for (const std::size_t parts : {8, 64}) {
        const PairLayout layout = PairLayout::of_all(clouds, parts);
        const auto even = static_cast<double>(layout.pairs()) / static_cast<double>(parts);
        for (std::size_t number = 1; number <= parts; ++number) {
            const PartRange tiles = layout.tiles_of({number, parts});
            std::size_t pairs = 0;
            for (std::size_t tile = tiles.begin; tile < tiles.end; ++tile) pairs += layout.size(tile);
            EXPECT_NEAR(static_cast<double>(pairs), even, 0.05 * even);
            // A square has 2 sqrt(pairs) clouds; rows of the matrix would have all of them.
            EXPECT_LT(static_cast<double>(clouds_in(layout, tiles, clouds)), 2 * 2 * std::sqrt(even));
        }
    }
}

TEST(PairLayout, HasFewTilesHoweverManyPairs) {
    EXPECT_LE(PairLayout::of_all(1'000'000, 1000).tiles(), 33'000U);
    EXPECT_LE(PairLayout::of_all(100'000, 32'768).tiles(), 33'000U);
    EXPECT_LE(PairLayout::of_list(10'000'000, 4).tiles(), 200U);
}

}  // namespace
}  // namespace wordbreadth::study
