#include <algorithm>

#include "report/figures/labels.h"
#include "report/table/number.h"

namespace wordbreadth::report {
namespace {

constexpr double plot_height = 220;

std::vector<double> finite(std::span<const double> values) {
    std::vector<double> kept;
    for (const double value : values)
        if (std::isfinite(value)) kept.push_back(value);
    std::sort(kept.begin(), kept.end());
    return kept;
}

// Freedman and Diaconis, within 8 and 60 bars.
double bar_width(const std::vector<double>& sorted) {
    const double n = static_cast<double>(sorted.size());
    const double length = sorted.back() - sorted.front();
    const double quartiles = sorted[sorted.size() * 3 / 4] - sorted[sorted.size() / 4];
    return round_step(std::clamp(2 * quartiles / std::cbrt(n), length / 60, length / 20));
}

bool is_extreme(const Histogram& histogram, std::size_t i) {
    const double middle = (histogram.bars.edges[i] + histogram.bars.edges[i + 1]) / 2;
    return (histogram.extreme_below && middle <= *histogram.extreme_below) ||
           (histogram.extreme_above && middle >= *histogram.extreme_above);
}

Scale horizontal(const Histogram& histogram, const Box& box, int ticks) {
    Range range(histogram.x);
    for (const double edge : histogram.bars.edges) range.include(edge);
    for (const Guide& mark : histogram.marks) range.include(mark.at);
    return {histogram.x, range.ends(0.02), box.left, box.right, ticks};
}

Scale vertical(const Histogram& histogram, const Axis& axis, const Box& box) {
    Range range(axis);
    range.include(0);
    for (const double count : histogram.bars.counts) range.include(count);
    if (histogram.level) range.include(histogram.level->at);
    Range::Ends ends = range.ends(0.06);
    ends.low = 0;
    return {axis, ends, box.bottom, box.top, 4};
}

void draw_bar(Canvas& canvas, LabelSpace& space, const Histogram& histogram, std::size_t i, const Scale& x,
              const Scale& y) {
    const double left = x.at(histogram.bars.edges[i]), right = x.at(histogram.bars.edges[i + 1]);
    const double count = histogram.bars.counts[i];
    if (!(count > 0) || !std::isfinite(left) || !std::isfinite(right)) return;
    const double gap = std::min(1.0, (right - left) / 4);
    const std::string d = "M" + coordinate(left + gap / 2) + " " + coordinate(y.at(0)) + "V" + coordinate(y.at(count)) +
                          "H" + coordinate(right - gap / 2) + "V" + coordinate(y.at(0)) + "z";
    const std::string text = x.axis().label + ": " + x.text_of(histogram.bars.edges[i]) + " to " +
                             x.text_of(histogram.bars.edges[i + 1]) + "\n" + y.axis().label + ": " + y.text_of(count);
    const std::vector<std::string> record = {field(histogram.bars.edges[i]), field(histogram.bars.edges[i + 1]),
                                             field(count)};
    draw_point(canvas, is_extreme(histogram, i) ? "bar s1" : "bar s0", d, {text, {}, record});
    space.avoid({left, y.at(count), right, y.at(0)});
}

double draw(Canvas& canvas, const Histogram& histogram) {
    const Axis counts{.label = histogram.y_label};
    const double top = draw_heading(canvas, histogram.heading, {}) + room_above(canvas, counts);
    const std::vector<Guide> levels = histogram.level ? std::vector{*histogram.level} : std::vector<Guide>();
    Box box{0, top, plot_right(canvas) - room_on_the_right(levels), top + plot_height};
    const Scale y = vertical(histogram, counts, box);
    box.left = label_room(y.ticks());
    const Scale x = horizontal(histogram, box, ticks_across(canvas, 8));
    LabelSpace space({box.left, box.top - 8, canvas.width() - figure_edge, box.bottom});
    draw_vertical_axis(canvas, box, y);
    for (std::size_t i = 0; i < histogram.bars.counts.size(); ++i) draw_bar(canvas, space, histogram, i, x, y);
    const double bottom = draw_horizontal_axis(canvas, box, x);
    for (const Guide& level : levels) draw_guide_at_y(canvas, box, y, level);
    for (const Guide& mark : histogram.marks) draw_guide_at_x(canvas, box, x, mark);
    for (const Guide& mark : histogram.marks) draw_label_at_x(canvas, space, box, x, mark);
    draw_labels_on_the_right(canvas, box, y, levels);
    return bottom;
}

}  // namespace

Bars bars_of(std::span<const double> values, double low, double high, std::size_t count) {
    Bars bars;
    bars.counts.assign(count, 0);
    const double width = (high - low) / static_cast<double>(count);
    for (std::size_t i = 0; i <= count; ++i) bars.edges.push_back(low + width * static_cast<double>(i));
    for (const double value : values) {
        if (!(value >= low && value <= high)) continue;
        const auto i = static_cast<std::size_t>((value - low) / width);
        ++bars.counts[std::min(i, count - 1)];
    }
    return bars;
}

Bars bars_of(std::span<const double> values) {
    const std::vector<double> sorted = finite(values);
    if (sorted.empty()) return {};
    if (sorted.front() == sorted.back()) {
        const double half = std::max(1e-9, 0.05 * std::abs(sorted.front()));
        return bars_of(sorted, sorted.front() - half, sorted.front() + half, 1);
    }
    const double width = bar_width(sorted);
    const double low = std::floor(sorted.front() / width) * width;
    const double count = std::max(1.0, std::ceil((sorted.back() - low) / width));
    return bars_of(sorted, low, low + count * width, static_cast<std::size_t>(count));
}

Svg svg_of(const Histogram& histogram) {
    const std::string x = column_of(histogram.x, "value");
    return at_both_widths(histogram.heading, {x + " from", x + " to", histogram.y_label},
                          [&](Canvas& canvas) { return draw(canvas, histogram); });
}

}  // namespace wordbreadth::report
