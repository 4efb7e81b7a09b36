#include "report/figures/drawing.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "report/page/html.h"
#include "report/page/web/assets.h"

namespace wordbreadth::report {
namespace {

std::string length(std::string_view name, double value) {
    return attribute(name, coordinate(value));
}

std::string tag(std::string_view name, std::string_view classes) {
    return "<" + std::string(name) + " class=\"" + std::string(classes) + "\"";
}

// As wide as in the wider ones of the usual fonts, in parts of the font's size.
double ascii_width(char c) {
    const auto one_of = [c](std::string_view letters) { return letters.find(c) != letters.npos; };
    if (static_cast<unsigned char>(c) >= 0x80) return 0;
    if (one_of("ijltf.,:;'|!()[] ")) return 0.36;
    if (one_of("mwMW%@")) return 0.95;
    return c >= 'A' && c <= 'Z' ? 0.7 : 0.62;
}

// Named by its first child, as SVG has it: screen readers and, in a file of its own, the pointer show it. `edge`: how
// much is cut off at the left and at the right.
std::string opening(const Svg& svg, std::string_view classes, const Drawing& drawing, double edge) {
    const double width = drawing.width - 2 * edge, height = drawing.height;
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"" + std::string(classes) + "\" role=\"img\" viewBox=\"" +
           coordinate(edge) + " 0 " + coordinate(width) + " " + coordinate(height) + "\"" + length("width", width) +
           length("height", height) + attribute("data-columns", base::joined(svg.columns, "\t")) + ">\n<title>" +
           escaped(svg.title) + "</title>\n<desc>" + escaped(svg.description) + "</desc>\n";
}

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

constexpr double name_size = 12;  // the font's
constexpr double distance = 7;    // from the point
constexpr double reach = 5;       // how far a point that wants a label extends
constexpr double gap = 2;         // between two texts

// Right, left, above, below, then the corners.
std::array<TextPlace, 8> places_beside(const WantedLabel& label) {
    const double x = label.x, y = label.y;
    const double above = y - distance - 2, below = y + distance + name_size - 2, aside = 4;
    return {{{x + distance, y + 4, Anchor::start},
             {x - distance, y + 4, Anchor::end},
             {x, above, Anchor::middle},
             {x, below, Anchor::middle},
             {x + aside, above, Anchor::start},
             {x - aside, above, Anchor::end},
             {x + aside, below, Anchor::start},
             {x - aside, below, Anchor::end}}};
}

Box area_of(const TextPlace& place, double width, double font) {
    const double shares[] = {0, 0.5, 1};  // of the width, to the left of x
    const double left = place.x - width * shares[static_cast<int>(place.anchor)];
    return {left - gap, place.baseline - 0.82 * font, left + width + gap, place.baseline + 0.26 * font};
}

bool overlap(const Box& a, const Box& b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

bool inside(const Box& area, const Box& box) {
    return area.left >= box.left && area.right <= box.right && area.top >= box.top && area.bottom <= box.bottom;
}

std::ptrdiff_t number_under(const Box& area, const std::vector<Box>& boxes) {
    return std::ranges::count_if(boxes, [&](const Box& box) { return overlap(area, box); });
}

// The line of a guide, from its first corner to its second.
Box across(const Box& box, const Scale& scale, const Guide& guide) {
    const double at = scale.at(guide.at);
    return scale.is_vertical() ? Box{box.left, at, box.right, at} : Box{at, box.top, at, box.bottom};
}

std::vector<TextPlace> places_left_and_right(const Box& line) {
    std::vector<TextPlace> places;
    for (double y = line.top + 11; y < line.bottom; y += 18)
        places.insert(places.end(), {{line.left + 6, y, Anchor::start}, {line.left - 6, y, Anchor::end}});
    return places;
}

std::vector<TextPlace> places_above_and_below(const Box& line) {
    std::vector<TextPlace> places;
    const double above = line.top - 6, below = line.top + 15;
    for (const double share : {0.0, 0.25, 0.5, 0.75}) {
        const double x = line.right - 2 - share * (line.right - line.left);
        places.insert(places.end(), {{x, above, Anchor::end}, {x, below, Anchor::end}});
    }
    places.insert(places.end(), {{line.left + 6, above, Anchor::start}, {line.left + 6, below, Anchor::start}});
    return places;
}

void draw_label(Canvas& canvas, LabelSpace& space, const Guide& guide, const std::vector<TextPlace>& places) {
    if (guide.label.empty()) return;
    if (const auto place = space.take(guide.label, font_size, places))
        canvas.text("guide-label", place->x, place->baseline, place->anchor, guide.label);
}

constexpr std::size_t colours = 7;

// The corners, x and y, of the shapes after the circle for a radius of 1: triangle, square, diamond, plus (as long as
// it is thick, all around), falling triangle.
const std::vector<std::vector<double>>& polygons() {
    static const std::vector<std::vector<double>> shapes = {
        {0, -1.2, 1.15, 0.8, -1.15, 0.8},
        {-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9},
        {0, -1.3, 1.3, 0, 0, 1.3, -1.3, 0},
        {-0.375, -1.125, 0.375,  -1.125, 0.375,  -0.375, 1.125,  -0.375, 1.125,  0.375,  0.375,  0.375,
         0.375,  1.125,  -0.375, 1.125,  -0.375, 0.375,  -1.125, 0.375,  -1.125, -0.375, -0.375, -0.375},
        {0, 1.2, -1.15, -0.8, 1.15, -0.8}};
    return shapes;
}

std::string circle(double radius) {
    const std::string r = coordinate(radius), arc = "a" + r + " " + r + " 0 1 0 ";
    return "m" + coordinate(-radius) + " 0" + arc + coordinate(2 * radius) + " 0" + arc + coordinate(-2 * radius) +
           " 0z";
}

std::string evidence_attributes(const Evidence& evidence) {
    if (evidence.concordance.empty()) return attribute("data-row", evidence.row);
    return attribute("data-concordance", evidence.concordance) +
           attribute("data-line", evidence.line ? std::to_string(*evidence.line) : "");
}

}  // namespace

std::string Svg::file() const {
    Canvas paper;
    paper.rectangle("paper", 0, 0, wide.width, wide.height);
    // The style sheet stands in XML here, but has no character that would need escaping there; a test holds that.
    return opening(*this, "figure", wide, 0) + "<style>\n" + std::string(web::figure_css) + "</style>\n" +
           paper.body() + wide.body + "</svg>\n";
}

std::string Svg::markup() const {
    return opening(*this, "figure wide", wide, figure_edge) + wide.body + "</svg>\n" +
           opening(*this, "figure narrow", narrow, figure_edge) + narrow.body + "</svg>\n";
}

void Canvas::line(std::string_view classes, double x1, double y1, double x2, double y2) {
    body_ += tag("line", classes) + length("x1", x1) + length("y1", y1) + length("x2", x2) + length("y2", y2) + "/>\n";
}

void Canvas::rectangle(std::string_view classes, double x, double y, double width, double height) {
    body_ += tag("rect", classes) + length("x", x) + length("y", y) + length("width", width) +
             length("height", height) + "/>\n";
}

void Canvas::path(std::string_view classes, std::string_view d) {
    body_ += tag("path", classes) + " d=\"" + std::string(d) + "\"/>\n";
}

void Canvas::text(std::string_view classes, double x, double y, Anchor anchor, std::string_view text) {
    const char* const anchors[] = {"start", "middle", "end"};
    body_ += tag("text", classes) + length("x", x) + length("y", y) + " text-anchor=\"" +
             anchors[static_cast<int>(anchor)] + "\">" + escaped(text) + "</text>\n";
}

void Canvas::open(std::string_view classes) {
    body_ += tag("g", classes) + ">\n";
}

void Canvas::close() {
    body_ += "</g>\n";
}

std::string coordinate(double value) {
    const double rounded = std::round(100 * value) / 100;
    return shortest(rounded == 0 ? 0.0 : rounded);  // no -0
}

double text_width(std::string_view text, double size) {
    double width = 0;
    for (const char c : text) width += ascii_width(c);
    std::string others;
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 0x80) others += c;
    return size * (width + 0.62 * static_cast<double>(display_width(others)));
}

Svg at_both_widths(const Heading& heading, std::vector<std::string> columns,
                   const std::function<double(Canvas&)>& draw) {
    Canvas wide(wide_figure), narrow(narrow_figure);
    const double height = draw(wide), narrow_height = draw(narrow);
    return {heading.title,
            heading.description,
            {wide.width(), height, wide.body()},
            {narrow.width(), narrow_height, narrow.body()},
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

void LabelSpace::avoid_point(double x, double y) {
    avoid({x - reach, y - reach, x + reach, y + reach});
}

void LabelSpace::avoid_line(double x1, double y1, double x2, double y2) {
    const double step = 8;
    const double count = std::ceil(std::hypot(x2 - x1, y2 - y1) / step);
    for (double i = 0; i <= count; ++i) {
        const double share = count > 0 ? i / count : 0;
        const double x = x1 + share * (x2 - x1), y = y1 + share * (y2 - y1);
        avoid({x - 1, y - 1, x + 1, y + 1});
    }
}

std::optional<TextPlace> LabelSpace::take(std::string_view text, double font, std::span<const TextPlace> places) {
    const double width = text_width(text, font);
    std::optional<TextPlace> best;
    std::ptrdiff_t fewest = 0;
    for (const TextPlace& place : places) {
        const Box area = area_of(place, width, font);
        if (!inside(area, box_) || number_under(area, taken_) > 0) continue;
        const std::ptrdiff_t covered = number_under(area, avoided_);
        if (best && covered >= fewest) continue;
        best = place;
        fewest = covered;
    }
    if (best) keep_free(area_of(*best, width, font));
    return best;
}

void draw_labels(Canvas& canvas, LabelSpace& space, std::vector<WantedLabel> wanted) {
    const auto by_prominence = [](const WantedLabel& a, const WantedLabel& b) { return a.prominence > b.prominence; };
    std::stable_sort(wanted.begin(), wanted.end(), by_prominence);
    for (const WantedLabel& label : wanted)
        space.keep_free({label.x - reach, label.y - reach, label.x + reach, label.y + reach});
    for (const WantedLabel& label : wanted)
        if (const auto place = space.take(label.text, name_size, places_beside(label)))
            canvas.text("name", place->x, place->baseline, place->anchor, label.text);
}

void draw_guides(Canvas& canvas, const Box& box, const Scale& scale, std::span<const Guide> guides) {
    for (const Guide& guide : guides) {
        if (!scale.contains(guide.at)) continue;
        const Box line = across(box, scale, guide);
        canvas.line(guide.label.empty() ? "rule" : "guide", line.left, line.top, line.right, line.bottom);
    }
}

void draw_guide_labels(Canvas& canvas, LabelSpace& space, const Box& box, const Scale& scale,
                       std::span<const Guide> guides) {
    for (const Guide& guide : guides) {
        if (!scale.contains(guide.at)) continue;
        const Box line = across(box, scale, guide);
        space.avoid_line(line.left, line.top, line.right, line.bottom);
        draw_label(canvas, space, guide,
                   scale.is_vertical() ? places_above_and_below(line) : places_left_and_right(line));
    }
}

double room_on_the_right(std::span<const Guide> guides) {
    double widest = 0;
    for (const Guide& guide : guides) widest = std::max(widest, text_width(guide.label, font_size));
    return std::max(0.0, widest - 4);
}

void draw_labels_on_the_right(Canvas& canvas, const Box& box, const Scale& y, std::span<const Guide> guides) {
    LabelSpace space({box.right, box.top - 8, canvas.width(), box.bottom + 8});
    for (const Guide& guide : guides) {
        if (!y.contains(guide.at)) continue;
        std::vector<TextPlace> places;
        for (const double shift : {0.0, -15.0, 15.0, -30.0, 30.0})
            places.push_back({box.right + 6, y.at(guide.at) + 4.5 + shift, Anchor::start});
        draw_label(canvas, space, guide, places);
    }
}

std::string series_class(std::size_t i) {
    return "s" + std::to_string(i % colours);
}

std::string marker_path(std::size_t i, double x, double y, double radius) {
    const std::size_t shape = i % (1 + polygons().size());
    std::string path = "M" + coordinate(x) + " " + coordinate(y);
    if (shape == 0) return path + circle(radius);
    const std::vector<double>& corners = polygons()[shape - 1];
    for (std::size_t c = 0; c < corners.size(); c += 2) {
        const double last_x = c > 0 ? corners[c - 2] : 0, last_y = c > 0 ? corners[c - 1] : 0;
        path += (c > 0 ? "l" : "m") + coordinate(radius * (corners[c] - last_x)) + " " +
                coordinate(radius * (corners[c + 1] - last_y));
    }
    return path + "z";
}

void draw_point(Canvas& canvas, std::string_view classes, std::string_view d, const Answer& answer) {
    const std::string start = "<path class=\"point " + std::string(classes) + "\"";
    const std::string shape = attribute("d", std::string(d));
    if (canvas.is_narrow()) return canvas.add(start + shape + "/>\n");
    canvas.add(start + evidence_attributes(answer.evidence) +
               attribute("data-record", base::joined(answer.record, "\t")) + shape + "><title>" + escaped(answer.text) +
               "</title></path>\n");
}

}  // namespace wordbreadth::report
