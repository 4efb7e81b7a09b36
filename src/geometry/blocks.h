// Rows that belong together, such as a word's occurrences in one document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/unit_rows.h"

namespace wordbreadth::geometry {

// Labels as numbers from 0, in the order of first appearance. Throws InputError unless there are `rows` of them.
[[nodiscard]] std::vector<std::uint32_t> numbered(const std::string& label, std::span<const std::uint64_t> labels,
                                                  std::size_t rows);
[[nodiscard]] std::vector<std::uint32_t> numbered(const std::string& label, std::span<const std::string> labels,
                                                  std::size_t rows);

[[nodiscard]] BlockSums block_sums(const UnitRows& rows);

}  // namespace wordbreadth::geometry
