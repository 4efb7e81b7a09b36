// Every figure: a struct with the data in it, and svg_of() for the picture, the same bytes on every machine.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/table/table.h"

namespace wordbreadth::report {

// ---- Pictures: what the figures draw on, and what comes of it. Lengths are CSS pixels, y grows downwards.
// Looks are classes, which web/figure.css defines for light and dark.

// What a picture leaves free at its left and right.
inline constexpr double figure_edge = 8;

// How wide pictures are, on a page with room and on a phone, where text keeps its size.
inline constexpr double wide_figure = 720;
inline constexpr double narrow_figure = 376;

struct Drawing {
    double width = 0;
    double height = 0;
    std::string body{};  // the elements inside
};

// A finished picture. The same figure gives the same bytes on every machine.
struct Svg {
    std::string title;        // what it is, in a line
    std::string description;  // what it shows, for those who cannot see it
    Drawing wide{};
    Drawing narrow{};                    // the same for a narrow page; its points, in the same order, carry no text
    std::vector<std::string> columns{};  // what the records of the points are, where they have some

    [[nodiscard]] std::string file() const;    // a file of its own, with its styles and its paper
    [[nodiscard]] std::string markup() const;  // elements of a page that has the styles, flush with its text
};

enum class Anchor { start, middle, end };  // which part of a text stands at its x

class Canvas {
  public:
    explicit Canvas(double width = wide_figure) : width_(width) {}

    [[nodiscard]] double width() const { return width_; }
    [[nodiscard]] bool is_narrow() const { return width_ < wide_figure; }

    void line(std::string_view classes, double x1, double y1, double x2, double y2);
    void rectangle(std::string_view classes, double x, double y, double width, double height);
    void path(std::string_view classes, std::string_view d);
    void text(std::string_view classes, double x, double y, Anchor anchor, std::string_view text);

    void open(std::string_view classes);  // a group, up to its close()
    void close();

    // Elements made elsewhere.
    void add(std::string_view svg) { body_ += svg; }

    [[nodiscard]] const std::string& body() const { return body_; }

  private:
    double width_;
    std::string body_;
};

// A coordinate to a hundredth of a pixel, without needless digits: 12, 0.5, -3.25.
[[nodiscard]] std::string coordinate(double value);

// About how wide the text is at a font size; figures cannot ask for the font's own widths.
[[nodiscard]] double text_width(std::string_view text, double font_size);

// ---- Figures

struct Heading {
    std::string title{};        // drawn above the figure
    std::string description{};  // what it shows, for those who cannot see it
};

struct Axis {
    enum class Kind {
        linear,
        logarithmic,  // values that are not positive are left out
        hidden,       // linear, and neither drawn nor labelled: where only neighbourhood means something
    };
    std::string label{};
    Kind kind = Kind::linear;
    std::optional<double> low{}, high{};  // where it ends; otherwise the data decide
    bool percent = false;                 // 0.05 is written 5%
    std::string column{};                 // what its values are called in a file; empty: the label
};

// A value with its 95% interval; NaN where there is none.
struct Estimate {
    Estimate(double middle = NAN, double from = NAN, double to = NAN)
        : value(middle), low(from), high(to) {}  // implicit
    Estimate(const Rate& rate) : Estimate(rate.value, rate.low, rate.high) {}

    double value, low, high;
};

// A straight line across the figure at one value of an axis: a nominal level, an observed T.
struct Guide {
    double at = 0;
    std::string label{};
};

// Values with their intervals along an axis, a line for each of several methods: rejection rates by gap.

struct LinePoint {
    double x;
    Estimate y;
};

struct Line {
    std::string name{};
    std::vector<LinePoint> points{};  // in the order of x
    std::optional<std::size_t>
        like{};  // the line whose colour and shape it shares, dashed and hollow: the same of others
};

struct LineChart {
    Heading heading{};
    Axis x{}, y{};
    std::vector<Line> lines{};
    std::vector<Guide> levels{};  // values of y
};

[[nodiscard]] Svg svg_of(const LineChart& chart);

// Values with their intervals, a row for each of several cases and a dot for each of several methods: false positive
// rates against the level they should have.

struct DotRow {
    std::string label{};
    std::vector<Estimate> values{};  // one per method, in their order; missing past the end
};

struct DotPlot {
    Heading heading{};
    Axis x{};
    std::vector<std::string> methods{};
    std::vector<DotRow> rows{};   // from top to bottom
    std::vector<Guide> levels{};  // values of x
};

[[nodiscard]] Svg svg_of(const DotPlot& plot);

// How often values fall where: a null distribution with T marked, p-values beside the level they should have.

// Bars side by side: counts[i] values lie in [edges[i], edges[i + 1]), the last bar with its right edge.
struct Bars {
    std::vector<double> edges{};  // one more than there are counts
    std::vector<double> counts{};
};

// The values in `count` bars of equal width from low to high; what lies outside, and NaN, is left out.
[[nodiscard]] Bars bars_of(std::span<const double> values, double low, double high, std::size_t count);

// The values in bars of a round width that suits their number and spread. Those that are not finite are left out.
[[nodiscard]] Bars bars_of(std::span<const double> values);

struct Histogram {
    Heading heading{};
    Axis x{};
    std::string y_label{};
    Bars bars{};
    std::vector<Guide> marks{};   // values of x; the axis reaches to them
    std::vector<Guide> levels{};  // values of y: the count that every bar should have
    // Bars whose middle is at or past these are shown as extreme.
    std::optional<double> extreme_below{}, extreme_above{};
};

[[nodiscard]] Svg svg_of(const Histogram& histogram);

// Points of two values each, in panels side by side: clouds before and after alignment, a volcano plot, a law.

struct Group {
    std::string name{};
    bool quiet = false;  // drawn small and grey, behind the others
};

struct ScatterPoint {
    double x = 0, y = 0;
    std::size_t group = 0;
    std::string name{};   // the word; heads what the pointer shows
    std::string note{};   // more lines of that; empty: the two values
    Evidence evidence{};  // what a click shows
    // Above 0: the name is written beside the point if there is room, higher values first.
    double prominence = 0;
    // Where there is one, the point stands in the plot's band, from 0 (low) to 1, and not at y.
    std::optional<double> height_in_band{};
    double low = NAN, high = NAN;  // of y: a vertical line through the point
};

// A straight line between two points of the plot, as the axes have it: on logarithmic ones, a power law.
struct Segment {
    double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    std::string label{};  // what the line says: its slope
};

// Values of x whose part of the plot has a darker ground.
struct Shade {
    double from = 0, to = 0;
};

struct Panel {
    std::string title{};  // empty: none
    std::vector<ScatterPoint> points{};
    std::vector<Segment> segments{};
};

struct ScatterPlot {
    Heading heading{};
    Axis x{}, y{};  // of every panel. Both hidden: square panels, each with ends of its own
    std::vector<Group> groups{};
    std::vector<Panel> panels{};
    std::vector<Guide> x_guides{}, y_guides{};
    std::vector<Shade> shades{};
    std::string band{};  // what the points above the plot have in common, whose y is a limit; empty: there is no band
};

[[nodiscard]] Svg svg_of(const ScatterPlot& plot);

}  // namespace wordbreadth::report
