#include "report/figures/dot_plot.h"

#include <algorithm>

#include "report/figures/frame.h"
#include "report/figures/marker.h"
#include "report/text.h"

namespace wordbreadth::report {
namespace {

constexpr double between_methods = 13;
constexpr double between_rows = 18;
constexpr std::size_t longest_label = 36;  // columns; a longer one is cut in the middle

double row_height(const DotPlot& plot) {
    return between_methods * static_cast<double>(std::max<std::size_t>(plot.methods.size(), 1)) + between_rows;
}

double room_for_labels(const DotPlot& plot) {
    double widest = 0;
    for (const DotRow& row : plot.rows)
        widest = std::max(widest, text_width(clipped(row.label, longest_label), font_size));
    return 8 + widest + 16;
}

Scale horizontal(const DotPlot& plot, const Box& box) {
    Range range(plot.x);
    for (const DotRow& row : plot.rows)
        for (const Estimate& value : row.values) range.include(value);
    for (const Guide& level : plot.levels) range.include(level.at);
    return {plot.x, range.ends(0.04), box.left, box.right, 8};
}

void draw_grid(Canvas& canvas, const Box& box, const Scale& x) {
    canvas.open("axis");
    for (const Tick& tick : x.ticks()) canvas.line("grid", x.at(tick.value), box.top, x.at(tick.value), box.bottom);
    canvas.close();
}

void draw_dot(Canvas& canvas, const DotPlot& plot, const DotRow& row, std::size_t i, const Scale& x, double y) {
    const Estimate& value = row.values[i];
    const double at = x.at(value.value), low = x.at(value.low), high = x.at(value.high);
    if (!std::isfinite(at)) return;
    const std::string colour = series_class(i);
    if (std::isfinite(low) && std::isfinite(high)) canvas.line("interval " + colour, low, y, high, y);
    const std::string text = row.label + "\n" + plot.methods[i] + "\n" + x.axis().label + ": " + x.text_of(value);
    canvas.add(answering_path("mark " + colour, marker_path(i, at, y, 4.5), {text, {}}));
}

void draw_row(Canvas& canvas, const DotPlot& plot, const DotRow& row, const Box& box, const Scale& x, double top) {
    const double height = row_height(plot);
    canvas.text("label", box.left - 14, top + height / 2 + 4.5, Anchor::end, clipped(row.label, longest_label));
    canvas.line("grid", box.left, top + height, box.right, top + height);
    const std::size_t count = std::min(row.values.size(), plot.methods.size());
    for (std::size_t i = 0; i < count; ++i)
        draw_dot(canvas, plot, row, i, x,
                 top + (between_rows + between_methods) / 2 + between_methods * static_cast<double>(i));
}

std::vector<LegendEntry> legend_of(const DotPlot& plot) {
    std::vector<LegendEntry> legend;
    for (std::size_t i = 0; i < plot.methods.size(); ++i) legend.push_back({plot.methods[i], i, series_class(i)});
    return legend;
}

}  // namespace

Svg svg_of(const DotPlot& plot) {
    Canvas canvas;
    const double top = draw_heading(canvas, plot.heading, legend_of(plot)) + 16;
    const Box box{room_for_labels(plot), top, plot_right,
                  top + row_height(plot) * static_cast<double>(plot.rows.size())};
    const Scale x = horizontal(plot, box);
    draw_grid(canvas, box, x);
    const Box above{box.left, box.top - 14, box.right, box.bottom};  // the guides' labels stand over the rows
    for (const Guide& level : plot.levels) draw_guide_at_x(canvas, above, x, level);
    for (std::size_t i = 0; i < plot.rows.size(); ++i)
        draw_row(canvas, plot, plot.rows[i], box, x, top + row_height(plot) * static_cast<double>(i));
    draw_horizontal_axis(canvas, box, x);
    return finished(canvas, plot.heading, box.bottom + 54);
}

}  // namespace wordbreadth::report
