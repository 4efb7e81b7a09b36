#include <algorithm>

#include "report/figures/drawing.h"

namespace wordbreadth::report {
namespace {

constexpr double plot_height = 380;
constexpr double between_panels = 28;
constexpr double room_of_title = 24;  // of a panel
constexpr double lowest_band = 64, highest_band = 200;
constexpr double band_padding = 16;

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
    for (const ScatterPoint& point : panel.points) {
        x.include(point.x);
        if (!point.height_in_band) y.include(Estimate(point.y, point.low, point.high));
    }
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
    x.include(plot.x_guides);
    y.include(plot.y_guides);
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

// A panel on the canvas: the plot, and the band above it, which is of no height where there is none.
struct Field {
    Box plot, band;
    Scale x, y;
    double title;  // its baseline

    [[nodiscard]] Box whole() const { return {plot.left, band.top, plot.right, plot.bottom}; }
};

struct Place {
    double x, y;
};

// NaN where the point cannot be shown.
Place place_of(const ScatterPoint& point, const Field& field) {
    if (!point.height_in_band) return {field.x.at(point.x), field.y.at(point.y)};
    const double low = field.band.bottom - band_padding, high = field.band.top + band_padding;
    return {field.x.at(point.x), low + *point.height_in_band * (high - low)};
}

std::string text_of(const ScatterPoint& point, const Field& field) {
    const Scale &x = field.x, &y = field.y;
    if (!point.note.empty() || x.axis().kind == Axis::Kind::hidden)
        return point.name + (point.name.empty() || point.note.empty() ? "" : "\n") + point.note;
    return (point.name.empty() ? "" : point.name + "\n") + x.axis().label + ": " + x.text_of(point.x) + "\n" +
           y.axis().label + ": " + y.text_of(point.y);
}

bool has_intervals(const ScatterPlot& plot) {
    return std::ranges::any_of(plot.panels, [](const Panel& panel) {
        return std::ranges::any_of(panel.points, [](const ScatterPoint& point) { return std::isfinite(point.low); });
    });
}

std::vector<std::string> columns_of(const ScatterPlot& plot) {
    const std::string y = column_of(plot.y, "y");
    std::vector<std::string> columns = {"name", "group"};
    if (plot.panels.size() > 1) columns.emplace_back("panel");
    columns.insert(columns.end(), {column_of(plot.x, "x"), y});
    if (has_intervals(plot)) columns.insert(columns.end(), {y + " low", y + " high"});
    return columns;
}

std::vector<std::string> record_of(const ScatterPlot& plot, const Panel& panel, const ScatterPoint& point,
                                   bool with_intervals) {
    const std::string group = point.group < plot.groups.size() ? plot.groups[point.group].name : "";
    std::vector<std::string> record = {field(point.name), field(group)};
    if (plot.panels.size() > 1) record.push_back(field(panel.title));
    record.insert(record.end(), {field(point.x), field(point.y)});
    if (with_intervals) record.insert(record.end(), {field(point.low), field(point.high)});
    return record;
}

// More points than pixels that an interval and its neighbour need.
bool is_crowded(const Panel& panel) {
    return panel.points.size() > 200;
}

// One path for all points of a group: there may be thousands.
void draw_intervals(Canvas& canvas, const ScatterPlot& plot, const Panel& panel, const Field& field) {
    for (std::size_t group = 0; group < plot.groups.size(); ++group) {
        std::string d;
        for (const ScatterPoint& point : panel.points) {
            const double x = field.x.at(point.x), low = field.y.at(point.low), high = field.y.at(point.high);
            if (point.group == group && std::isfinite(x) && std::isfinite(low) && std::isfinite(high))
                d += "M" + coordinate(x) + " " + coordinate(low) + "V" + coordinate(high);
        }
        const char* const classes = is_crowded(panel) ? "interval fine " : "interval ";
        if (!d.empty()) canvas.path(classes + classes_of(plot, group), d);
    }
}

void draw_points(Canvas& canvas, LabelSpace& space, const ScatterPlot& plot, const Panel& panel, const Field& field,
                 bool quiet) {
    const bool with_intervals = has_intervals(plot);
    for (const ScatterPoint& point : panel.points) {
        if (is_quiet(plot, point.group) != quiet) continue;
        const Place at = place_of(point, field);
        if (!std::isfinite(at.x) || !std::isfinite(at.y)) continue;
        const bool small = quiet || (with_intervals && is_crowded(panel));
        const std::string d = marker_path(quiet ? 0 : point.group, at.x, at.y, small ? 2.2 : 3.6);
        draw_point(canvas, "dot " + classes_of(plot, point.group), d,
                   {text_of(point, field), point.evidence, record_of(plot, panel, point, with_intervals)});
        space.avoid_point(at.x, at.y);
    }
}

void draw_segment(Canvas& canvas, LabelSpace& space, const Segment& segment, const Field& field) {
    const double x1 = field.x.at(segment.x1), y1 = field.y.at(segment.y1);
    const double x2 = field.x.at(segment.x2), y2 = field.y.at(segment.y2);
    canvas.line("fit", x1, y1, x2, y2);
    space.avoid_line(x1, y1, x2, y2);
}

// The label goes into a corner, rather one that the line leaves free.
void draw_segment_label(Canvas& canvas, LabelSpace& space, const Segment& segment, const Field& field) {
    if (segment.label.empty()) return;
    const Box& box = field.plot;
    const bool rises = (segment.y2 > segment.y1) == (segment.x2 > segment.x1);
    const TextPlace top_left{box.left + 10, box.top + 16, Anchor::start},
        top_right{box.right - 6, box.top + 16, Anchor::end};
    const TextPlace bottom_left{box.left + 10, box.bottom - 10, Anchor::start},
        bottom_right{box.right - 6, box.bottom - 10, Anchor::end};
    const std::vector<TextPlace> places = rises ? std::vector{top_left, bottom_right, top_right, bottom_left}
                                                : std::vector{top_right, bottom_left, top_left, bottom_right};
    if (const auto place = space.take(segment.label, font_size, places))
        canvas.text("fit-label", place->x, place->baseline, place->anchor, segment.label);
}

void draw_names(Canvas& canvas, LabelSpace& space, const Panel& panel, const Field& field) {
    std::vector<WantedLabel> wanted;
    for (const ScatterPoint& point : panel.points) {
        const bool within = field.x.contains(point.x) && (point.height_in_band || field.y.contains(point.y));
        const Place at = place_of(point, field);
        if (point.prominence > 0 && within) wanted.push_back({at.x, at.y, point.prominence, point.name});
    }
    draw_labels(canvas, space, std::move(wanted));
}

void draw_rectangle(Canvas& canvas, const char* classes, const Box& box) {
    canvas.rectangle(classes, box.left, box.top, box.right - box.left, box.bottom - box.top);
}

// The band's label stands above it, the axis' label between band and plot; no text of the data goes there.
void draw_band(Canvas& canvas, LabelSpace& space, const ScatterPlot& plot, const Field& field) {
    draw_rectangle(canvas, "band", field.band);
    canvas.text("band-label", figure_edge, field.band.top - 8, Anchor::start, plot.band);
    space.keep_free({field.band.left, field.band.bottom, field.band.right, field.plot.top});
}

void draw_shades(Canvas& canvas, const ScatterPlot& plot, const Field& field) {
    const Box& box = field.plot;
    for (const Shade& shade : plot.shades)
        draw_rectangle(canvas, "shade", {field.x.at(shade.from), box.top, field.x.at(shade.to), box.bottom});
}

void draw_texts(Canvas& canvas, LabelSpace& space, const ScatterPlot& plot, const Panel& panel, const Field& field) {
    for (const Segment& segment : panel.segments)
        if (!segment.label.empty()) draw_segment_label(canvas, space, segment, field);
    draw_guide_labels(canvas, space, field.plot, field.y, plot.y_guides);
    draw_guide_labels(canvas, space, field.whole(), field.x, plot.x_guides);
    draw_names(canvas, space, panel, field);
}

void draw_panel(Canvas& canvas, const ScatterPlot& plot, const Panel& panel, const Field& field) {
    const Box& box = field.plot;
    const Box whole = field.whole();
    const double margin = is_map(plot) ? 0 : canvas.width() - figure_edge - plot_right(canvas);  // text may go there
    LabelSpace space({whole.left, whole.top, whole.right + margin, whole.bottom});
    canvas.open("panel");
    if (!panel.title.empty()) canvas.text("panel-title", box.left, field.title, Anchor::start, panel.title);
    if (is_map(plot)) draw_rectangle(canvas, "map", box);
    if (!plot.band.empty()) draw_band(canvas, space, plot, field);
    draw_shades(canvas, plot, field);
    draw_guides(canvas, box, field.y, plot.y_guides);
    draw_guides(canvas, whole, field.x, plot.x_guides);
    draw_intervals(canvas, plot, panel, field);
    for (const bool quiet : {true, false}) draw_points(canvas, space, plot, panel, field, quiet);
    for (const Segment& segment : panel.segments) draw_segment(canvas, space, segment, field);
    draw_texts(canvas, space, plot, panel, field);
    canvas.close();
}

// Panels stand side by side, on a narrow canvas under each other.
double number_beside(const Canvas& canvas, const ScatterPlot& plot) {
    return canvas.is_narrow() ? 1 : static_cast<double>(std::max<std::size_t>(plot.panels.size(), 1));
}

double band_height(const ScatterPlot& plot) {
    if (plot.band.empty()) return 0;
    double points = 0;
    for (const Panel& panel : plot.panels)
        points += static_cast<double>(std::ranges::count_if(
            panel.points, [](const ScatterPoint& point) { return point.height_in_band.has_value(); }));
    return std::clamp(12 * points, lowest_band, highest_band);
}

Field map_of(const Canvas& canvas, const ScatterPlot& plot, const Panel& panel, double left, double top) {
    const double count = number_beside(canvas, plot);
    const double room = canvas.width() - 2 * figure_edge;
    const double side = std::min(plot_height + 80, (room - between_panels * (count - 1)) / count);
    const Box box{left, top + room_of_title, left + side, top + room_of_title + side};
    const Ends ends = square_ends(plot, panel);
    return {box,
            {box.left, box.top, box.right, box.top},
            {plot.x, ends.x, box.left, box.right, 0},
            {plot.y, ends.y, box.bottom, box.top, 0},
            box.top - 10};
}

Field field_of(const Canvas& canvas, const ScatterPlot& plot, const Panel& panel, double left, double top) {
    const Ends ends = common_ends(plot);
    const double band = band_height(plot), count = number_beside(canvas, plot);
    const double first = top + (panel.title.empty() ? 0 : room_of_title) + (band > 0 ? room_of_title : 0);
    const double plot_top = first + band + room_above(canvas, plot.y);
    const Scale y(plot.y, ends.y, plot_top + plot_height, plot_top, 6);
    const double room = label_room(y.ticks());
    const double width = (plot_right(canvas) - (room + between_panels) * (count - 1) - room) / count;
    const Box box{left + room, plot_top, left + room + width, plot_top + plot_height};
    const int ticks = ticks_across(canvas, static_cast<int>(std::max(3.0, 8 / count)));
    return {box,
            band > 0 ? Box{box.left, first, box.right, first + band} : Box{box.left, box.top, box.right, box.top},
            {plot.x, ends.x, box.left, box.right, ticks},
            y,
            top + room_of_title - 10};
}

double draw_panels(Canvas& canvas, const ScatterPlot& plot, double top) {
    double left = is_map(plot) ? figure_edge : 0, bottom = top;
    for (const Panel& panel : plot.panels) {
        const Field field =
            is_map(plot) ? map_of(canvas, plot, panel, left, top) : field_of(canvas, plot, panel, left, top);
        bottom = field.plot.bottom + 12;
        if (!is_map(plot)) {
            draw_vertical_axis(canvas, field.plot, field.y);
            bottom = draw_horizontal_axis(canvas, field.plot, field.x);
        }
        draw_panel(canvas, plot, panel, field);
        if (canvas.is_narrow())
            top = bottom;
        else
            left = field.plot.right + between_panels;
    }
    return bottom;
}

std::vector<LegendEntry> legend_of(const ScatterPlot& plot) {
    std::vector<LegendEntry> legend;
    for (std::size_t i = 0; i < plot.groups.size(); ++i)
        legend.push_back({plot.groups[i].name, plot.groups[i].quiet ? 0 : i, classes_of(plot, i)});
    return legend;
}

}  // namespace

Svg svg_of(const ScatterPlot& plot) {
    return at_both_widths(plot.heading, columns_of(plot), [&](Canvas& canvas) {
        return draw_panels(canvas, plot, draw_heading(canvas, plot.heading, legend_of(plot)));
    });
}

}  // namespace wordbreadth::report
