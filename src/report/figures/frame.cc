#include "report/figures/frame.h"

#include <algorithm>

#include "report/figures/marker.h"

namespace wordbreadth::report {
namespace {

constexpr double title_height = 30;
constexpr double legend_line = 22;

// A line that needs no name, such as that at 0, stays in the background.
const char* class_of(const Guide& guide) {
    return guide.label.empty() ? "rule" : "guide";
}

double entry_width(const LegendEntry& entry) {
    return 16 + text_width(entry.name, font_size) + 22;
}

double draw_legend(Canvas& canvas, const std::vector<LegendEntry>& legend, double top) {
    double x = figure_edge;
    for (const LegendEntry& entry : legend) {
        if (x > figure_edge && x + entry_width(entry) > figure_width) {
            x = figure_edge;
            top += legend_line;
        }
        canvas.path("mark " + entry.classes, marker_path(entry.shape, x + 5, top + 8, 4.5));
        canvas.text("label", x + 16, top + 12.5, Anchor::start, entry.name);
        x += entry_width(entry);
    }
    return top + legend_line;
}

}  // namespace

double draw_heading(Canvas& canvas, const Heading& heading, const std::vector<LegendEntry>& legend) {
    canvas.text("title", figure_edge, 20, Anchor::start, heading.title);
    if (legend.size() < 2) return title_height + 6;
    return draw_legend(canvas, legend, title_height + 4) + 8;
}

double label_room(const std::vector<Tick>& ticks) {
    double widest = 0;
    for (const Tick& tick : ticks) widest = std::max(widest, text_width(tick.label, font_size));
    return figure_edge + widest + 8;
}

void draw_horizontal_axis(Canvas& canvas, const Box& box, const Scale& x) {
    canvas.open("axis");
    canvas.line("base", box.left, box.bottom, box.right, box.bottom);
    for (const Tick& tick : x.ticks()) {
        canvas.line("base", x.at(tick.value), box.bottom, x.at(tick.value), box.bottom + 5);
        canvas.text("tick", x.at(tick.value), box.bottom + 19, Anchor::middle, tick.label);
    }
    canvas.text("label", (box.left + box.right) / 2, box.bottom + 40, Anchor::middle, x.axis().label);
    canvas.close();
}

void draw_vertical_axis(Canvas& canvas, const Box& box, const Scale& y) {
    canvas.open("axis");
    for (const Tick& tick : y.ticks()) {
        canvas.line("grid", box.left, y.at(tick.value), box.right, y.at(tick.value));
        canvas.text("tick", box.left - 8, y.at(tick.value) + 4.5, Anchor::end, tick.label);
    }
    canvas.text("label", figure_edge, box.top - 13, Anchor::start, y.axis().label);
    canvas.close();
}

void draw_guide_at_x(Canvas& canvas, const Box& box, const Scale& x, const Guide& guide) {
    if (!x.contains(guide.at)) return;
    const double at = x.at(guide.at);
    const bool fits_right = at + 6 + text_width(guide.label, font_size) < figure_width;
    canvas.line(class_of(guide), at, box.top, at, box.bottom);
    if (guide.label.empty()) return;
    canvas.text("guide-label", at + (fits_right ? 6 : -6), box.top + 9, fits_right ? Anchor::start : Anchor::end,
                guide.label);
}

void draw_guide_at_y(Canvas& canvas, const Box& box, const Scale& y, const Guide& guide) {
    if (!y.contains(guide.at)) return;
    const double at = y.at(guide.at);
    canvas.line(class_of(guide), box.left, at, box.right, at);
    if (!guide.label.empty()) canvas.text("guide-label", box.right, at - 6, Anchor::end, guide.label);
}

Svg finished(const Canvas& canvas, const Heading& heading, double height) {
    return {heading.title, heading.description, figure_width, height, canvas.body()};
}

}  // namespace wordbreadth::report
