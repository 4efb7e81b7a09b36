// Which of a model's layers the vectors come from, and how exactly it computes.
#pragma once

#include <cstddef>

namespace wordbreadth {

// One layer, or the mean of a range of layers. 0 is the embeddings; the last layer includes the model's final norm, if
// it has one, as in transformers' hidden_states.
struct LayerRange {
    std::size_t first = 0;
    std::size_t last = 0;
};

// Of the model's matrix products. automatic: f32 on the CPU, f16 on a GPU. A CPU without fast bf16 computes in f32.
enum class Precision { automatic, f32, bf16, f16 };

}  // namespace wordbreadth
