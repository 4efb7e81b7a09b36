// What the encoder takes at once: sentences packed one after the other; and what both devices make of them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "encoder/snapshot/config.h"

namespace wordbreadth::encoder::batching {

// Sentences one after the other, without padding.
struct Batch {
    std::span<const std::int32_t> ids;    // (tokens), special tokens included
    std::span<const std::int32_t> types;  // (tokens), or empty: all 0
    std::span<const std::size_t> ends;    // (sentences): one past the last token of each; ascending, none empty
    std::span<const std::size_t> kept;    // the tokens whose vectors are wanted; ascending, each once
};

// Throws InputError when an id or a token type is past the model's, a sentence is longer than its positions, or the
// lists do not agree with each other; std::invalid_argument unless there is room for (kept, width) values.
void require_fits(const Batch& batch, const snapshot::ModelConfig& config, std::size_t width,
                  std::span<const float> vectors);

// Part of a batch: whole sentences, one after the other, that are carried through all layers together.
struct Piece {
    // Counted from the piece's first token and its first kept one.
    struct Sentence {
        std::size_t first_token, tokens;
        std::size_t first_kept, end_kept;
    };

    std::size_t first_token, end_token;
    std::size_t first_kept, end_kept;  // of batch.kept
    std::vector<Sentence> sentences;

    [[nodiscard]] std::size_t tokens() const { return end_token - first_token; }
    [[nodiscard]] std::size_t kept() const { return end_kept - first_kept; }
};

// Pieces of at most `tokens_together` tokens, or of one sentence that is longer. Sentences of which nothing is kept are
// in none.
[[nodiscard]] std::vector<Piece> cut(const Batch& batch, std::size_t tokens_together);

// For every token of the piece, the row of the table of positions that is added to its embedding.
void append_position_rows(const Batch& batch, const Piece& piece, const snapshot::ModelConfig& config,
                          std::vector<std::int32_t>& rows);

// A warp of the attention kernel works on up to this many queries of one sentence.
inline constexpr std::size_t tile_queries = 16;

struct Tile {
    std::int32_t first_key, keys;                // the sentence, in rows of the piece
    std::int32_t first_query, queries;           // rows of the matrix that holds the queries
    std::int32_t first_position, last_position;  // of the queries, in the sentence
    std::int32_t unused[2];                      // a tile is loaded sixteen bytes at a time
};

// A piece as the GPU gets it: all its lists in one array of 32-bit numbers, and where they stand in it. Tiles stand on
// multiples of eight.
struct PackedPiece {
    std::size_t tokens = 0, kept = 0, tiles = 0, kept_tiles = 0;  // how many
    bool has_types = false;
    std::size_t types_at = 0;           // (tokens), if any; the ids stand at 0
    std::size_t positions_at = 0;       // (tokens), in the sentence
    std::size_t position_rows_at = 0;   // (tokens), of the table of positions
    std::size_t kept_at = 0;            // (kept), rows of the piece
    std::size_t kept_positions_at = 0;  // (kept), in the sentence
    std::size_t tiles_at = 0;           // (tiles), where every token asks
    std::size_t kept_tiles_at = 0;      // (kept_tiles), where only the kept ones ask
    std::vector<std::int32_t> numbers;
};

// Fills `packed`, whose memory is used again.
void pack(const Batch& batch, const Piece& piece, const snapshot::ModelConfig& config, PackedPiece& packed);

// The most numbers that a packed piece can have, from its tokens and those that are kept.
[[nodiscard]] std::size_t most_numbers(std::size_t tokens, std::size_t kept);

// Cosine and sine of the angles by which queries and keys are rotated, for every position. Grows with the sentences
// that are seen.
class Rotations {
  public:
    // `frequencies`: angles per position, as in LayerAttention; at least one.
    explicit Rotations(std::vector<float> frequencies) : frequencies_(std::move(frequencies)) {}

    void reserve(std::size_t positions) {
        for (std::size_t position = cosines_.size() / frequencies_.size(); position < positions; ++position) {
            for (const float frequency : frequencies_) {
                const double angle = static_cast<float>(position) * frequency;
                cosines_.push_back(static_cast<float>(std::cos(angle)));
                sines_.push_back(static_cast<float>(std::sin(angle)));
            }
        }
    }

    [[nodiscard]] const float* cosines() const { return cosines_.data(); }  // (positions, head_size / 2)
    [[nodiscard]] const float* sines() const { return sines_.data(); }

  private:
    std::vector<float> frequencies_;  // (head_size / 2)
    std::vector<float> cosines_, sines_;
};

}  // namespace wordbreadth::encoder::batching
