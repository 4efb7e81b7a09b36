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

}  // namespace wordbreadth::report
