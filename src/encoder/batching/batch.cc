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

}  // namespace wordbreadth::encoder::batching
