#include "encoder/batching/pieces.h"

#include <algorithm>

namespace wordbreadth::encoder::batching {

namespace {

// One sentence, beginning where the other tokens and kept ones end.
Piece sentence_of(const Batch& batch, std::size_t sentence, std::size_t first_token, std::size_t first_kept) {
    const std::size_t end_token = batch.ends[sentence];
    std::size_t end_kept = first_kept;
    while (end_kept < batch.kept.size() && batch.kept[end_kept] < end_token) ++end_kept;
    return {sentence, sentence + 1, first_token, end_token, first_kept, end_kept};
}

void extend(Piece& piece, const Piece& sentence) {
    piece.end_sentence = sentence.end_sentence;
    piece.end_token = sentence.end_token;
    piece.end_kept = sentence.end_kept;
}

}  // namespace

std::vector<Piece> cut(const Batch& batch, std::size_t tokens_together) {
    std::vector<Piece> pieces;
    std::size_t token = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < batch.ends.size(); ++i) {
        const Piece sentence = sentence_of(batch, i, token, kept);
        token = sentence.end_token;
        kept = sentence.end_kept;
        if (sentence.kept() == 0) continue;
        const bool fits = !pieces.empty() && pieces.back().end_sentence == i &&
                          pieces.back().tokens() + sentence.tokens() <= tokens_together;
        if (fits) {
            extend(pieces.back(), sentence);
        } else {
            pieces.push_back(sentence);
        }
    }
    return pieces;
}

}  // namespace wordbreadth::encoder::batching
