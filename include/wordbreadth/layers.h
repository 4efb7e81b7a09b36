// Which of a model's layers the vectors come from, and how exactly it computes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth {

// One layer, or the mean of a range of layers. 0 is the embeddings; the last layer includes the model's final norm, if
// it has one, as in transformers' hidden_states.
struct LayerRange {
    std::size_t first = 0;
    std::size_t last = 0;

    friend auto operator<=>(const LayerRange&, const LayerRange&) = default;  // NOLINT(modernize-use-nullptr)
};

// "4"; of a range "2-4".
[[nodiscard]] std::string text_of(const LayerRange& layers);

// "2,4,6", in their order.
[[nodiscard]] std::string text_of(std::span<const LayerRange> layers);

// The inverse: layers and ranges between commas. Nothing where the text is anything else, or a range is upside down.
[[nodiscard]] std::optional<std::vector<LayerRange>> layers_in(std::string_view text);

// The layer that vectors come from unless another is asked for: one third up, 2 of 6 or 8 of 24, and never the
// embeddings of a model that has layers. In MiniLM it is closer to WordNet's senses than those above it:
// docs/studies.md.
[[nodiscard]] constexpr std::size_t default_layer(std::size_t model_layers) {
    return model_layers == 0 ? 0 : std::max<std::size_t>(1, (model_layers + 1) / 3);
}

// The same for people to read.
inline constexpr std::string_view default_layer_text = "one third up";

// Of the model's matrix products. automatic: f32 on the CPU, f16 on a GPU. A CPU without fast bf16 computes in f32.
enum class Precision { automatic, f32, bf16, f16 };

}  // namespace wordbreadth
