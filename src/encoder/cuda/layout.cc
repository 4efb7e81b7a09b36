#include "encoder/cuda/layout.h"

#include <algorithm>
#include <functional>

#include "base/failure.h"

namespace wordbreadth::encoder::gpu {
namespace {

using Place = std::function<std::size_t(std::size_t)>;

// A linear map of another size, with every output and input at its new place.
Linear moved(const Linear& from, std::size_t outputs, std::size_t inputs, const Place& output, const Place& input) {
    Linear to{outputs, inputs, std::vector<float>(outputs * inputs), {}};
    if (!from.bias.empty()) to.bias.resize(outputs);
    for (std::size_t o = 0; o < from.outputs; ++o) {
        float* row = to.weight.data() + output(o) * inputs;
        for (std::size_t i = 0; i < from.inputs; ++i) row[input(i)] = from.weight[o * from.inputs + i];
        if (!from.bias.empty()) to.bias[output(o)] = from.bias[o];
    }
    return to;
}

std::size_t same(std::size_t i) {
    return i;
}

// Of all heads one after the other, be it of queries, of keys or of values.
Place place_in_heads(const Sizes& sizes) {
    return [&sizes](std::size_t i) { return i / sizes.head * sizes.head_row + place_in_head(sizes, i % sizes.head); };
}

void append(std::vector<float>& to, const std::vector<float>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

Sizes::Sizes(const ModelConfig& config)
    : hidden(config.hidden),
      row(padded(config.hidden)),
      heads(config.heads),
      head(config.head_size()),
      head_row(padded(config.head_size(), 32)),
      attended(heads * head_row),
      intermediate(padded(config.intermediate)) {}

void require_known_sizes(const std::string& folder, const ModelConfig& config) {
    const auto require = [&](std::size_t size, std::size_t most, const char* what) {
        if (size <= most) return;
        base::fail(folder, std::string(what) + " " + std::to_string(size) + "; on a GPU it can be at most " +
                               std::to_string(most) + "; use the device cpu");
    };
    require(config.hidden, widest_row, "the model's hidden size is");
    require(config.head_size(), largest_head, "the size of the model's attention heads is");
}

std::size_t place_in_head(const Sizes& sizes, std::size_t i) {
    const std::size_t half = (sizes.head + 1) / 2;
    return i < half ? 2 * i : 2 * (i - half) + 1;
}

Linear lay_out_qkv(const Linear& qkv, const Sizes& sizes) {
    return moved(qkv, 3 * sizes.attended, sizes.row, place_in_heads(sizes), same);
}

Linear lay_out_out(const Linear& out, const Sizes& sizes) {
    return moved(out, sizes.row, sizes.attended, same, place_in_heads(sizes));
}

Linear lay_out_up(const LayerWeights& layer, const Sizes& sizes) {
    Linear up = moved(layer.up, sizes.intermediate, sizes.row, same, same);
    if (!layer.gate) return up;
    const Linear gate = moved(*layer.gate, sizes.intermediate, sizes.row, same, same);
    up.outputs *= 2;
    append(up.weight, gate.weight);
    append(up.bias, gate.bias);
    return up;
}

Linear lay_out_down(const Linear& down, const Sizes& sizes) {
    return moved(down, sizes.row, sizes.intermediate, same, same);
}

std::vector<float> padded_rows(const std::vector<float>& values, std::size_t columns) {
    const std::size_t width = padded(columns);
    if (width == columns || values.empty()) return values;
    std::vector<float> rows(values.size() / columns * width);
    for (std::size_t row = 0; row < values.size() / columns; ++row)
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(row * columns), columns,
                    rows.begin() + static_cast<std::ptrdiff_t>(row * width));
    return rows;
}

}  // namespace wordbreadth::encoder::gpu
