// Values with their intervals, a row for each of several cases and a dot for each of several methods: false positive
// rates against the level they should have.
#pragma once

#include <string>
#include <vector>

#include "report/figures/figure.h"
#include "report/svg.h"

namespace wordbreadth::report {

struct DotRow {
    std::string label{};
    std::vector<Estimate> values{};  // one a method, in their order; those past the end are missing
};

struct DotPlot {
    Heading heading{};
    Axis x{};
    std::vector<std::string> methods{};
    std::vector<DotRow> rows{};   // from top to bottom
    std::vector<Guide> levels{};  // values of x
};

[[nodiscard]] Svg svg_of(const DotPlot& plot);

}  // namespace wordbreadth::report
