// Which of a model's layers the vectors come from.
#pragma once

#include <cstddef>

namespace wordbreadth {

// One layer, or the mean of a range of layers. 0 is the embeddings; the last layer of a ModernBERT includes its final
// norm, as in transformers' hidden_states.
struct LayerRange {
    std::size_t first = 0;
    std::size_t last = 0;
};

}  // namespace wordbreadth
