// What makes tokens of words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "encoder/tokenizer/characters.h"

namespace wordbreadth::encoder::tokenizer {

struct Piece {
    std::int32_t id = 0;
    std::uint32_t begin = 0;  // characters of the original text, half-open
    std::uint32_t end = 0;
};

class Model {
  public:
    Model() = default;
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;
    virtual ~Model() = default;

    // Appends the pieces of a word, which is not empty. Any number of threads may call it.
    virtual void append_pieces(std::span<const Character> word, std::vector<Piece>& to) const = 0;
};

// The piece that covers all the characters, of which there is at least one.
inline Piece piece_over(std::int32_t id, std::span<const Character> characters) {
    return {id, characters.front().origin, characters.back().origin + 1};
}

}  // namespace wordbreadth::encoder::tokenizer
