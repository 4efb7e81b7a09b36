#include "study/sample.h"

#include <algorithm>
#include <utility>

#include "permutation/philox.h"

namespace wordbreadth {
namespace {

std::uint64_t fnv1a(std::string_view bytes) {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
    return hash;
}

std::uint32_t low(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}
std::uint32_t high(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
}

std::uint64_t priority(std::uint64_t word_hash, std::uint64_t row, std::uint64_t seed) {
    const auto words =
        permutation::philox({low(row), high(row), low(word_hash), high(word_hash)}, {low(seed), high(seed)});
    return words[0] | std::uint64_t{words[1]} << 32;
}

}  // namespace

std::uint64_t row_priority(std::string_view word, std::uint64_t row, std::uint64_t seed) {
    return priority(fnv1a(word), row, seed);
}

std::vector<std::size_t> sample_rows(std::string_view word, std::size_t rows, std::size_t n, std::uint64_t seed) {
    const std::uint64_t hash = fnv1a(word);
    std::vector<std::pair<std::uint64_t, std::size_t>> order(rows);
    for (std::size_t row = 0; row < rows; ++row) order[row] = {priority(hash, row, seed), row};
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(n, rows));
    if (end != order.end()) std::nth_element(order.begin(), end, order.end());
    std::vector<std::size_t> kept;
    for (auto entry = order.begin(); entry != end; ++entry) kept.push_back(entry->second);
    std::ranges::sort(kept);
    return kept;
}

}  // namespace wordbreadth
