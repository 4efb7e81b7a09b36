// Texts within a plot, none over another.
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

}  // namespace wordbreadth::report
