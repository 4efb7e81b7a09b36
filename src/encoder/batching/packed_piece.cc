#include "encoder/batching/packed_piece.h"

#include <algorithm>

namespace wordbreadth::encoder::batching {
namespace {

constexpr std::size_t numbers_of_a_tile = sizeof(Tile) / sizeof(std::int32_t);

std::int32_t number(std::size_t value) {
    return static_cast<std::int32_t>(value);
}

// Tiles for the rows first .. end - 1, which all belong to the sentence of these keys; their positions stand from
// `positions_at` on.
void add_tiles(std::vector<std::int32_t>& numbers, std::size_t first_key, std::size_t keys, std::size_t first,
               std::size_t end, std::size_t positions_at) {
    for (std::size_t query = first; query < end; query += tile_queries) {
        const std::size_t queries = std::min(tile_queries, end - query);
        const std::int32_t first_position = numbers[positions_at + query];
        const std::int32_t last_position = numbers[positions_at + query + queries - 1];
        for (const std::size_t value : {first_key, keys, query, queries}) numbers.push_back(number(value));
        for (const std::int32_t value : {first_position, last_position, 0, 0}) numbers.push_back(value);
    }
}

std::size_t align(std::vector<std::int32_t>& numbers) {
    numbers.resize((numbers.size() + numbers_of_a_tile - 1) / numbers_of_a_tile * numbers_of_a_tile);
    return numbers.size();
}

std::size_t first_token_of(const Batch& batch, std::size_t sentence) {
    return sentence == 0 ? 0 : batch.ends[sentence - 1];
}

void add_positions(const Batch& batch, const Piece& piece, PackedPiece& packed) {
    packed.positions_at = packed.numbers.size();
    for (std::size_t s = piece.first_sentence; s < piece.end_sentence; ++s)
        for (std::size_t i = 0; i < batch.ends[s] - first_token_of(batch, s); ++i) packed.numbers.push_back(number(i));
}

void add_kept(const Batch& batch, const Piece& piece, PackedPiece& packed) {
    const auto kept = batch.kept.subspan(piece.first_kept, piece.kept());
    packed.kept_at = packed.numbers.size();
    for (const std::size_t token : kept) packed.numbers.push_back(number(token - piece.first_token));
    packed.kept_positions_at = packed.numbers.size();
    std::size_t sentence = piece.first_sentence;
    for (const std::size_t token : kept) {
        while (batch.ends[sentence] <= token) ++sentence;
        packed.numbers.push_back(number(token - first_token_of(batch, sentence)));
    }
}

void add_all_tiles(const Batch& batch, const Piece& piece, PackedPiece& packed) {
    packed.tiles_at = align(packed.numbers);
    for (std::size_t s = piece.first_sentence; s < piece.end_sentence; ++s) {
        const std::size_t first = first_token_of(batch, s) - piece.first_token;
        const std::size_t end = batch.ends[s] - piece.first_token;
        add_tiles(packed.numbers, first, end - first, first, end, packed.positions_at);
    }
    packed.tiles = (packed.numbers.size() - packed.tiles_at) / numbers_of_a_tile;
}

void add_kept_tiles(const Batch& batch, const Piece& piece, PackedPiece& packed) {
    packed.kept_tiles_at = align(packed.numbers);
    std::size_t kept = 0;
    for (std::size_t s = piece.first_sentence; s < piece.end_sentence; ++s) {
        const std::size_t begin = first_token_of(batch, s);
        const std::size_t first = kept;
        while (kept < piece.kept() && batch.kept[piece.first_kept + kept] < batch.ends[s]) ++kept;
        add_tiles(packed.numbers, begin - piece.first_token, batch.ends[s] - begin, first, kept,
                  packed.kept_positions_at);
    }
    packed.kept_tiles = (packed.numbers.size() - packed.kept_tiles_at) / numbers_of_a_tile;
}

}  // namespace

void pack(const Batch& batch, const Piece& piece, PackedPiece& packed) {
    std::vector<std::int32_t>& numbers = packed.numbers;
    numbers.clear();
    packed.tokens = piece.tokens();
    packed.kept = piece.kept();
    packed.has_types = !batch.types.empty();
    const auto append = [&](std::span<const std::int32_t> all) {
        const auto part = all.subspan(piece.first_token, piece.tokens());
        numbers.insert(numbers.end(), part.begin(), part.end());
    };
    append(batch.ids);
    packed.types_at = numbers.size();
    if (packed.has_types) append(batch.types);
    add_positions(batch, piece, packed);
    add_kept(batch, piece, packed);
    add_all_tiles(batch, piece, packed);
    add_kept_tiles(batch, piece, packed);
}

// A tile has a query at least, and two alignments waste less than two tiles.
std::size_t most_numbers(std::size_t tokens, std::size_t kept) {
    return (3 + numbers_of_a_tile) * tokens + (2 + numbers_of_a_tile) * kept + 2 * numbers_of_a_tile;
}

}  // namespace wordbreadth::encoder::batching
