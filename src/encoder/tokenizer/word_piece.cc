#include "encoder/tokenizer/word_piece.h"

namespace wordbreadth::encoder::tokenizer {

WordPiece::WordPiece(const std::string& where, const Vocabulary& vocabulary, const WordPieceOptions& options)
    : unknown_(vocabulary.require(where, "the unknown token", options.unknown)),
      longest_word_(options.max_input_chars_per_word) {
    const std::u32string prefix = to_utf32(options.continuing_prefix);
    for (const auto& [token, id] : vocabulary.ids()) {
        const std::u32string text = to_utf32(token);
        beginnings_.add(text, id);
        if (text.starts_with(prefix)) continuations_.add(std::u32string_view(text).substr(prefix.size()), id);
    }
}

void WordPiece::append_pieces(std::span<const Character> word, std::vector<Piece>& to) const {
    const std::size_t before = to.size();
    bool known = word.size() <= longest_word_;
    for (std::size_t at = 0; known && at < word.size();) {
        const auto rest = word.subspan(at);
        const auto match = (at == 0 ? beginnings_ : continuations_).longest(rest);
        known = match.has_value();
        if (!known) break;
        to.push_back(piece_over(match->value, rest.first(match->length)));
        at += match->length;
    }
    if (known) return;
    to.resize(before);
    to.push_back(piece_over(unknown_, word));
}

}  // namespace wordbreadth::encoder::tokenizer
