// Texts within a plot, none over another, and the lines across it that some of them name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/figures/frame.h"

namespace wordbreadth::report {

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

// A guide at a value of the horizontal axis (a vertical line) or of the vertical one. The line goes under the data.
void draw_guide_at_x(Canvas& canvas, const Box& box, const Scale& x, const Guide& guide);
void draw_guide_at_y(Canvas& canvas, const Box& box, const Scale& y, const Guide& guide);

// Its label, which goes over them: near the end of the line, where it covers the least.
void draw_label_at_x(Canvas& canvas, LabelSpace& space, const Box& box, const Scale& x, const Guide& guide);
void draw_label_at_y(Canvas& canvas, LabelSpace& space, const Box& box, const Scale& y, const Guide& guide);

// In figures full of lines or bars the labels of such guides stand on the right of the plot: how much room they need
// there, beyond what is always left, and the labels themselves.
[[nodiscard]] double room_on_the_right(std::span<const Guide> guides);
void draw_labels_on_the_right(Canvas& canvas, const Box& box, const Scale& y, std::span<const Guide> guides);

}  // namespace wordbreadth::report
