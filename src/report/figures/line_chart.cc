#include "report/figures/labels.h"

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

Scale horizontal(const LineChart& chart, const Box& box, int ticks) {
    Range range(chart.x);
    for (const Line& line : chart.lines)
        for (const LinePoint& point : line.points) range.include(point.x);
    return {chart.x, range.ends(0.05), box.left, box.right, ticks};
}

struct Place {
    double x, y;
};

// NaN where the point cannot be shown.
Place place_of(const LinePoint& point, const Scale& x, const Scale& y, double shift) {
    return {x.at(point.x) + shift, y.at(point.y.value)};
}

struct Look {
    std::size_t series;
    std::string colour, mark;
};

Look look_of(const Line& line, std::size_t i) {
    const std::size_t series = line.like.value_or(i);
    const std::string colour = series_class(series);
    return {series, colour, (line.like ? "mark hollow " : "mark ") + colour};
}

void draw_interval(Canvas& canvas, const std::string& colour, const Estimate& value, double x, const Scale& y) {
    const double low = y.at(value.low), high = y.at(value.high);
    if (std::isfinite(low) && std::isfinite(high)) canvas.line("interval " + colour, x, low, x, high);
}

Answer answer(const Line& line, const LinePoint& point, const Scale& x, const Scale& y) {
    const std::string text = line.name + "\n" + x.axis().label + ": " + x.text_of(point.x) + "\n" + y.axis().label +
                             ": " + y.text_of(point.y);
    return {
        text, {}, {field(line.name), field(point.x), field(point.y.value), field(point.y.low), field(point.y.high)}};
}

void draw_line(Canvas& canvas, const Line& line, const Look& look, const Scale& x, const Scale& y, double shift) {
    std::string route;
    std::vector<std::pair<Place, const LinePoint*>> shown;
    for (const LinePoint& point : line.points) {
        const Place place = place_of(point, x, y, shift);
        if (!std::isfinite(place.x) || !std::isfinite(place.y)) continue;
        route += (route.empty() ? "M" : "L") + coordinate(place.x) + " " + coordinate(place.y);
        draw_interval(canvas, look.colour, point.y, place.x, y);
        shown.emplace_back(place, &point);
    }
    canvas.path((line.like ? "route dashed " : "route ") + look.colour, route);
    for (const auto& [place, point] : shown)
        draw_point(canvas, look.mark, marker_path(look.series, place.x, place.y, 4.5), answer(line, *point, x, y));
}

std::vector<LegendEntry> legend_of(const LineChart& chart) {
    std::vector<LegendEntry> legend;
    for (std::size_t i = 0; i < chart.lines.size(); ++i) {
        const Look look = look_of(chart.lines[i], i);
        legend.push_back({chart.lines[i].name, look.series, (chart.lines[i].like ? "hollow " : "") + look.colour});
    }
    return legend;
}

double draw(Canvas& canvas, const LineChart& chart) {
    const double top = draw_heading(canvas, chart.heading, legend_of(chart)) + room_above(canvas, chart.y);
    Box box{0, top, plot_right(canvas) - room_on_the_right(chart.levels), top + plot_height};
    const Scale y = vertical(chart, box);
    box.left = label_room(y.ticks());
    const Scale x = horizontal(chart, box, ticks_across(canvas, 10));
    draw_vertical_axis(canvas, box, y);
    const double bottom = draw_horizontal_axis(canvas, box, x);
    for (const Guide& level : chart.levels) draw_guide_at_y(canvas, box, y, level);
    const double middle = (static_cast<double>(chart.lines.size()) - 1) / 2;
    const double between = canvas.is_narrow() ? 0.6 * between_methods : between_methods;
    for (std::size_t i = 0; i < chart.lines.size(); ++i)
        draw_line(canvas, chart.lines[i], look_of(chart.lines[i], i), x, y,
                  between * (static_cast<double>(i) - middle));
    draw_labels_on_the_right(canvas, box, y, chart.levels);
    return bottom;
}

}  // namespace

Svg svg_of(const LineChart& chart) {
    const std::string y = column_of(chart.y, "y");
    return at_both_widths(chart.heading, {"series", column_of(chart.x, "x"), y, y + " low", y + " high"},
                          [&](Canvas& canvas) { return draw(canvas, chart); });
}

}  // namespace wordbreadth::report
