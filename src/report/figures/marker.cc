// The markers of points.
#include <array>

#include "report/figures/frame.h"
#include "report/page/html.h"

namespace wordbreadth::report {
namespace {

constexpr std::size_t colours = 7;

std::string number(double value) {
    return " " + coordinate(value);
}

std::string circle(double r) {
    const std::string arc = "a" + coordinate(r) + number(r) + " 0 1 0";
    return "m" + coordinate(-r) + " 0" + arc + number(2 * r) + " 0" + arc + number(-2 * r) + " 0z";
}
std::string triangle(double r) {
    return "m0" + number(-1.2 * r) + "l" + coordinate(1.15 * r) + number(2 * r) + "h" + coordinate(-2.3 * r) + "z";
}
std::string square(double r) {
    const double side = 1.8 * r;
    return "m" + coordinate(-side / 2) + number(-side / 2) + "h" + coordinate(side) + "v" + coordinate(side) + "h" +
           coordinate(-side) + "z";
}
std::string diamond(double r) {
    const double half = 1.3 * r;
    return "m0" + number(-half) + "l" + coordinate(half) + number(half) + "l" + coordinate(-half) + number(half) + "l" +
           coordinate(-half) + number(-half) + "z";
}
std::string plus(double r) {
    const double arm = 0.75 * r;  // as long as the cross is thick, all around
    const std::string a = coordinate(arm), back = coordinate(-arm);
    return "m" + coordinate(-arm / 2) + number(-1.5 * arm) + "h" + a + "v" + a + "h" + a + "v" + a + "h" + back + "v" +
           a + "h" + back + "v" + back + "h" + back + "v" + back + "h" + a + "z";
}
std::string falling_triangle(double r) {
    return "m0" + number(1.2 * r) + "l" + coordinate(-1.15 * r) + number(-2 * r) + "h" + coordinate(2.3 * r) + "z";
}

std::string attribute(std::string_view name, const std::string& escaped_value) {
    return " " + std::string(name) + "=\"" + escaped_value + "\"";
}

std::string evidence_attributes(const Evidence& evidence) {
    if (evidence.concordance.empty()) return evidence.row.empty() ? "" : attribute("data-row", escaped(evidence.row));
    const std::string line = evidence.line ? attribute("data-line", std::to_string(*evidence.line)) : "";
    return attribute("data-concordance", escaped(evidence.concordance)) + line;
}

std::string record_attribute(const std::vector<std::string>& record) {
    std::string text;
    for (std::size_t i = 0; i < record.size(); ++i) text += (i > 0 ? "&#9;" : "") + escaped(record[i]);
    return record.empty() ? "" : attribute("data-record", text);
}

}  // namespace

std::string series_class(std::size_t i) {
    return "s" + std::to_string(i % colours);
}

std::string marker_path(std::size_t i, double x, double y, double radius) {
    constexpr std::array shapes = {circle, triangle, square, diamond, plus, falling_triangle};
    return "M" + coordinate(x) + number(y) + shapes[i % shapes.size()](radius);
}

void draw_point(Canvas& canvas, std::string_view classes, std::string_view d, const Answer& answer) {
    const std::string start = "<path class=\"point " + std::string(classes) + "\"";
    const std::string shape = attribute("d", std::string(d));
    if (canvas.is_narrow()) return canvas.add(start + shape + "/>\n");
    canvas.add(start + evidence_attributes(answer.evidence) + record_attribute(answer.record) + shape + "><title>" +
               escaped(answer.text) + "</title></path>\n");
}

}  // namespace wordbreadth::report
