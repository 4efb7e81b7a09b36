#include "report/figures/guides.h"

#include <algorithm>

namespace wordbreadth::report {
namespace {

// A line that needs no name, such as that at 0, stays in the background.
const char* class_of(const Guide& guide) {
    return guide.label.empty() ? "rule" : "guide";
}

void draw_label(Canvas& canvas, LabelSpace& space, const Guide& guide, const std::vector<TextPlace>& places) {
    if (guide.label.empty()) return;
    if (const auto place = space.take(guide.label, font_size, places))
        canvas.text("guide-label", place->x, place->baseline, place->anchor, guide.label);
}

}  // namespace

void draw_guide_at_x(Canvas& canvas, const Box& box, const Scale& x, const Guide& guide) {
    if (!x.contains(guide.at)) return;
    const double at = x.at(guide.at);
    canvas.line(class_of(guide), at, box.top, at, box.bottom);
}

void draw_guide_at_y(Canvas& canvas, const Box& box, const Scale& y, const Guide& guide) {
    if (!y.contains(guide.at)) return;
    const double at = y.at(guide.at);
    canvas.line(class_of(guide), box.left, at, box.right, at);
}

void draw_label_at_x(Canvas& canvas, LabelSpace& space, const Box& box, const Scale& x, const Guide& guide) {
    if (!x.contains(guide.at)) return;
    const double at = x.at(guide.at);
    space.avoid_line(at, box.top, at, box.bottom);
    std::vector<TextPlace> places;
    for (double y = box.top + 11; y < box.bottom; y += 18)
        places.insert(places.end(), {{at + 6, y, Anchor::start}, {at - 6, y, Anchor::end}});
    draw_label(canvas, space, guide, places);
}

void draw_label_at_y(Canvas& canvas, LabelSpace& space, const Box& box, const Scale& y, const Guide& guide) {
    if (!y.contains(guide.at)) return;
    const double at = y.at(guide.at), above = at - 6, below = at + 15;
    space.avoid_line(box.left, at, box.right, at);
    std::vector<TextPlace> places;
    for (const double share : {0.0, 0.25, 0.5, 0.75}) {
        const double x = box.right - 2 - share * (box.right - box.left);
        places.insert(places.end(), {{x, above, Anchor::end}, {x, below, Anchor::end}});
    }
    places.insert(places.end(), {{box.left + 6, above, Anchor::start}, {box.left + 6, below, Anchor::start}});
    draw_label(canvas, space, guide, places);
}

double room_on_the_right(std::span<const Guide> guides) {
    double widest = 0;
    for (const Guide& guide : guides) widest = std::max(widest, text_width(guide.label, font_size));
    return std::max(0.0, widest - 4);
}

void draw_labels_on_the_right(Canvas& canvas, const Box& box, const Scale& y, std::span<const Guide> guides) {
    LabelSpace space({box.right, box.top - 8, canvas.width(), box.bottom + 8});
    for (const Guide& guide : guides) {
        if (!y.contains(guide.at)) continue;
        std::vector<TextPlace> places;
        for (const double shift : {0.0, -15.0, 15.0, -30.0, 30.0})
            places.push_back({box.right + 6, y.at(guide.at) + 4.5 + shift, Anchor::start});
        draw_label(canvas, space, guide, places);
    }
}

}  // namespace wordbreadth::report
