// Layers as text, as settings and names of files have them.
#include "wordbreadth/layers.h"

#include "base/strings.h"

namespace wordbreadth {
namespace {

std::optional<LayerRange> range_in(std::string_view text) {
    const auto dash = text.find('-');
    const auto first = base::number_in<std::size_t>(text.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : base::number_in<std::size_t>(text.substr(dash + 1));
    if (!first || !last || *first > *last) return std::nullopt;
    return LayerRange{*first, *last};
}

}  // namespace

std::string text_of(const LayerRange& layers) {
    const std::string first = std::to_string(layers.first);
    return layers.first == layers.last ? first : first + "-" + std::to_string(layers.last);
}

std::string text_of(std::span<const LayerRange> layers) {
    return base::joined(layers, ",", [](const LayerRange& range) { return text_of(range); });
}

std::optional<std::vector<LayerRange>> layers_in(std::string_view text) {
    std::vector<LayerRange> layers;
    for (bool more = true; more;) {
        const auto comma = text.find(',');
        const auto range = range_in(text.substr(0, comma));
        if (!range) return std::nullopt;
        layers.push_back(*range);
        more = comma != std::string_view::npos;
        if (more) text.remove_prefix(comma + 1);
    }
    return layers;
}

}  // namespace wordbreadth
