// Which rows of a cloud are kept when it is cut to a smaller size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace wordbreadth {

// The priority of a row: a pure function of the seed, the word's bytes and the row's number, so that every word is
// sampled by itself, whatever other words there are. With h the FNV-1a hash (64 bits) of the bytes, it is words 0 (low)
// and 1 (high) of Philox4x32-10 with counter (row low, row high, h low, h high) and key (seed low, seed high).
[[nodiscard]] std::uint64_t row_priority(std::string_view word, std::uint64_t row, std::uint64_t seed);

// The `n` rows out of 0 .. rows - 1 of smallest priority (equal ones: the earlier row), in ascending order; all of them
// when there are no more than n. A smaller n gives a subset.
[[nodiscard]] std::vector<std::size_t> sample_rows(std::string_view word, std::size_t rows, std::size_t n,
                                                   std::uint64_t seed);

}  // namespace wordbreadth
