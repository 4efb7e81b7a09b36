#include "report/figures/labels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wordbreadth::report {
namespace {

constexpr double size = 12;     // the font's
constexpr double distance = 7;  // from the point
constexpr double reach = 5;     // how far a point that wants a label extends
constexpr double gap = 2;       // between two texts

// Right, left, above, below, then the corners.
std::array<TextPlace, 8> places_beside(const WantedLabel& label) {
    const double x = label.x, y = label.y;
    const double above = y - distance - 2, below = y + distance + size - 2, aside = 4;
    return {{{x + distance, y + 4, Anchor::start},
             {x - distance, y + 4, Anchor::end},
             {x, above, Anchor::middle},
             {x, below, Anchor::middle},
             {x + aside, above, Anchor::start},
             {x - aside, above, Anchor::end},
             {x + aside, below, Anchor::start},
             {x - aside, below, Anchor::end}}};
}

Box area_of(const TextPlace& place, double width, double font) {
    const double shares[] = {0, 0.5, 1};  // of the width, to the left of x
    const double left = place.x - width * shares[static_cast<int>(place.anchor)];
    return {left - gap, place.baseline - 0.82 * font, left + width + gap, place.baseline + 0.26 * font};
}

bool overlap(const Box& a, const Box& b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

bool inside(const Box& area, const Box& box) {
    return area.left >= box.left && area.right <= box.right && area.top >= box.top && area.bottom <= box.bottom;
}

std::ptrdiff_t number_under(const Box& area, const std::vector<Box>& boxes) {
    return std::ranges::count_if(boxes, [&](const Box& box) { return overlap(area, box); });
}

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

void LabelSpace::avoid_point(double x, double y) {
    avoid({x - reach, y - reach, x + reach, y + reach});
}

void LabelSpace::avoid_line(double x1, double y1, double x2, double y2) {
    const double step = 8;
    const double count = std::ceil(std::hypot(x2 - x1, y2 - y1) / step);
    for (double i = 0; i <= count; ++i) {
        const double share = count > 0 ? i / count : 0;
        const double x = x1 + share * (x2 - x1), y = y1 + share * (y2 - y1);
        avoid({x - 1, y - 1, x + 1, y + 1});
    }
}

std::optional<TextPlace> LabelSpace::take(std::string_view text, double font, std::span<const TextPlace> places) {
    const double width = text_width(text, font);
    std::optional<TextPlace> best;
    std::ptrdiff_t fewest = 0;
    for (const TextPlace& place : places) {
        const Box area = area_of(place, width, font);
        if (!inside(area, box_) || number_under(area, taken_) > 0) continue;
        const std::ptrdiff_t covered = number_under(area, avoided_);
        if (best && covered >= fewest) continue;
        best = place;
        fewest = covered;
    }
    if (best) keep_free(area_of(*best, width, font));
    return best;
}

void draw_labels(Canvas& canvas, LabelSpace& space, std::vector<WantedLabel> wanted) {
    const auto by_prominence = [](const WantedLabel& a, const WantedLabel& b) { return a.prominence > b.prominence; };
    std::stable_sort(wanted.begin(), wanted.end(), by_prominence);
    for (const WantedLabel& label : wanted)
        space.keep_free({label.x - reach, label.y - reach, label.x + reach, label.y + reach});
    for (const WantedLabel& label : wanted)
        if (const auto place = space.take(label.text, size, places_beside(label)))
            canvas.text("name", place->x, place->baseline, place->anchor, label.text);
}

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
