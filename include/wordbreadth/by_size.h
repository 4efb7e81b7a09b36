// How the breadth of a cloud and its interval depend on the number of occurrences: how many are enough?
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "wordbreadth/breadth.h"
#include "wordbreadth/cloud.h"
#include "wordbreadth/test.h"

namespace wordbreadth {

struct BySizeOptions {
    std::size_t draws = 200;   // samples of each size, 1 to 100,000
    double confidence = 0.95;  // of the intervals
    std::uint64_t seed = 0;    // of the samples
    Execution execution = {};  // threads, progress and stop
};

// What samples of n rows give. All but n, draws and `defined` is about those that have an interval.
struct BreadthAtSize {
    std::size_t n = 0;
    std::size_t draws = 0;  // samples; 1 for all rows
    double defined = 0;     // the share of them that have an interval: see Breadth::log_v_standard_error
    double documents = 0;   // that a sample has rows of, on average; 0 where the cloud has no blocks
    double breadth = 0;     // of a sample, the geometric mean: without bias, so that it does not depend on n
    double low = 0;         // of the interval that a sample gives, the geometric means of its ends: see by_size()
    double high = 0;
    double half_width = 0;  // of that interval, as a ratio: 0.1 for a factor of 1.1 up or down
    double v = 0;           // the paper's, the geometric mean, which depends on n
};

// Rows at which the half width falls to a ratio.
struct EnoughRows {
    double half_width = 0;
    double n = 0;               // NaN where no size has an interval
    bool extrapolated = false;  // beyond the rows of the cloud, as if the half width went on falling with 1 / sqrt(n)
};

inline constexpr std::array half_widths_of_enough = {0.10, 0.05};
inline constexpr std::size_t fewest_rows_by_size = 4;
inline constexpr std::size_t rows_of_a_run = 5;

struct BreadthBySize {
    std::string name;
    Breadth all;
    std::vector<BreadthAtSize> sizes;  // 5, 10, 20, 50, 100, ... rows, and all of them
    std::vector<EnoughRows> enough;    // for each of half_widths_of_enough
    // The breadth from pairs of rows that stand within 5 of each other, and the probability under independence that it
    // differs as much from that of all pairs (blocks in random order). Where it is small, rows depend on their
    // neighbours, and intervals are too narrow. NaN where there are no such pairs.
    double in_order = 0;
    double p_in_order = 0;
    BySizeOptions options;
};

// Samples are rows drawn without replacement. The interval of a sample is log breadth -+ t se, with se the jackknife of
// its rows, or of its documents where the cloud has blocks, and Student's quantile with one degree of freedom less than
// there are of these. With one draw the intervals are those of single samples, which cover the true breadth in a share
// of `confidence`. Depends on the cloud, its name and the seed, never on the number of threads. Throws InputError when
// the cloud has fewer than 4 rows or an option is out of range, Cancelled when stopped.
[[nodiscard]] BreadthBySize by_size(const Cloud& cloud, const BySizeOptions& options = {});

}  // namespace wordbreadth
