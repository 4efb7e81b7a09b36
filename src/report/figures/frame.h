// What figures are drawn from: title, legend and axes around the data, and the markers of its points.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/figures/scale.h"

namespace wordbreadth::report {

inline constexpr double font_size = 13;

struct Box {
    double left, top, right, bottom;
};

// An entry of the legend: the series' name, and the classes of its marker.
struct LegendEntry {
    std::string name;
    std::size_t shape;
    std::string classes;
};

// The figure for wide and for narrow pages. `draw` puts it onto a canvas, as wide as that is, and returns its height.
[[nodiscard]] Svg at_both_widths(const Heading& heading, std::vector<std::string> columns,
                                 const std::function<double(Canvas&)>& draw);

// Where a plot ends at the right: room is left for half of the last tick's label.
[[nodiscard]] double plot_right(const Canvas& canvas);

// So many ticks where there is room, fewer on a narrow canvas.
[[nodiscard]] int ticks_across(const Canvas& canvas, int wanted);

// Draws title and legend at the top; where the rest may begin. A single entry needs no legend.
double draw_heading(Canvas& canvas, const Heading& heading, const std::vector<LegendEntry>& legend);

// How much room the tick labels of a vertical axis need on its left.
[[nodiscard]] double label_room(const std::vector<Tick>& ticks);

// How much room the label of a vertical axis needs above it.
[[nodiscard]] double room_above(const Canvas& canvas, const Axis& axis);

// Axes, grid and labels around a box; where the horizontal one with its label ends. The vertical axis has its label
// above it, where it can be read.
double draw_horizontal_axis(Canvas& canvas, const Box& box, const Scale& x);
void draw_vertical_axis(Canvas& canvas, const Box& box, const Scale& y);

// An axis as the title of a column.
[[nodiscard]] std::string column_of(const Axis& axis, const std::string& otherwise);

// Points have a colour and a shape for each of several methods or groups, so that neither has to be told apart alone.

// The class of the colour of series i: s0 to s6 and round again.
[[nodiscard]] std::string series_class(std::size_t i);

// The outline of the shape of series i about (x, y), for the d of a path: circle, triangle, square, diamond, ...
[[nodiscard]] std::string marker_path(std::size_t i, double x, double y, double radius);

// What the pointer finds at a point.
struct Answer {
    std::string text;                   // lines of text, each ended by a newline but the last
    Evidence evidence;                  // what a click shows
    std::vector<std::string> record{};  // its values, under the columns of the figure, each a field of a TSV file
};

// A point that answers: a marker (or any path) with its text, its evidence and its values. On a narrow canvas only what
// is seen, since the wide one has the rest.
void draw_point(Canvas& canvas, std::string_view classes, std::string_view d, const Answer& answer);

}  // namespace wordbreadth::report
