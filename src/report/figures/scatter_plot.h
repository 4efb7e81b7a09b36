// Points of two values each, in panels side by side: clouds before and after alignment, a volcano plot, a law.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/figures/figure.h"
#include "report/svg.h"

namespace wordbreadth::report {

struct Group {
    std::string name{};
    bool quiet = false;  // drawn small and grey, behind the others
};

struct ScatterPoint {
    double x = 0, y = 0;
    std::size_t group = 0;
    std::string name{};   // the word; heads what the pointer shows
    std::string note{};   // more lines of that; empty: the two values
    Evidence evidence{};  // what a click shows
    // Above 0: the name is written beside the point if there is room, higher values first.
    double prominence = 0;
    // Where there is one, the point stands in the plot's band, from 0 (low) to 1, and not at y.
    std::optional<double> height_in_band{};
};

// A straight line between two points of the plot, as the axes have it: on logarithmic ones, a power law.
struct Segment {
    double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    std::string label{};  // what the line says: its slope
};

struct Panel {
    std::string title{};  // empty: none
    std::vector<ScatterPoint> points{};
    std::vector<Segment> segments{};
};

struct ScatterPlot {
    Heading heading{};
    Axis x{}, y{};  // of every panel. Both hidden: square panels, each with ends of its own
    std::vector<Group> groups{};
    std::vector<Panel> panels{};
    std::vector<Guide> x_guides{}, y_guides{};
    std::string band{};  // what the points above the plot have in common, whose y is a limit; empty: there is no band
};

[[nodiscard]] Svg svg_of(const ScatterPlot& plot);

}  // namespace wordbreadth::report
