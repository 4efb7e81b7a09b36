// The shape an array announces, before anything is believed about it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wordbreadth::arrays {

using Shape = std::vector<std::uint64_t>;

// The product of `shape` and `unit` (the size of one element), or nothing when it does not fit 64 bits. Every size that
// comes out of a file is computed here.
[[nodiscard]] std::optional<std::uint64_t> checked_product(std::span<const std::uint64_t> shape, std::uint64_t unit);

// "(3, 4)", as numpy writes it.
[[nodiscard]] std::string to_text(const Shape& shape);

// Throws InputError, naming `where`, when the shape has more dimensions than limits::array_rank.
void require_rank_within_limit(const std::string& where, const Shape& shape);

// Throws InputError, naming `where`, unless the shape is that of a cloud: (rows, dimension), both within the limits.
void require_matrix(const std::string& where, const Shape& shape);

}  // namespace wordbreadth::arrays
