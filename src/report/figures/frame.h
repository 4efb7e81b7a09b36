// What surrounds the data of every figure: title, legend, axes, guides.
#pragma once

#include <string>
#include <vector>

#include "report/figures/scale.h"
#include "report/svg.h"

namespace wordbreadth::report {

inline constexpr double figure_width = 720;
inline constexpr double plot_right = figure_width - 24;  // room for half of the last tick's label
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

// Draws title and legend at the top; where the rest may begin. A single entry needs no legend.
double draw_heading(Canvas& canvas, const Heading& heading, const std::vector<LegendEntry>& legend);

// How much room the tick labels of a vertical axis need on its left.
[[nodiscard]] double label_room(const std::vector<Tick>& ticks);

// Axes, grid and labels around a box. The vertical axis has its label above it, where it can be read.
void draw_horizontal_axis(Canvas& canvas, const Box& box, const Scale& x);
void draw_vertical_axis(Canvas& canvas, const Box& box, const Scale& y);

// Guides at a value of the horizontal axis (a vertical line) and of the vertical one.
void draw_guide_at_x(Canvas& canvas, const Box& box, const Scale& x, const Guide& guide);
void draw_guide_at_y(Canvas& canvas, const Box& box, const Scale& y, const Guide& guide);

[[nodiscard]] Svg finished(const Canvas& canvas, const Heading& heading, double height);

}  // namespace wordbreadth::report
