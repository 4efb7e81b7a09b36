// Points: a colour and a shape for each of several methods or groups, so that neither has to be told apart alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/figures/figure.h"
#include "report/svg.h"

namespace wordbreadth::report {

// The class of the colour of series i: s0 to s6 and round again.
[[nodiscard]] std::string series_class(std::size_t i);

// The outline of the shape of series i about (x, y), for the d of a path: circle, triangle, square, diamond, ...
[[nodiscard]] std::string marker_path(std::size_t i, double x, double y, double radius);

// What the pointer finds at a point.
struct Answer {
    std::string text;                   // lines of text, each ended by a newline but the last
    Evidence evidence;                  // what a click shows
    std::vector<std::string> record{};  // its values, under the columns of the figure, each a field of a TSV file
};

// A point that answers: a marker (or any path) with its text, its evidence and its values. On a narrow canvas only what
// is seen, since the wide one has the rest.
void draw_point(Canvas& canvas, std::string_view classes, std::string_view d, const Answer& answer);

}  // namespace wordbreadth::report
