// How the pairs of a job are divided into tiles, and the tiles among its parts.
//
// All pairs of n clouds are the upper triangle of a matrix. A tile is a square of it, so that it needs few clouds for
// its pairs; a part has tiles that lie together, in Morton order, for the same reason. Of a list, a tile is a run of
// its pairs. Every part has as many pairs as the others, give or take a tile.
#pragma once

#include <cstddef>
#include <vector>

#include "wordbreadth/part.h"
#include "wordbreadth/test.h"

namespace wordbreadth::study {

class PairLayout {
  public:
    // Of every pair of that many clouds, x before y, ordered by x and then y.
    [[nodiscard]] static PairLayout of_all(std::size_t clouds, std::size_t parts);

    // Of a list of that many pairs.
    [[nodiscard]] static PairLayout of_list(std::size_t pairs, std::size_t parts);

    [[nodiscard]] std::size_t pairs() const { return begins_.back(); }
    [[nodiscard]] std::size_t tiles() const { return begins_.size() - 1; }
    [[nodiscard]] std::size_t parts() const { return parts_; }

    // Pairs of a tile; never 0.
    [[nodiscard]] std::size_t size(std::size_t tile) const { return begins_[tile + 1] - begins_[tile]; }

    // The tiles of a part are consecutive; there may be none.
    [[nodiscard]] PartRange tiles_of(const Part& part) const;
    [[nodiscard]] Part part_of(std::size_t tile) const;

    // The pairs of a tile, in its order: places of clouds, or in the list that is given here.
    [[nodiscard]] std::vector<Pair> pairs_in(std::size_t tile) const;
    [[nodiscard]] std::vector<Pair> pairs_in(std::size_t tile, const std::vector<Pair>& list) const;

    struct Place {
        std::size_t tile, index;  // in the tile
    };
    // Where a pair is, by its number among all.
    [[nodiscard]] Place find(std::size_t pair) const;

  private:
    struct Square {
        std::size_t row, column;  // in squares; row <= column
    };

    explicit PairLayout(std::size_t parts) : parts_(parts) {}
    [[nodiscard]] std::size_t width(std::size_t square) const;
    [[nodiscard]] Pair pair_at(std::size_t pair) const;

    std::size_t parts_;
    std::size_t clouds_ = 0;            // 0: of a list
    std::size_t side_ = 0;              // of a square, in clouds
    std::size_t across_ = 0;            // squares in a row of the whole matrix
    std::vector<Square> squares_;       // by tile
    std::vector<std::size_t> numbers_;  // of tiles, by square: (across, across)
    std::vector<std::size_t> begins_;   // pairs before each tile, and all of them
};

}  // namespace wordbreadth::study
