#include <algorithm>

#include "report/figures/labels.h"
#include "report/table/text.h"

namespace wordbreadth::report {
namespace {

constexpr double between_methods = 13;
constexpr double between_rows = 18;
constexpr std::size_t longest_label = 36;  // columns; a longer one is cut in the middle

// On a narrow canvas a row's label stands over its dots, elsewhere on their left.
double label_height(const Canvas& canvas) {
    return canvas.is_narrow() ? 14 : 0;
}

std::size_t dots_of(const DotPlot& plot, const DotRow& row) {
    return std::min(row.values.size(), plot.methods.size());
}

double row_height(const Canvas& canvas, const DotPlot& plot, const DotRow& row) {
    return between_methods * static_cast<double>(std::max<std::size_t>(dots_of(plot, row), 1)) + between_rows +
           label_height(canvas);
}

double room_for_labels(const Canvas& canvas, const DotPlot& plot) {
    double widest = 0;
    if (canvas.is_narrow()) return figure_edge + 14;  // half of the first tick's label
    for (const DotRow& row : plot.rows)
        widest = std::max(widest, text_width(clipped(row.label, longest_label), font_size));
    return figure_edge + widest + 16;
}

Scale horizontal(const DotPlot& plot, const Box& box, int ticks) {
    Range range(plot.x);
    for (const DotRow& row : plot.rows)
        for (const Estimate& value : row.values) range.include(value);
    for (const Guide& level : plot.levels) range.include(level.at);
    return {plot.x, range.ends(0.04), box.left, box.right, ticks};
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
    const std::vector<std::string> record = {field(row.label), field(plot.methods[i]), field(value.value),
                                             field(value.low), field(value.high)};
    draw_point(canvas, "mark " + colour, marker_path(i, at, y, 4.5), {text, {}, record});
}

void draw_row_label(Canvas& canvas, const DotRow& row, const Box& box, double top, double height) {
    const std::string label = clipped(row.label, longest_label);
    if (canvas.is_narrow())
        canvas.text("row-label", figure_edge, top + 17, Anchor::start, label);
    else
        canvas.text("row-label", box.left - 14, top + height / 2 + 4.5, Anchor::end, label);
}

// Where the row ends.
double draw_row(Canvas& canvas, const DotPlot& plot, const DotRow& row, const Box& box, const Scale& x, double top) {
    const double height = row_height(canvas, plot, row);
    canvas.line("grid", box.left, top + height, box.right, top + height);
    draw_row_label(canvas, row, box, top, height);
    const double first = top + label_height(canvas) + (between_rows + between_methods) / 2;
    for (std::size_t i = 0; i < dots_of(plot, row); ++i)
        draw_dot(canvas, plot, row, i, x, first + between_methods * static_cast<double>(i));
    return top + height;
}

std::vector<LegendEntry> legend_of(const DotPlot& plot) {
    std::vector<LegendEntry> legend;
    for (std::size_t i = 0; i < plot.methods.size(); ++i) legend.push_back({plot.methods[i], i, series_class(i)});
    return legend;
}

double draw(Canvas& canvas, const DotPlot& plot) {
    const double top = draw_heading(canvas, plot.heading, legend_of(plot)) + 16;
    double bottom = top;
    for (const DotRow& row : plot.rows) bottom += row_height(canvas, plot, row);
    const Box box{room_for_labels(canvas, plot), top, plot_right(canvas), bottom};
    const Scale x = horizontal(plot, box, ticks_across(canvas, 8));
    draw_grid(canvas, box, x);
    const Box above{box.left, box.top - 16, box.right, box.bottom};  // the guides' labels stand over the rows
    LabelSpace space({figure_edge, above.top, canvas.width() - figure_edge, box.top + 2});
    for (const Guide& level : plot.levels) draw_guide_at_x(canvas, above, x, level);
    for (const Guide& level : plot.levels) draw_label_at_x(canvas, space, above, x, level);
    double row_top = top;
    for (const DotRow& row : plot.rows) row_top = draw_row(canvas, plot, row, box, x, row_top);
    return draw_horizontal_axis(canvas, box, x);
}

}  // namespace

Svg svg_of(const DotPlot& plot) {
    const std::string value = column_of(plot.x, "value");
    return at_both_widths(plot.heading, {"case", "series", value, value + " low", value + " high"},
                          [&](Canvas& canvas) { return draw(canvas, plot); });
}

}  // namespace wordbreadth::report
