// t-SNE (van der Maaten and Hinton 2008): points of many dimensions on a plane, neighbours near each other. The exact
// method, for a few hundred points; every pair of them is looked at in every step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wordbreadth {

struct TsneOptions {
    double perplexity = 30;  // about how many neighbours count; held to a third of the points
    std::size_t steps = 1000;
    std::uint64_t seed = 0;  // where the points start
};

struct PlanePoint {
    double x = 0, y = 0;
};

// `values`: (n, dimension), row after row, n at least 4. The same values and options give the same points.
[[nodiscard]] std::vector<PlanePoint> tsne(std::span<const double> values, std::size_t dimension,
                                           const TsneOptions& options = {});

}  // namespace wordbreadth
