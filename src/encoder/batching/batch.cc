#include "encoder/batching/batch.h"

#include <algorithm>
#include <functional>
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

void require_fits(const Batch& batch, const snapshot::ModelConfig& config) {
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
