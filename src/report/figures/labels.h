// Names beside points, none over another.
#pragma once

#include <string>
#include <vector>

#include "report/figures/frame.h"

namespace wordbreadth::report {

struct WantedLabel {
    double x, y;  // the point
    double prominence;
    std::string text;
};

// Writes the labels that fit into the box, the most prominent first; the others are left out.
void draw_labels(Canvas& canvas, const Box& box, std::vector<WantedLabel> wanted);

}  // namespace wordbreadth::report
