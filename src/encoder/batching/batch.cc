#include "encoder/batching/batch.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::encoder::batching {

namespace {

void require_sentences(const Batch& batch, const snapshot::ModelConfig& config) {
    std::size_t begin = 0;
    for (const std::size_t end : batch.ends) {
        if (end <= begin || end > batch.ids.size())
            throw InputError("a batch has a sentence from token " + std::to_string(begin) + " to " +
                             std::to_string(end) + "; expected ascending ends within its " +
                             std::to_string(batch.ids.size()) + " tokens");
        if (end - begin > config.positions) {
            throw InputError("a sentence has " + std::to_string(end - begin) + " tokens; the model takes at most " +
                             std::to_string(config.positions) + ": cut it");
        }
        begin = end;
    }
    if (begin != batch.ids.size())
        throw InputError("a batch has " + std::to_string(batch.ids.size()) + " tokens, but its sentences end at " +
                         std::to_string(begin));
}

void require_below(std::span<const std::int32_t> values, std::size_t bound, const char* what) {
    const auto bad = std::ranges::find_if(
        values, [&](std::int32_t value) { return value < 0 || std::cmp_greater_equal(value, bound); });
    if (bad == values.end()) return;
    throw InputError(std::string("there is the ") + what + " " + std::to_string(*bad) + "; the model has " +
                     std::to_string(bound) + ": its tokenizer is another model's");
}

void require_kept(const Batch& batch) {
    const auto& kept = batch.kept;
    const bool ascending = std::ranges::adjacent_find(kept, std::greater_equal<>()) == kept.end();
    if (ascending && (kept.empty() || kept.back() < batch.ids.size())) return;
    throw InputError("the tokens to keep of a batch must be ascending and among its " +
                     std::to_string(batch.ids.size()));
}

constexpr std::size_t numbers_of_a_tile = sizeof(Tile) / sizeof(std::int32_t);

std::int32_t number(std::size_t value) {
    return static_cast<std::int32_t>(value);
}

// Tiles for the rows first .. end - 1, which all belong to the sentence; their positions stand from `positions_at` on.
void add_tiles(std::vector<std::int32_t>& numbers, const Piece::Sentence& sentence, std::size_t first, std::size_t end,
               std::size_t positions_at) {
    for (std::size_t query = first; query < end; query += tile_queries) {
        const std::size_t queries = std::min(tile_queries, end - query);
        const std::int32_t first_position = numbers[positions_at + query];
        const std::int32_t last_position = numbers[positions_at + query + queries - 1];
        for (const std::size_t value : {sentence.first_token, sentence.tokens, query, queries})
            numbers.push_back(number(value));
        for (const std::int32_t value : {first_position, last_position, 0, 0}) numbers.push_back(value);
    }
}

std::size_t align(std::vector<std::int32_t>& numbers) {
    numbers.resize((numbers.size() + numbers_of_a_tile - 1) / numbers_of_a_tile * numbers_of_a_tile);
    return numbers.size();
}

}  // namespace

void require_fits(const Batch& batch, const snapshot::ModelConfig& config, std::size_t width,
                  std::span<const float> vectors) {
    if (vectors.size() != batch.kept.size() * width)
        throw std::invalid_argument("encode: `vectors` has another size than (kept, layers, hidden)");
    if (batch.ids.size() > limits::batch_tokens)
        throw InputError("a batch has " + std::to_string(batch.ids.size()) + " tokens; at most " +
                         std::to_string(limits::batch_tokens) + " are encoded at once");
    require_sentences(batch, config);
    require_below(batch.ids, config.vocabulary, "token id");
    if (!batch.types.empty() && batch.types.size() != batch.ids.size())
        throw InputError("a batch has " + std::to_string(batch.types.size()) + " token types for " +
                         std::to_string(batch.ids.size()) + " tokens");
    if (config.token_types > 0) require_below(batch.types, config.token_types, "token type");
    require_kept(batch);
}

std::vector<Piece> cut(const Batch& batch, std::size_t tokens_together) {
    std::vector<Piece> pieces;
    std::size_t begin = 0;
    std::size_t kept = 0;
    for (const std::size_t end : batch.ends) {
        const std::size_t first_kept = kept;
        while (kept < batch.kept.size() && batch.kept[kept] < end) ++kept;
        if (kept > first_kept) {
            const bool fits = !pieces.empty() && pieces.back().end_token == begin &&
                              end - pieces.back().first_token <= tokens_together;
            if (!fits) pieces.push_back({begin, begin, first_kept, first_kept, {}});
            Piece& piece = pieces.back();
            piece.sentences.push_back(
                {begin - piece.first_token, end - begin, first_kept - piece.first_kept, kept - piece.first_kept});
            piece.end_token = end;
            piece.end_kept = kept;
        }
        begin = end;
    }
    return pieces;
}

void append_position_rows(const Batch& batch, const Piece& piece, const snapshot::ModelConfig& config,
                          std::vector<std::int32_t>& rows) {
    for (const Piece::Sentence& sentence : piece.sentences) {
        std::int32_t next = number(config.first_position);
        for (const std::int32_t id : batch.ids.subspan(piece.first_token + sentence.first_token, sentence.tokens))
            rows.push_back(config.padding && id == *config.padding ? number(config.first_position) - 1 : next++);
    }
}

void pack(const Batch& batch, const Piece& piece, const snapshot::ModelConfig& config, PackedPiece& packed) {
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
    packed.positions_at = numbers.size();
    for (const Piece::Sentence& sentence : piece.sentences)
        for (std::size_t i = 0; i < sentence.tokens; ++i) numbers.push_back(number(i));
    packed.position_rows_at = numbers.size();
    append_position_rows(batch, piece, config, numbers);
    packed.kept_at = numbers.size();
    for (const std::size_t token : batch.kept.subspan(piece.first_kept, piece.kept()))
        numbers.push_back(number(token - piece.first_token));
    packed.kept_positions_at = numbers.size();
    for (const Piece::Sentence& sentence : piece.sentences)
        for (std::size_t k = sentence.first_kept; k < sentence.end_kept; ++k)
            numbers.push_back(numbers[packed.kept_at + k] - number(sentence.first_token));

    packed.tiles_at = align(numbers);
    for (const Piece::Sentence& sentence : piece.sentences)
        add_tiles(numbers, sentence, sentence.first_token, sentence.first_token + sentence.tokens, packed.positions_at);
    packed.tiles = (numbers.size() - packed.tiles_at) / numbers_of_a_tile;
    packed.kept_tiles_at = align(numbers);
    for (const Piece::Sentence& sentence : piece.sentences)
        add_tiles(numbers, sentence, sentence.first_kept, sentence.end_kept, packed.kept_positions_at);
    packed.kept_tiles = (numbers.size() - packed.kept_tiles_at) / numbers_of_a_tile;
}

// A tile has a query at least, and two alignments waste less than two tiles.
std::size_t most_numbers(std::size_t tokens, std::size_t kept) {
    return (4 + numbers_of_a_tile) * tokens + (2 + numbers_of_a_tile) * kept + 2 * numbers_of_a_tile;
}

}  // namespace wordbreadth::encoder::batching
