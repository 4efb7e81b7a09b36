#include "report/figures/line_chart.h"

#include "report/figures/frame.h"
#include "report/figures/marker.h"

namespace wordbreadth::report {
namespace {

constexpr double plot_height = 300;
constexpr double between_methods = 5;  // points of one x stand beside each other, so that their intervals can be seen

Scale vertical(const LineChart& chart, const Box& box) {
    Range range(chart.y);
    for (const Line& line : chart.lines)
        for (const LinePoint& point : line.points) range.include(point.y);
    for (const Guide& level : chart.levels) range.include(level.at);
    return {chart.y, range.ends(0.04), box.bottom, box.top, 5};
}

Scale horizontal(const LineChart& chart, const Box& box) {
    Range range(chart.x);
    for (const Line& line : chart.lines)
        for (const LinePoint& point : line.points) range.include(point.x);
    return {chart.x, range.ends(0.05), box.left, box.right, 10};
}

struct Place {
    double x, y;
};

// NaN where the point cannot be shown.
Place place_of(const LinePoint& point, const Scale& x, const Scale& y, double shift) {
    return {x.at(point.x) + shift, y.at(point.y.value)};
}

void draw_interval(Canvas& canvas, const std::string& colour, const Estimate& value, double x, const Scale& y) {
    const double low = y.at(value.low), high = y.at(value.high);
    if (std::isfinite(low) && std::isfinite(high)) canvas.line("interval " + colour, x, low, x, high);
}

std::string answer(const Line& line, const LinePoint& point, const Scale& x, const Scale& y) {
    return line.name + "\n" + x.axis().label + ": " + x.text_of(point.x) + "\n" + y.axis().label + ": " +
           y.text_of(point.y);
}

void draw_line(Canvas& canvas, const Line& line, std::size_t i, const Scale& x, const Scale& y, double shift) {
    const std::string colour = series_class(i);
    std::string route;
    std::string markers;
    for (const LinePoint& point : line.points) {
        const Place place = place_of(point, x, y, shift);
        if (!std::isfinite(place.x) || !std::isfinite(place.y)) continue;
        route += (route.empty() ? "M" : "L") + coordinate(place.x) + " " + coordinate(place.y);
        draw_interval(canvas, colour, point.y, place.x, y);
        markers +=
            answering_path("mark " + colour, marker_path(i, place.x, place.y, 4.5), {answer(line, point, x, y), {}});
    }
    canvas.path("route " + colour, route);
    canvas.add(markers);
}

std::vector<LegendEntry> legend_of(const LineChart& chart) {
    std::vector<LegendEntry> legend;
    for (std::size_t i = 0; i < chart.lines.size(); ++i) legend.push_back({chart.lines[i].name, i, series_class(i)});
    return legend;
}

}  // namespace

Svg svg_of(const LineChart& chart) {
    Canvas canvas;
    const double top = draw_heading(canvas, chart.heading, legend_of(chart)) + 24;
    Box box{0, top, plot_right, top + plot_height};
    const Scale y = vertical(chart, box);
    box.left = label_room(y.ticks());
    const Scale x = horizontal(chart, box);
    draw_vertical_axis(canvas, box, y);
    draw_horizontal_axis(canvas, box, x);
    for (const Guide& level : chart.levels) draw_guide_at_y(canvas, box, y, level);
    const double middle = (static_cast<double>(chart.lines.size()) - 1) / 2;
    for (std::size_t i = 0; i < chart.lines.size(); ++i)
        draw_line(canvas, chart.lines[i], i, x, y, between_methods * (static_cast<double>(i) - middle));
    return finished(canvas, chart.heading, box.bottom + 54);
}

}  // namespace wordbreadth::report
