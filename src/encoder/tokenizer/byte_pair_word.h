// One word of byte-level BPE while it is merged.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "encoder/tokenizer/byte_pair.h"

namespace wordbreadth::encoder::tokenizer {

// A chain of symbols over the bytes of the word. Places and lengths count bytes of the word as it is spelled in the
// byte alphabet, since that is what the library `tokenizers` counts when bytes are missing from the vocabulary.
class BytePair::Word {
  public:
    Word(const BytePair& model, std::span<const Character> characters);
    void merge();
    void append_pieces(std::vector<Piece>& to) const;

  private:
    static constexpr std::int32_t nothing = -1;

    struct Symbol {
        std::int32_t id = 0;
        std::uint32_t length = 0;  // 0: merged into the one before
        std::int32_t previous = nothing;
        std::int32_t next = nothing;
    };

    // A pair that can be merged, or could when it was noted down.
    struct Candidate {
        std::uint32_t rank = 0;
        std::int32_t place = 0;  // of the left symbol
        std::int32_t result = 0;

        // The earliest merge first, and from left to right.
        bool operator>(const Candidate& other) const {
            return rank != other.rank ? rank > other.rank : place > other.place;
        }
    };

    void append_byte(std::uint8_t byte, std::uint32_t origin);
    void append_symbol(std::int32_t id, std::uint32_t length);
    void append_unknown(std::uint32_t length);
    void note(std::int32_t place);
    [[nodiscard]] bool still_holds(const Candidate& candidate) const;
    void merge_with_next(const Candidate& candidate);

    const BytePair& model_;
    std::vector<Symbol> symbols_;
    std::vector<std::uint32_t> origins_;  // of each byte of the spelling
    bool last_is_unknown_ = false;
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
};

}  // namespace wordbreadth::encoder::tokenizer
