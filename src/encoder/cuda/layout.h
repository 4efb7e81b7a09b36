// The layout of weights on the device: widths that are multiples of 8, heads of a size that the attention kernel knows,
// zeros in between. Nothing here needs a GPU.
//
// Inside a head, value i of the first half stands at 2 i and its partner of the second half at 2 i + 1: what positions
// rotate together is then one 32-bit word. Queries, keys and values are all laid out so, and the columns of the product
// that takes the attended values as well, so that it shows nowhere else.
#pragma once

#include <cstddef>

#include "encoder/snapshot/config.h"
#include "encoder/snapshot/weights.h"

namespace wordbreadth::encoder::cuda {

inline constexpr std::size_t widest_row = 4096;  // a warp holds one in its registers
inline constexpr std::size_t largest_head = 128;

[[nodiscard]] constexpr std::size_t padded(std::size_t size, std::size_t multiple = 8) {
    return (size + multiple - 1) / multiple * multiple;
}

// The sizes of a model on the device.
struct Sizes {
    explicit Sizes(const snapshot::ModelConfig& config);

    std::size_t hidden;  // of the model
    std::size_t row;     // padded
    std::size_t heads;
    std::size_t head;          // of the model
    std::size_t head_row;      // padded: a multiple of 32
    std::size_t attended;      // heads * head_row
    std::size_t intermediate;  // padded
};

// Throws InputError when the kernels do not know the model's sizes.
void require_known_sizes(const std::string& folder, const snapshot::ModelConfig& config);

// Where value `i` of a head stands.
[[nodiscard]] std::size_t place_in_head(const Sizes& sizes, std::size_t i);

[[nodiscard]] snapshot::Linear lay_out_qkv(const snapshot::Linear& qkv, const Sizes& sizes);
[[nodiscard]] snapshot::Linear lay_out_out(const snapshot::Linear& out, const Sizes& sizes);
[[nodiscard]] snapshot::Linear lay_out_up(const snapshot::LayerWeights& layer,
                                          const Sizes& sizes);  // the gate's rows follow, if any
[[nodiscard]] snapshot::Linear lay_out_down(const snapshot::Linear& down, const Sizes& sizes);

// (rows, columns) to (rows, padded(columns)).
[[nodiscard]] std::vector<float> padded_rows(const std::vector<float>& values, std::size_t columns);

}  // namespace wordbreadth::encoder::cuda
