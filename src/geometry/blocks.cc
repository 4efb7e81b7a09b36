#include "geometry/blocks.h"

#include <algorithm>
#include <unordered_map>

#include "geometry/vector_math.h"
#include "wordbreadth/error.h"

namespace wordbreadth::geometry {
namespace {

template <class Label>
std::vector<std::uint32_t> number(const std::string& label, std::span<const Label> labels, std::size_t rows) {
    if (labels.size() != rows)
        throw InputError(label + ": " + std::to_string(labels.size()) + " block labels for " + std::to_string(rows) +
                         " rows; expected one per row");
    std::unordered_map<Label, std::uint32_t> numbers;
    std::vector<std::uint32_t> blocks;
    blocks.reserve(rows);
    for (const Label& of_row : labels)
        blocks.push_back(numbers.try_emplace(of_row, static_cast<std::uint32_t>(numbers.size())).first->second);
    return blocks;
}

}  // namespace

std::vector<std::uint32_t> numbered(const std::string& label, std::span<const std::uint64_t> labels, std::size_t rows) {
    return number(label, labels, rows);
}

std::vector<std::uint32_t> numbered(const std::string& label, std::span<const std::string> labels, std::size_t rows) {
    return number(label, labels, rows);
}

BlockSums block_sums(const UnitRows& rows) {
    const std::span<const std::uint32_t> blocks = rows.blocks();
    const std::size_t count = std::size_t{*std::ranges::max_element(blocks)} + 1;
    const std::size_t d = rows.dimension();
    BlockSums result{d, std::vector<double>(count * d, 0.0), std::vector<double>(count, 0.0), {}};
    std::vector<double> scratch;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        add(std::span(result.sums).subspan(blocks[i] * d, d), rows.row(i, scratch));
        result.counts[blocks[i]] += 1;
    }
    for (std::size_t k = 0; k < count; ++k) result.squares.push_back(dot(result.sum(k), result.sum(k)));
    return result;
}

}  // namespace wordbreadth::geometry
