#include "report/figures/scatter_plot.h"

#include <algorithm>

#include "report/figures/frame.h"
#include "report/figures/labels.h"
#include "report/figures/marker.h"

namespace wordbreadth::report {
namespace {

constexpr double plot_height = 380;
constexpr double between_panels = 28;

bool is_map(const ScatterPlot& plot) {
    return plot.x.kind == Axis::Kind::hidden && plot.y.kind == Axis::Kind::hidden;
}

bool is_quiet(const ScatterPlot& plot, std::size_t group) {
    return group < plot.groups.size() && plot.groups[group].quiet;
}

std::string classes_of(const ScatterPlot& plot, std::size_t group) {
    return is_quiet(plot, group) ? "quiet" : series_class(group);
}

void include(Range& x, Range& y, const Panel& panel) {
    for (const ScatterPoint& point : panel.points) x.include(point.x), y.include(point.y);
    for (const Segment& s : panel.segments) {
        for (const double value : {s.x1, s.x2}) x.include(value);
        for (const double value : {s.y1, s.y2}) y.include(value);
    }
}

struct Ends {
    Range::Ends x, y;
};

Ends common_ends(const ScatterPlot& plot) {
    Range x(plot.x), y(plot.y);
    for (const Panel& panel : plot.panels) include(x, y, panel);
    for (const Guide& guide : plot.x_guides) x.include(guide.at);
    for (const Guide& guide : plot.y_guides) y.include(guide.at);
    return {x.ends(0.05), y.ends(0.05)};
}

// On a map a pixel is as long in one direction as in the other.
Ends square_ends(const ScatterPlot& plot, const Panel& panel) {
    Range x(plot.x), y(plot.y);
    include(x, y, panel);
    Ends ends{x.ends(0.05), y.ends(0.05)};
    const double half = std::max(ends.x.high - ends.x.low, ends.y.high - ends.y.low) / 2;
    for (Range::Ends* side : {&ends.x, &ends.y}) {
        const double middle = (side->low + side->high) / 2;
        *side = {middle - half, middle + half};
    }
    return ends;
}

std::string answer(const ScatterPoint& point, const Scale& x, const Scale& y) {
    if (!point.note.empty() || x.axis().kind == Axis::Kind::hidden)
        return point.name + (point.name.empty() || point.note.empty() ? "" : "\n") + point.note;
    return (point.name.empty() ? "" : point.name + "\n") + x.axis().label + ": " + x.text_of(point.x) + "\n" +
           y.axis().label + ": " + y.text_of(point.y);
}

void draw_points(Canvas& canvas, const ScatterPlot& plot, const Panel& panel, const Scale& x, const Scale& y,
                 bool quiet) {
    for (const ScatterPoint& point : panel.points) {
        if (is_quiet(plot, point.group) != quiet) continue;
        const double at_x = x.at(point.x), at_y = y.at(point.y);
        if (!std::isfinite(at_x) || !std::isfinite(at_y)) continue;
        const std::string d = marker_path(quiet ? 0 : point.group, at_x, at_y, quiet ? 2.2 : 3.6);
        canvas.add(answering_path("dot " + classes_of(plot, point.group), d, {answer(point, x, y), point.evidence}));
    }
}

// The label goes into the corner that the line leaves free.
void draw_segment(Canvas& canvas, const Box& box, const Segment& segment, const Scale& x, const Scale& y) {
    const double x1 = x.at(segment.x1), y1 = y.at(segment.y1), x2 = x.at(segment.x2), y2 = y.at(segment.y2);
    canvas.line("fit", x1, y1, x2, y2);
    const bool rises = (y2 < y1) == (x2 > x1);
    canvas.text("fit-label", rises ? box.left + 12 : box.right - 12, box.top + 12, rises ? Anchor::start : Anchor::end,
                segment.label);
}

void draw_names(Canvas& canvas, const Box& box, const Panel& panel, const Scale& x, const Scale& y) {
    std::vector<WantedLabel> wanted;
    for (const ScatterPoint& point : panel.points)
        if (point.prominence > 0 && x.contains(point.x) && y.contains(point.y))
            wanted.push_back({x.at(point.x), y.at(point.y), point.prominence, point.name});
    draw_labels(canvas, box, std::move(wanted));
}

void draw_panel(Canvas& canvas, const ScatterPlot& plot, const Panel& panel, const Box& box, const Scale& x,
                const Scale& y) {
    canvas.open("panel");
    if (!panel.title.empty()) canvas.text("panel-title", box.left, box.top - 10, Anchor::start, panel.title);
    if (is_map(plot)) canvas.rectangle("map", box.left, box.top, box.right - box.left, box.bottom - box.top);
    for (const Guide& guide : plot.y_guides) draw_guide_at_y(canvas, box, y, guide);
    for (const Guide& guide : plot.x_guides) draw_guide_at_x(canvas, box, x, guide);
    for (const bool quiet : {true, false}) draw_points(canvas, plot, panel, x, y, quiet);
    for (const Segment& segment : panel.segments) draw_segment(canvas, box, segment, x, y);
    draw_names(canvas, box, panel, x, y);
    canvas.close();
}

double draw_maps(Canvas& canvas, const ScatterPlot& plot, double top) {
    const double count = static_cast<double>(std::max<std::size_t>(plot.panels.size(), 1));
    const double side = std::min(plot_height + 80, (figure_width - 16 - between_panels * (count - 1)) / count);
    double left = 8;
    for (const Panel& panel : plot.panels) {
        const Box box{left, top, left + side, top + side};
        const Ends ends = square_ends(plot, panel);
        draw_panel(canvas, plot, panel, box, {plot.x, ends.x, box.left, box.right, 0},
                   {plot.y, ends.y, box.bottom, box.top, 0});
        left += side + between_panels;
    }
    return top + side + 12;
}

double draw_plots(Canvas& canvas, const ScatterPlot& plot, double top) {
    const Ends ends = common_ends(plot);
    const double bottom = top + plot_height;
    const Scale y(plot.y, ends.y, bottom, top, 6);
    const double room = label_room(y.ticks());
    const double count = static_cast<double>(std::max<std::size_t>(plot.panels.size(), 1));
    const double width = (plot_right - (room + between_panels) * (count - 1) - room) / count;
    double left = room;
    for (const Panel& panel : plot.panels) {
        const Box box{left, top, left + width, bottom};
        const Scale x(plot.x, ends.x, box.left, box.right, static_cast<int>(std::max(3.0, 8 / count)));
        draw_vertical_axis(canvas, box, y);
        draw_horizontal_axis(canvas, box, x);
        draw_panel(canvas, plot, panel, box, x, y);
        left += width + room + between_panels;
    }
    return bottom + 54;
}

std::vector<LegendEntry> legend_of(const ScatterPlot& plot) {
    std::vector<LegendEntry> legend;
    for (std::size_t i = 0; i < plot.groups.size(); ++i)
        legend.push_back({plot.groups[i].name, plot.groups[i].quiet ? 0 : i, classes_of(plot, i)});
    return legend;
}

}  // namespace

Svg svg_of(const ScatterPlot& plot) {
    Canvas canvas;
    const double top = draw_heading(canvas, plot.heading, legend_of(plot)) + 24;
    const double bottom = is_map(plot) ? draw_maps(canvas, plot, top) : draw_plots(canvas, plot, top);
    return finished(canvas, plot.heading, bottom);
}

}  // namespace wordbreadth::report
