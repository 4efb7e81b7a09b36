// Tokens that are found in the text before anything splits it: [MASK], or a run of spaces.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "encoder/tokenizer/characters.h"
#include "encoder/tokenizer/normalizer.h"
#include "encoder/tokenizer/trie.h"

namespace wordbreadth::encoder::tokenizer {

struct AddedToken {
    std::string content;
    std::int32_t id = 0;
    bool single_word = false;  // not inside a longer word
    bool lstrip = false;       // takes the white space before it
    bool rstrip = false;       // takes the white space after it
    bool normalized = false;   // is looked for in normalized text, itself normalized
};

// A part of the text: an added token, or what is between them.
struct Segment {
    Range range;
    std::optional<std::int32_t> id;
};

class AddedTokens {
  public:
    AddedTokens() = default;  // finds none

    // Finds those of `tokens` whose `normalized` equals the argument. `normalizer` may be null. Throws InputError,
    // naming `where`, when a token is empty once normalized, or the same as another.
    AddedTokens(const std::string& where, const std::vector<AddedToken>& tokens, bool normalized,
                const Normalizer* normalizer);

    // Cuts the text at the added tokens, from left to right, the longest where several begin. Nothing is left out and
    // no segment is empty.
    void split(std::span<const Character> text, std::vector<Segment>& segments) const;

  private:
    void add(const std::string& where, const AddedToken& token, const std::u32string& spelling);
    [[nodiscard]] bool may_begin(char32_t c) const;

    std::vector<AddedToken> tokens_;
    Trie spellings_;  // to an index of the list above
    std::array<bool, 128> begins_{};
    bool some_begin_beyond_ascii_ = false;
};

}  // namespace wordbreadth::encoder::tokenizer
