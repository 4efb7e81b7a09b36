#include "report/figures/frame.h"

#include <algorithm>

#include "report/table/text.h"

namespace wordbreadth::report {
namespace {

constexpr double title_size = 15;
constexpr double title_line = 20;
constexpr double legend_line = 22;
constexpr double label_line = 16;
constexpr double usual_letter = 0.62;  // how wide a letter is, in parts of the font's size
constexpr double bold_letter = 0.68;

// The text in lines that fit between the edges.
std::vector<std::string> lines_of(const Canvas& canvas, const std::string& text, double letter) {
    const auto columns = static_cast<std::size_t>((canvas.width() - 2 * figure_edge) / letter);
    std::vector<std::string> lines = wrapped(text, columns);
    for (std::string& line : lines) line = clipped(line, columns);
    return lines;
}

std::vector<std::string> label_lines(const Canvas& canvas, const std::string& text) {
    return lines_of(canvas, text, usual_letter * font_size);
}

double entry_width(const LegendEntry& entry) {
    return 16 + text_width(entry.name, font_size) + 22;
}

double draw_legend(Canvas& canvas, const std::vector<LegendEntry>& legend, double top) {
    const auto longest = static_cast<std::size_t>((canvas.width() - 60) / (usual_letter * font_size));
    double x = figure_edge;
    for (const LegendEntry& whole : legend) {
        const LegendEntry entry{clipped(whole.name, longest), whole.shape, whole.classes};
        if (x > figure_edge && x + entry_width(entry) > canvas.width()) {
            x = figure_edge;
            top += legend_line;
        }
        canvas.path("mark " + entry.classes, marker_path(entry.shape, x + 5, top + 8, 4.5));
        canvas.text("label", x + 16, top + 12.5, Anchor::start, entry.name);
        x += entry_width(entry);
    }
    return top + legend_line;
}

// Labels that would touch the one before are left out; their ticks stay.
void draw_tick_labels(Canvas& canvas, const Box& box, const Scale& x) {
    double free_from = -INFINITY;
    for (const Tick& tick : x.ticks()) {
        const double at = x.at(tick.value), half = text_width(tick.label, font_size) / 2;
        canvas.line("base", at, box.bottom, at, box.bottom + 5);
        if (at - half < free_from) continue;
        canvas.text("tick", at, box.bottom + 19, Anchor::middle, tick.label);
        free_from = at + half + 5;
    }
}

// In the middle of the axis, or as near to it as the edges allow.
double middle_of_label(const Canvas& canvas, const Box& box, const std::string& line) {
    const double half = text_width(line, font_size) / 2;
    const double last = canvas.width() - figure_edge - half;
    return std::max(figure_edge + half, std::min((box.left + box.right) / 2, last));
}

}  // namespace

Svg at_both_widths(const Heading& heading, std::vector<std::string> columns,
                   const std::function<double(Canvas&)>& draw) {
    Canvas wide(wide_figure), narrow(narrow_figure);
    const double height = draw(wide), narrow_height = draw(narrow);
    return {heading.title,     heading.description,
            wide.width(),      height,
            wide.body(),       {narrow.width(), narrow_height, narrow.body()},
            std::move(columns)};
}

double plot_right(const Canvas& canvas) {
    return canvas.width() - 24;
}

int ticks_across(const Canvas& canvas, int wanted) {
    return canvas.is_narrow() ? std::max(3, wanted / 2) : wanted;
}

double draw_heading(Canvas& canvas, const Heading& heading, const std::vector<LegendEntry>& legend) {
    double y = title_line;
    for (const std::string& line : lines_of(canvas, heading.title, bold_letter * title_size)) {
        canvas.text("title", figure_edge, y, Anchor::start, line);
        y += title_line;
    }
    y = std::max(y, 2 * title_line);
    if (legend.size() < 2) return y - 4;
    return draw_legend(canvas, legend, y - 6) + 8;
}

double label_room(const std::vector<Tick>& ticks) {
    double widest = 0;
    for (const Tick& tick : ticks) widest = std::max(widest, text_width(tick.label, font_size));
    return figure_edge + widest + 8;
}

double room_above(const Canvas& canvas, const Axis& axis) {
    return 8 + label_line * static_cast<double>(std::max<std::size_t>(label_lines(canvas, axis.label).size(), 1));
}

double draw_horizontal_axis(Canvas& canvas, const Box& box, const Scale& x) {
    canvas.open("axis");
    canvas.line("base", box.left, box.bottom, box.right, box.bottom);
    draw_tick_labels(canvas, box, x);
    double y = box.bottom + 40;
    for (const std::string& line : label_lines(canvas, x.axis().label)) {
        canvas.text("label", middle_of_label(canvas, box, line), y, Anchor::middle, line);
        y += label_line;
    }
    canvas.close();
    return std::max(y, box.bottom + 40) - 2;
}

void draw_vertical_axis(Canvas& canvas, const Box& box, const Scale& y) {
    canvas.open("axis");
    for (const Tick& tick : y.ticks()) {
        canvas.line("grid", box.left, y.at(tick.value), box.right, y.at(tick.value));
        canvas.text("tick", box.left - 8, y.at(tick.value) + 4.5, Anchor::end, tick.label);
    }
    const std::vector<std::string> lines = label_lines(canvas, y.axis().label);
    double baseline = box.top - 13 - label_line * (static_cast<double>(lines.size()) - 1);
    for (const std::string& line : lines) {
        canvas.text("label", figure_edge, baseline, Anchor::start, line);
        baseline += label_line;
    }
    canvas.close();
}

std::string column_of(const Axis& axis, const std::string& otherwise) {
    if (!axis.column.empty()) return axis.column;
    return axis.label.empty() ? otherwise : axis.label;
}

}  // namespace wordbreadth::report
