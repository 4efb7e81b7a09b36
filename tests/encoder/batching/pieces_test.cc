#include "encoder/batching/batch.h"

#include <gtest/gtest.h>

namespace wordbreadth::encoder::batching {
namespace {

std::vector<std::vector<std::size_t>> tokens_of(const std::vector<Piece>& pieces) {
    std::vector<std::vector<std::size_t>> all;
    for (const Piece& p : pieces) all.push_back({p.first_token, p.end_token, p.first_kept, p.end_kept});
    return all;
}

TEST(Pieces, HoldWholeSentencesUpToTheirSize) {
    const std::vector<std::size_t> ends{4, 8, 10, 30, 31};
    const std::vector<std::size_t> kept{0, 5, 9, 10, 29, 30};
    const auto pieces = cut({{}, {}, ends, kept}, 8);
    using Rows = std::vector<std::vector<std::size_t>>;
    EXPECT_EQ(tokens_of(pieces), (Rows{{0, 8, 0, 2}, {8, 10, 2, 3}, {10, 30, 3, 5}, {30, 31, 5, 6}}));
}

TEST(Pieces, LeaveOutSentencesOfWhichNothingIsKept) {
    const std::vector<std::size_t> ends{4, 8, 10};
    const std::vector<std::size_t> kept{1, 9};
    using Rows = std::vector<std::vector<std::size_t>>;
    EXPECT_EQ(tokens_of(cut({{}, {}, ends, kept}, 100)), (Rows{{0, 4, 0, 1}, {8, 10, 1, 2}}));
    EXPECT_TRUE(cut({{}, {}, ends, {}}, 100).empty());
}

}  // namespace
}  // namespace wordbreadth::encoder::batching
