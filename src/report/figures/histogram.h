// How often values fall where: a null distribution with T marked, p-values beside the level they should have.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/figures/figure.h"
#include "report/svg.h"

namespace wordbreadth::report {

// Bars side by side: counts[i] values lie in [edges[i], edges[i + 1]), the last bar with its right edge.
struct Bars {
    std::vector<double> edges{};  // one more than there are counts
    std::vector<double> counts{};
};

// The values in `count` bars of equal width from low to high; what lies outside, and NaN, is left out.
[[nodiscard]] Bars bars_of(std::span<const double> values, double low, double high, std::size_t count);

// The values in bars of a round width that suits their number and spread. Those that are not finite are left out.
[[nodiscard]] Bars bars_of(std::span<const double> values);

struct Histogram {
    Heading heading{};
    Axis x{};
    std::string y_label{};
    Bars bars{};
    std::vector<Guide> marks{};    // values of x; the axis reaches to them
    std::optional<Guide> level{};  // a value of y: the count that every bar should have
    // Bars whose middle is at or past these are shown as extreme.
    std::optional<double> extreme_below{}, extreme_above{};
};

[[nodiscard]] Svg svg_of(const Histogram& histogram);

}  // namespace wordbreadth::report
