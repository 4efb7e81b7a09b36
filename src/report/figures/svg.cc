#include "report/figures/svg.h"

#include <cmath>

#include "base/strings.h"
#include "report/page/html.h"
#include "report/page/web/assets.h"
#include "report/table/text.h"

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
std::string opening(const Svg& svg, std::string_view classes, double svg_width, double height, double edge) {
    const double width = svg_width - 2 * edge;
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"" + std::string(classes) + "\" role=\"img\" viewBox=\"" +
           coordinate(edge) + " 0 " + coordinate(width) + " " + coordinate(height) + "\"" + length("width", width) +
           length("height", height) + attribute("data-columns", base::joined(svg.columns, "\t")) + ">\n<title>" +
           escaped(svg.title) + "</title>\n<desc>" + escaped(svg.description) + "</desc>\n";
}

}  // namespace

std::string Svg::file() const {
    Canvas paper;
    paper.rectangle("paper", 0, 0, width, height);
    // The style sheet stands in XML here, but has no character that would need escaping there; a test holds that.
    return opening(*this, "figure", width, height, 0) + "<style>\n" + std::string(web::figure_css) + "</style>\n" +
           paper.body() + body + "</svg>\n";
}

std::string Svg::markup() const {
    std::string wide = opening(*this, "figure wide", width, height, figure_edge) + body + "</svg>\n";
    if (narrow.body.empty()) return wide;
    return wide + opening(*this, "figure narrow", narrow.width, narrow.height, figure_edge) + narrow.body + "</svg>\n";
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

double text_width(std::string_view text, double font_size) {
    double width = 0;
    for (const char c : text) width += ascii_width(c);
    std::string others;
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 0x80) others += c;
    return font_size * (width + 0.62 * static_cast<double>(display_width(others)));
}

}  // namespace wordbreadth::report
