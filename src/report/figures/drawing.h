// What figures are drawn with: scales, title, legend and axes around the data, markers of its points, and texts of
// which none lies over another.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/figures/figures.h"

namespace wordbreadth::report {

// ---- From the values of an axis to pixels: where it ends, where it has its ticks, and what is written there

struct Tick {
    double value;
    std::string label;
};

// Multiples of 1, 2 or 5 times a power of ten within [low, high], about `wanted` of them. low < high.
[[nodiscard]] std::vector<Tick> linear_ticks(double low, double high, int wanted, bool percent);

// Powers of ten within [low, high]; where there are fewer than three, also twice and five times those. 0 < low < high.
[[nodiscard]] std::vector<Tick> logarithmic_ticks(double low, double high, int wanted);

// The next of 1, 2, 5, 10 times a power of ten that is not below `step`.
[[nodiscard]] double round_step(double step);

// The number with U+2212 for its sign, which is as wide as a plus.
[[nodiscard]] std::string with_true_minus(std::string number);

// The smallest and the largest of some values; those that an axis cannot show are left out.
class Range {
  public:
    explicit Range(const Axis& axis) : axis_(&axis) {}

    void include(double value);
    void include(const Estimate& estimate);
    void include(std::span<const Guide> guides);

    // Where the axis ends: its own ends where it has them, else the data's with `margin` (a share of the length) on
    // either side. Always of some length.
    struct Ends {
        double low, high;
    };
    [[nodiscard]] Ends ends(double margin) const;

  private:
    const Axis* axis_;
    double low_ = INFINITY;
    double high_ = -INFINITY;
};

class Scale {
  public:
    // `first` and `last`: the pixels of the axis' low and high ends; about `wanted` ticks.
    Scale(const Axis& axis, Range::Ends ends, double first, double last, int wanted);

    // NaN for a value that the axis cannot show. Values past the ends lie past the pixels.
    [[nodiscard]] double at(double value) const;
    [[nodiscard]] bool contains(double value) const;
    [[nodiscard]] bool is_vertical() const { return first_ > last_; }  // pixels grow downwards
    [[nodiscard]] const std::vector<Tick>& ticks() const { return ticks_; }
    [[nodiscard]] const Axis& axis() const { return *axis_; }

    // A value as a tooltip has it: 3 significant digits, or a percentage.
    [[nodiscard]] std::string text_of(double value) const;
    // 1.3% (0.4% to 3.2%).
    [[nodiscard]] std::string text_of(const Estimate& estimate) const;

  private:
    [[nodiscard]] double position(double value) const;

    const Axis* axis_;
    double low_, high_;  // as position() has them
    double first_, last_;
    std::vector<Tick> ticks_;
};

// ---- Title, legend and axes

inline constexpr double font_size = 13;

struct Box {
    double left, top, right, bottom;
};

// An entry of the legend: the series' name, and the classes of its marker.
struct LegendEntry {
    std::string name;
    std::size_t shape;
    std::string classes;
};

// The figure for wide and for narrow pages. `draw` puts it onto a canvas, as wide as that is, and returns its height.
[[nodiscard]] Svg at_both_widths(const Heading& heading, std::vector<std::string> columns,
                                 const std::function<double(Canvas&)>& draw);

// Where a plot ends at the right: room is left for half of the last tick's label.
[[nodiscard]] double plot_right(const Canvas& canvas);

// So many ticks where there is room, fewer on a narrow canvas.
[[nodiscard]] int ticks_across(const Canvas& canvas, int wanted);

// Draws title and legend at the top; where the rest may begin. A single entry needs no legend.
double draw_heading(Canvas& canvas, const Heading& heading, const std::vector<LegendEntry>& legend);

// How much room the tick labels of a vertical axis need on its left.
[[nodiscard]] double label_room(const std::vector<Tick>& ticks);

// How much room the label of a vertical axis needs above it.
[[nodiscard]] double room_above(const Canvas& canvas, const Axis& axis);

// Axes, grid and labels around a box; where the horizontal one with its label ends. The vertical axis has its label
// above it, where it can be read.
double draw_horizontal_axis(Canvas& canvas, const Box& box, const Scale& x);
void draw_vertical_axis(Canvas& canvas, const Box& box, const Scale& y);

// An axis as the title of a column.
[[nodiscard]] std::string column_of(const Axis& axis, const std::string& otherwise);

// Points have a colour and a shape for each of several methods or groups, so that neither has to be told apart alone.
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

// ---- Texts within a plot, and the lines across it that some of them name

// Where a text may stand.
struct TextPlace {
    double x, baseline;
    Anchor anchor;
};

// What of a plot is taken: by texts, over which no other is written, and by points and lines, which a text covers only
// where it has no better place.
class LabelSpace {
  public:
    explicit LabelSpace(const Box& box) : box_(box) {}

    void keep_free(const Box& area) { taken_.push_back(area); }
    void avoid(const Box& area) { avoided_.push_back(area); }
    void avoid_point(double x, double y);
    void avoid_line(double x1, double y1, double x2, double y2);

    // Takes the place that covers the least, of those within the plot and off all other text; the first of equal ones.
    [[nodiscard]] std::optional<TextPlace> take(std::string_view text, double size, std::span<const TextPlace> places);

  private:
    Box box_;
    std::vector<Box> taken_, avoided_;
};

struct WantedLabel {
    double x, y;  // the point
    double prominence;
    std::string text;
};

// Writes the labels that find a place beside their points, the most prominent first; the others are left out.
void draw_labels(Canvas& canvas, LabelSpace& space, std::vector<WantedLabel> wanted);

// Lines across the box at values of an axis. They go under the data.
void draw_guides(Canvas& canvas, const Box& box, const Scale& scale, std::span<const Guide> guides);

// Their labels, which go over the data: near the end of each line, where a label covers the least.
void draw_guide_labels(Canvas& canvas, LabelSpace& space, const Box& box, const Scale& scale,
                       std::span<const Guide> guides);

// In figures full of lines or bars the labels of such guides stand on the right of the plot: how much room they need
// there, beyond what is always left, and the labels themselves.
[[nodiscard]] double room_on_the_right(std::span<const Guide> guides);
void draw_labels_on_the_right(Canvas& canvas, const Box& box, const Scale& y, std::span<const Guide> guides);

}  // namespace wordbreadth::report
