// Regular expressions, those that tokenizers are written with.
//
// The library `tokenizers` has Oniguruma for them. No engine at hand gives the same matches: they differ in what \s, \w
// and \p{L} are, and in the version of Unicode. What the tokenizers of models really use is small: alternatives,
// groups, repetition, sets of characters and looking around. That much is here, on the tokenizer's own view of
// characters; whatever else Oniguruma has is refused by its name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/tokenizer/character_sets.h"
#include "encoder/tokenizer/characters.h"

namespace wordbreadth::encoder::tokenizer {

class Expression {
  public:
    // Throws InputError, beginning with `where`, when the pattern is malformed, uses something that is not supported,
    // or is too large (limits::expression_instructions).
    Expression(const std::string& where, std::string_view pattern);

    // Matches just this text, which is not empty.
    [[nodiscard]] static Expression of_literal(std::string_view text);

    // Appends the matches from left to right, none overlapping another, as the library finds them: an empty one is not
    // taken where another has just ended. Throws InputError when it takes too long (limits::expression_steps).
    void find_all(std::span<const Character> text, std::vector<Range>& matches) const;

  private:
    friend class ExpressionCompiler;
    friend class ExpressionMatcher;

    // What a program does with the text at its place.
    enum class Operation : std::uint8_t {
        one,     // takes a character of the set
        run,     // takes as many of the set as it can, least to most; gives them back one by one unless possessive
        either,  // goes on at `target`, and where that fails at `other`
        jump,    // goes on at `target`
        look,    // is what follows, up to its `accept`, there (or not)? Goes on at `target`
        atomic,  // takes what follows, up to its `accept`, and gives nothing of it back. Goes on at `target`
        line_begin,
        line_end,
        text_begin,
        text_end,
        word_edge,
        no_word_edge,
        accept,
    };

    struct Instruction {
        Operation operation = Operation::accept;
        bool negative = false;    // of look
        bool possessive = false;  // of run
        std::uint32_t set = 0;    // index of sets_
        std::uint32_t target = 0;
        std::uint32_t other = 0;
        std::uint32_t least = 0;
        std::uint32_t most = 0;
        std::uint32_t back = 0;  // of look: so many characters before
    };

    Expression() = default;

    std::vector<Instruction> program_;
    std::vector<CharacterSet> sets_;
    CharacterSet beginnings_;  // characters that a match can begin with
    bool can_be_empty_ = false;
};

}  // namespace wordbreadth::encoder::tokenizer
