// A piece of a batch as the device gets it: all its lists in one array of 32-bit numbers. Nothing here needs a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "encoder/batching/batch.h"

namespace wordbreadth::encoder::batching {

// A warp of the attention kernel works on up to this many queries of one sentence.
inline constexpr std::size_t tile_queries = 16;

struct Tile {
    std::int32_t first_key, keys;                // the sentence, in rows of the piece
    std::int32_t first_query, queries;           // rows of the matrix that holds the queries
    std::int32_t first_position, last_position;  // of the queries, in the sentence
    std::int32_t unused[2];                      // a tile is loaded sixteen bytes at a time
};

// Where the lists stand, in numbers from the beginning of the array; tiles on multiples of eight.
struct PackedPiece {
    std::size_t tokens = 0, kept = 0, tiles = 0, kept_tiles = 0;  // how many
    bool has_types = false;
    std::size_t types_at = 0;           // (tokens), if any; the ids stand at 0
    std::size_t positions_at = 0;       // (tokens), in the sentence
    std::size_t kept_at = 0;            // (kept), rows of the piece
    std::size_t kept_positions_at = 0;  // (kept), in the sentence
    std::size_t tiles_at = 0;           // (tiles), where every token asks
    std::size_t kept_tiles_at = 0;      // (kept_tiles), where only the kept ones ask
    std::vector<std::int32_t> numbers;
};

// Fills `packed`, whose memory is used again.
void pack(const Batch& batch, const Piece& piece, PackedPiece& packed);

// The most numbers that a packed piece can have, from its tokens and those that are kept.
[[nodiscard]] std::size_t most_numbers(std::size_t tokens, std::size_t kept);

}  // namespace wordbreadth::encoder::batching
