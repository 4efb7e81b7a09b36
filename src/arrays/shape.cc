#include "arrays/shape.h"

#include <algorithm>

#include "base/failure.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::arrays {

std::optional<std::uint64_t> checked_product(std::span<const std::uint64_t> shape, std::uint64_t unit) {
    // A zero anywhere makes the product zero, even where the other factors alone would not fit.
    if (std::ranges::find(shape, 0U) != shape.end()) return 0;
    std::uint64_t product = unit;
    for (const std::uint64_t extent : shape) {
        if (__builtin_mul_overflow(product, extent, &product)) return std::nullopt;
    }
    return product;
}

std::string to_text(const Shape& shape) {
    std::string text = "(";
    for (const std::uint64_t extent : shape) text.append(text.size() > 1 ? ", " : "").append(std::to_string(extent));
    return text.append(shape.size() == 1 ? ",)" : ")");
}

void require_rank_within_limit(const std::string& where, const Shape& shape) {
    if (shape.size() <= limits::array_rank) return;
    base::fail(where, "has " + std::to_string(shape.size()) + " dimensions; at most " +
                          std::to_string(limits::array_rank) + " are accepted");
}

void require_matrix(const std::string& where, const Shape& shape) {
    if (shape.size() != 2) {
        base::fail(where,
                   "has shape " + to_text(shape) +
                       "; a cloud has 2 dimensions, (vectors, dimension): reshape it, or name only the clouds to read");
    }
    if (shape[0] > limits::rows_of_a_pair) {
        base::fail(where, "has " + std::to_string(shape[0]) + " rows; at most " +
                              std::to_string(limits::rows_of_a_pair) + " are accepted: take a sample of them");
    }
    if (shape[1] > limits::dimension) {
        base::fail(where, "has dimension " + std::to_string(shape[1]) + "; at most " +
                              std::to_string(limits::dimension) + " is accepted");
    }
}

}  // namespace wordbreadth::arrays
