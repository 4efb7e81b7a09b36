// Clouds to time the test on: made up, but with the geometry of contextual word vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "wordbreadth/cloud.h"

namespace wordbreadth::bench {

struct Shape {
    std::size_t n = 0;  // rows of X
    std::size_t m = 0;  // rows of Y
    std::size_t d = 0;
};

// Returns 2 * pairs different clouds: pair k is clouds 2k (n rows) and 2k + 1 (m rows). No word is in two pairs, so
// nothing that belongs to a word can be shared.
//
// A row is the word's direction plus noise. As measured on MiniLM's layer 4 (60 words x 256 occurrences of scripture
// and manuals): the variance along the k-th principal axis falls as 1/k, the axes are each word's own and lie across
// the coordinates, and the directions of two words have a cosine of 0.2. r is near 0.65, lower than there (0.78 to
// 0.97): deeper layers and larger models spread more. The two words of a pair have nearly the same true breadth, so p
// takes all values between 0 and 1.
[[nodiscard]] std::vector<Cloud> make_clouds(const Shape& shape, std::size_t pairs, std::uint64_t seed);

// Writes the rows as little-endian float32, row after row, without a header: what numpy.fromfile reads.
void write_rows(const Cloud& cloud, const std::string& path);

}  // namespace wordbreadth::bench
