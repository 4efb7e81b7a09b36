// Values with their intervals along an axis, a line for each of several methods: rejection rates by gap.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/figures/figure.h"
#include "report/svg.h"

namespace wordbreadth::report {

struct LinePoint {
    double x = 0;
    Estimate y{};
};

struct Line {
    std::string name{};
    std::vector<LinePoint> points{};  // in the order of x
    std::optional<std::size_t>
        like{};  // the line whose colour and shape it shares, dashed and hollow: the same of others
};

struct LineChart {
    Heading heading{};
    Axis x{}, y{};
    std::vector<Line> lines{};
    std::vector<Guide> levels{};  // values of y
};

[[nodiscard]] Svg svg_of(const LineChart& chart);

}  // namespace wordbreadth::report
