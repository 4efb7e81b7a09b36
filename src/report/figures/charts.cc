// Line charts, dot plots and histograms.
#include <algorithm>

#include "report/figures/drawing.h"

namespace wordbreadth::report {
namespace {

constexpr double line_chart_height = 300;
constexpr double between_lines = 5;  // points of one x stand beside each other, so that their intervals can be seen

Scale vertical(const LineChart& chart, const Box& box) {
    Range range(chart.y);
    for (const Line& line : chart.lines)
        for (const LinePoint& point : line.points) range.include(point.y);
    range.include(chart.levels);
    return {chart.y, range.ends(0.04), box.bottom, box.top, 5};
}

Scale horizontal(const LineChart& chart, const Box& box, int ticks) {
    Range range(chart.x);
    for (const Line& line : chart.lines)
        for (const LinePoint& point : line.points) range.include(point.x);
    return {chart.x, range.ends(0.05), box.left, box.right, ticks};
}

struct SeriesLook {
    std::size_t series;
    std::string colour, mark;
};

SeriesLook look_of(const Line& line, std::size_t i) {
    const std::size_t series = line.like.value_or(i);
    const std::string colour = series_class(series);
    return {series, colour, (line.like ? "mark hollow " : "mark ") + colour};
}

Answer answer(const Line& line, const LinePoint& point, const Scale& x, const Scale& y) {
    const std::string text = line.name + "\n" + x.axis().label + ": " + x.text_of(point.x) + "\n" + y.axis().label +
                             ": " + y.text_of(point.y);
    return {
        text, {}, {field(line.name), field(point.x), field(point.y.value), field(point.y.low), field(point.y.high)}};
}

void draw_line(Canvas& canvas, const Line& line, const SeriesLook& look, const Scale& x, const Scale& y, double shift) {
    struct Place {
        double x, y;
        const LinePoint* point;
    };
    std::string route;
    std::vector<Place> shown;
    for (const LinePoint& point : line.points) {
        const Place place{x.at(point.x) + shift, y.at(point.y.value), &point};
        if (!std::isfinite(place.x) || !std::isfinite(place.y)) continue;
        route += (route.empty() ? "M" : "L") + coordinate(place.x) + " " + coordinate(place.y);
        const double low = y.at(point.y.low), high = y.at(point.y.high);
        if (std::isfinite(low) && std::isfinite(high))
            canvas.line("interval " + look.colour, place.x, low, place.x, high);
        shown.push_back(place);
    }
    canvas.path((line.like ? "route dashed " : "route ") + look.colour, route);
    for (const Place& place : shown)
        draw_point(canvas, look.mark, marker_path(look.series, place.x, place.y, 4.5),
                   answer(line, *place.point, x, y));
}

std::vector<LegendEntry> legend_of(const LineChart& chart) {
    std::vector<LegendEntry> legend;
    for (std::size_t i = 0; i < chart.lines.size(); ++i) {
        const SeriesLook look = look_of(chart.lines[i], i);
        legend.push_back({chart.lines[i].name, look.series, (chart.lines[i].like ? "hollow " : "") + look.colour});
    }
    return legend;
}

double draw(Canvas& canvas, const LineChart& chart) {
    const double top = draw_heading(canvas, chart.heading, legend_of(chart)) + room_above(canvas, chart.y);
    Box box{0, top, plot_right(canvas) - room_on_the_right(chart.levels), top + line_chart_height};
    const Scale y = vertical(chart, box);
    box.left = label_room(y.ticks());
    const Scale x = horizontal(chart, box, ticks_across(canvas, 10));
    draw_vertical_axis(canvas, box, y);
    const double bottom = draw_horizontal_axis(canvas, box, x);
    draw_guides(canvas, box, y, chart.levels);
    const double middle = (static_cast<double>(chart.lines.size()) - 1) / 2;
    const double between = canvas.is_narrow() ? 0.6 * between_lines : between_lines;
    for (std::size_t i = 0; i < chart.lines.size(); ++i)
        draw_line(canvas, chart.lines[i], look_of(chart.lines[i], i), x, y,
                  between * (static_cast<double>(i) - middle));
    draw_labels_on_the_right(canvas, box, y, chart.levels);
    return bottom;
}

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
    range.include(plot.levels);
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
    draw_guides(canvas, above, x, plot.levels);
    draw_guide_labels(canvas, space, above, x, plot.levels);
    double row_top = top;
    for (const DotRow& row : plot.rows) row_top = draw_row(canvas, plot, row, box, x, row_top);
    return draw_horizontal_axis(canvas, box, x);
}

constexpr double histogram_height = 220;

std::vector<double> finite(std::span<const double> values) {
    std::vector<double> kept;
    for (const double value : values)
        if (std::isfinite(value)) kept.push_back(value);
    std::sort(kept.begin(), kept.end());
    return kept;
}

// Freedman and Diaconis, within 8 and 60 bars.
double bar_width(const std::vector<double>& sorted) {
    const double n = static_cast<double>(sorted.size());
    const double length = sorted.back() - sorted.front();
    const double quartiles = sorted[sorted.size() * 3 / 4] - sorted[sorted.size() / 4];
    return round_step(std::clamp(2 * quartiles / std::cbrt(n), length / 60, length / 20));
}

bool is_extreme(const Histogram& histogram, std::size_t i) {
    const double middle = (histogram.bars.edges[i] + histogram.bars.edges[i + 1]) / 2;
    return (histogram.extreme_below && middle <= *histogram.extreme_below) ||
           (histogram.extreme_above && middle >= *histogram.extreme_above);
}

Scale horizontal(const Histogram& histogram, const Box& box, int ticks) {
    Range range(histogram.x);
    for (const double edge : histogram.bars.edges) range.include(edge);
    range.include(histogram.marks);
    return {histogram.x, range.ends(0.02), box.left, box.right, ticks};
}

Scale vertical(const Histogram& histogram, const Axis& axis, const Box& box) {
    Range range(axis);
    range.include(0.0);
    for (const double count : histogram.bars.counts) range.include(count);
    range.include(histogram.levels);
    Range::Ends ends = range.ends(0.06);
    ends.low = 0;
    return {axis, ends, box.bottom, box.top, 4};
}

void draw_bar(Canvas& canvas, LabelSpace& space, const Histogram& histogram, std::size_t i, const Scale& x,
              const Scale& y) {
    const double left = x.at(histogram.bars.edges[i]), right = x.at(histogram.bars.edges[i + 1]);
    const double count = histogram.bars.counts[i];
    if (!(count > 0) || !std::isfinite(left) || !std::isfinite(right)) return;
    const double gap = std::min(1.0, (right - left) / 4);
    const std::string d = "M" + coordinate(left + gap / 2) + " " + coordinate(y.at(0)) + "V" + coordinate(y.at(count)) +
                          "H" + coordinate(right - gap / 2) + "V" + coordinate(y.at(0)) + "z";
    const std::string text = x.axis().label + ": " + x.text_of(histogram.bars.edges[i]) + " to " +
                             x.text_of(histogram.bars.edges[i + 1]) + "\n" + y.axis().label + ": " + y.text_of(count);
    const std::vector<std::string> record = {field(histogram.bars.edges[i]), field(histogram.bars.edges[i + 1]),
                                             field(count)};
    draw_point(canvas, is_extreme(histogram, i) ? "bar s1" : "bar s0", d, {text, {}, record});
    space.avoid({left, y.at(count), right, y.at(0)});
}

double draw(Canvas& canvas, const Histogram& histogram) {
    const Axis counts{.label = histogram.y_label};
    const double top = draw_heading(canvas, histogram.heading, {}) + room_above(canvas, counts);
    Box box{0, top, plot_right(canvas) - room_on_the_right(histogram.levels), top + histogram_height};
    const Scale y = vertical(histogram, counts, box);
    box.left = label_room(y.ticks());
    const Scale x = horizontal(histogram, box, ticks_across(canvas, 8));
    LabelSpace space({box.left, box.top - 8, canvas.width() - figure_edge, box.bottom});
    draw_vertical_axis(canvas, box, y);
    for (std::size_t i = 0; i < histogram.bars.counts.size(); ++i) draw_bar(canvas, space, histogram, i, x, y);
    const double bottom = draw_horizontal_axis(canvas, box, x);
    draw_guides(canvas, box, y, histogram.levels);
    draw_guides(canvas, box, x, histogram.marks);
    draw_guide_labels(canvas, space, box, x, histogram.marks);
    draw_labels_on_the_right(canvas, box, y, histogram.levels);
    return bottom;
}

}  // namespace

Svg svg_of(const LineChart& chart) {
    const std::string y = column_of(chart.y, "y");
    return at_both_widths(chart.heading, {"series", column_of(chart.x, "x"), y, y + " low", y + " high"},
                          [&](Canvas& canvas) { return draw(canvas, chart); });
}

Svg svg_of(const DotPlot& plot) {
    const std::string value = column_of(plot.x, "value");
    return at_both_widths(plot.heading, {"case", "series", value, value + " low", value + " high"},
                          [&](Canvas& canvas) { return draw(canvas, plot); });
}

Bars bars_of(std::span<const double> values, double low, double high, std::size_t count) {
    Bars bars;
    bars.counts.assign(count, 0);
    const double width = (high - low) / static_cast<double>(count);
    for (std::size_t i = 0; i <= count; ++i) bars.edges.push_back(low + width * static_cast<double>(i));
    for (const double value : values) {
        if (!(value >= low && value <= high)) continue;
        const auto i = static_cast<std::size_t>((value - low) / width);
        ++bars.counts[std::min(i, count - 1)];
    }
    return bars;
}

Bars bars_of(std::span<const double> values) {
    const std::vector<double> sorted = finite(values);
    if (sorted.empty()) return {};
    if (sorted.front() == sorted.back()) {
        const double half = std::max(1e-9, 0.05 * std::abs(sorted.front()));
        return bars_of(sorted, sorted.front() - half, sorted.front() + half, 1);
    }
    const double width = bar_width(sorted);
    const double low = std::floor(sorted.front() / width) * width;
    const double count = std::max(1.0, std::ceil((sorted.back() - low) / width));
    return bars_of(sorted, low, low + count * width, static_cast<std::size_t>(count));
}

Svg svg_of(const Histogram& histogram) {
    const std::string x = column_of(histogram.x, "value");
    return at_both_widths(histogram.heading, {x + " from", x + " to", histogram.y_label},
                          [&](Canvas& canvas) { return draw(canvas, histogram); });
}

}  // namespace wordbreadth::report
