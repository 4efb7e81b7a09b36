// The file of a tile: what was counted for its pairs, and what their results need of its clouds.
//
// Fixed-width records, little-endian, so that a mapped file is read in place:
//     TileHeader, clouds x CloudRecord, pairs x PairRecord, pairs x TailRecord where tails were estimated, text, and
//     the SHA-256 of all that, in 64 hexadecimal digits.
// The text has the names of the clouds, why some have none, and the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "geometry/concentration.h"
#include "permutation/splits.h"
#include "wordbreadth/cloud_source.h"
#include "wordbreadth/test.h"

namespace wordbreadth::study {

// A cloud of a tile, or why there is none.
struct TileCloud {
    std::string name;
    std::size_t rows = 0, dimension = 0;
    bool has_blocks = false;
    std::optional<geometry::Summary> summary{};  // without sums; nothing where no pair of the tile needed it
    bool is_there = false;
    std::string reason{};
};

struct TilePair {
    std::uint32_t x = 0, y = 0;  // places among the clouds of the tile
    permutation::Tally tally{};  // 0 of 0 where there is no test
    std::optional<TailEstimate> tail{};
};

struct TileContents {
    std::string device;
    std::vector<TileCloud> clouds;
    std::vector<TilePair> pairs;
    bool has_tails = false;
};

// Which tile of which job: 64 hexadecimal digits, and its number.
struct TileId {
    std::string job;
    std::uint64_t number = 0;
};

// Writes the file, complete, under its name.
void write_tile(const std::string& path, const TileId& id, const TileContents& contents);

// A file that write_tile() made.
class TileFile {
  public:
    // Checks every byte. Throws InputError, without a name of the file, when it is damaged, of another job, or not that
    // tile, or has not that many pairs.
    TileFile(const std::string& path, const TileId& id, std::size_t pairs);

    [[nodiscard]] std::string_view device() const;
    [[nodiscard]] TileCloud cloud(std::size_t index) const;
    [[nodiscard]] TilePair pair(std::size_t index) const;

  private:
    void check(const TileId& id, std::size_t pairs);
    [[nodiscard]] std::string_view text(std::uint64_t begin, std::uint64_t bytes) const;

    base::MappedFile file_;
    std::size_t clouds_ = 0, pairs_ = 0;
    bool has_tails_ = false;
    std::size_t pairs_begin_ = 0, tails_begin_ = 0, text_begin_ = 0, text_end_ = 0;
    std::uint64_t device_begin_ = 0, device_bytes_ = 0;
};

}  // namespace wordbreadth::study
