// WordPiece: a word is cut into the longest tokens that the vocabulary has, from its front to its end.
#pragma once

#include <cstddef>
#include <string>

#include "encoder/tokenizer/model.h"
#include "encoder/tokenizer/trie.h"
#include "encoder/tokenizer/vocabulary.h"

namespace wordbreadth::encoder::tokenizer {

struct WordPieceOptions {
    std::string unknown = "[UNK]";
    std::string continuing_prefix = "##";        // of tokens that do not begin a word
    std::size_t max_input_chars_per_word = 100;  // longer words are unknown
};

class WordPiece : public Model {
  public:
    // Throws InputError, naming `where`, when the vocabulary lacks the unknown token.
    WordPiece(const std::string& where, const Vocabulary& vocabulary, const WordPieceOptions& options);

    void append_pieces(std::span<const Character> word, std::vector<Piece>& to) const override;

  private:
    Trie beginnings_;
    Trie continuations_;
    std::int32_t unknown_;
    std::size_t longest_word_;
};

}  // namespace wordbreadth::encoder::tokenizer
