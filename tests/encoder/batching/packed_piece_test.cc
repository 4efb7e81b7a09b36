#include "encoder/batching/batch.h"

#include <gtest/gtest.h>

namespace wordbreadth::encoder::batching {
namespace {

using Numbers = std::vector<std::int32_t>;

// Sentences of 2, 20 and 3 tokens, the first of which is in another piece.
class GpuPackedPiece : public testing::Test {
  protected:
    GpuPackedPiece() {
        for (std::int32_t i = 0; i < 25; ++i) ids_.push_back(100 + i), types_.push_back(i % 2);
        pack(batch(), piece_, {}, packed_);
    }
    [[nodiscard]] Batch batch() const { return {ids_, types_, ends_, kept_}; }
    [[nodiscard]] Numbers part(std::size_t at, std::size_t count) const {
        const auto begin = packed_.numbers.begin() + static_cast<std::ptrdiff_t>(at);
        return {begin, begin + static_cast<std::ptrdiff_t>(count)};
    }

    Numbers ids_, types_;
    std::vector<std::size_t> ends_{2, 22, 25}, kept_{1, 3, 21, 24};
    Piece piece_{2, 25, 1, 4, {{0, 20, 0, 2}, {20, 3, 2, 3}}};
    PackedPiece packed_;
};

TEST_F(GpuPackedPiece, HoldsItsTokensOnly) {
    EXPECT_EQ(packed_.tokens, 23U);
    EXPECT_EQ(packed_.numbers[0], 102);
    EXPECT_EQ(packed_.numbers[22], 124);
    EXPECT_EQ(part(packed_.types_at, 3), (Numbers{0, 1, 0}));
}

TEST_F(GpuPackedPiece, PositionsCountFromTheSentencesBeginning) {
    const Numbers positions = part(packed_.positions_at, 23);
    EXPECT_EQ(positions[0], 0);
    EXPECT_EQ(positions[19], 19);
    EXPECT_EQ(positions[20], 0);
    EXPECT_EQ(positions[22], 2);
}

TEST_F(GpuPackedPiece, KeptTokensAreRowsOfThePiece) {
    EXPECT_EQ(part(packed_.kept_at, packed_.kept), (Numbers{1, 19, 22}));
    EXPECT_EQ(part(packed_.kept_positions_at, packed_.kept), (Numbers{1, 19, 2}));
}

TEST_F(GpuPackedPiece, TilesNeverCrossSentences) {
    ASSERT_EQ(packed_.tiles, 3U);
    EXPECT_EQ(packed_.tiles_at % 8, 0U);
    EXPECT_EQ(part(packed_.tiles_at, 24), (Numbers{0,  20, 0,  16, 0,  15, 0, 0,  //
                                                   0,  20, 16, 4,  16, 19, 0, 0,  //
                                                   20, 3,  20, 3,  0,  2,  0, 0}));
}

TEST_F(GpuPackedPiece, TilesOfTheKeptCountTheirRows) {
    ASSERT_EQ(packed_.kept_tiles, 2U);
    EXPECT_EQ(part(packed_.kept_tiles_at, 16), (Numbers{0, 20, 0, 2, 1, 19, 0, 0, 20, 3, 2, 1, 2, 2, 0, 0}));
}

TEST_F(GpuPackedPiece, IsNoLargerThanReckoned) {
    EXPECT_LE(packed_.numbers.size(), most_numbers(23, 3));
    const std::vector<std::size_t> single{1, 2, 3};
    const std::vector<std::size_t> all{0, 1, 2};
    const Batch batch{std::span(ids_).first(3), std::span(types_).first(3), single, all};
    pack(batch, cut(batch, 3).front(), {}, packed_);
    EXPECT_LE(packed_.numbers.size(), most_numbers(3, 3));
}

TEST_F(GpuPackedPiece, TypesMayBeLeftOut) {
    pack({ids_, {}, ends_, kept_}, piece_, {}, packed_);
    EXPECT_FALSE(packed_.has_types);
    EXPECT_EQ(packed_.positions_at, 23U);
}

TEST(PositionRows, StartAtTheFirstAndDoNotCountPadding) {
    const std::vector<std::int32_t> ids{5, 1, 6, 7, 1, 8};
    const std::vector<std::size_t> ends{4, 6};
    const std::vector<std::size_t> kept{0, 4};
    const Batch batch{ids, {}, ends, kept};
    snapshot::ModelConfig config;
    std::vector<std::int32_t> rows;
    append_position_rows(batch, cut(batch, 10).front(), config, rows);
    EXPECT_EQ(rows, (std::vector<std::int32_t>{0, 1, 2, 3, 0, 1}));
    config.first_position = 2;
    config.padding = 1;
    rows.clear();
    append_position_rows(batch, cut(batch, 10).front(), config, rows);
    EXPECT_EQ(rows, (std::vector<std::int32_t>{2, 1, 3, 4, 1, 2}));
}

}  // namespace
}  // namespace wordbreadth::encoder::batching
