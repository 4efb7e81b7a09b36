// Lines across a plot at one value of an axis, and what they are called.
#pragma once

#include "report/figures/labels.h"

namespace wordbreadth::report {

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
