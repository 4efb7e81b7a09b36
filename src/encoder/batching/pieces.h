// A batch is cut into pieces of whole sentences, one after the other, each carried through all layers together.
#pragma once

#include <cstddef>
#include <vector>

#include "encoder/batching/batch.h"

namespace wordbreadth::encoder::batching {

struct Piece {
    std::size_t first_sentence, end_sentence;
    std::size_t first_token, end_token;
    std::size_t first_kept, end_kept;  // of batch.kept

    [[nodiscard]] std::size_t tokens() const { return end_token - first_token; }
    [[nodiscard]] std::size_t kept() const { return end_kept - first_kept; }
};

// Pieces of at most `tokens_together` tokens, or of one sentence that is longer. Sentences of which nothing is kept are
// in none.
[[nodiscard]] std::vector<Piece> cut(const Batch& batch, std::size_t tokens_together);

}  // namespace wordbreadth::encoder::batching
