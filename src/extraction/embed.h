// The second half of an extraction: shard after shard, from planned sentences to rows.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

#include "encoder/encoder.h"
#include "store/plan.h"

namespace wordbreadth::extraction {

// The rows of a shard, (rows, hidden), in the plan's order. `tokens_done` is called after each batch; throws Cancelled
// on request, and InputError when the sentences do not fit the model or its numbers do not fit the precision: a store
// has one precision, so the message says to start anew.
[[nodiscard]] std::vector<float> embed(const store::ShardWork& work, encoder::Encoder& encoder,
                                       const std::function<void(std::size_t tokens)>& tokens_done,
                                       const std::stop_token& stop);

}  // namespace wordbreadth::extraction
