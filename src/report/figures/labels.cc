#include "report/figures/labels.h"

#include <algorithm>
#include <array>
#include <optional>

namespace wordbreadth::report {
namespace {

constexpr double size = 12;     // the font's
constexpr double distance = 7;  // from the point
constexpr double reach = 5;     // how far a point that wants a label extends

struct Position {
    Box area;
    double x, baseline;
    Anchor anchor;
};

// Right, left, above, below.
std::array<Position, 4> positions(const WantedLabel& label) {
    const double width = text_width(label.text, size);
    const double x = label.x, y = label.y;
    const double half = size / 2;
    return {{{{x + distance, y - half, x + distance + width, y + half}, x + distance, y + 4, Anchor::start},
             {{x - distance - width, y - half, x - distance, y + half}, x - distance, y + 4, Anchor::end},
             {{x - width / 2, y - distance - size, x + width / 2, y - distance}, x, y - distance - 2, Anchor::middle},
             {{x - width / 2, y + distance, x + width / 2, y + distance + size},
              x,
              y + distance + size - 2,
              Anchor::middle}}};
}

bool overlap(const Box& a, const Box& b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

bool inside(const Box& area, const Box& box) {
    return area.left >= box.left && area.right <= box.right && area.top >= box.top && area.bottom <= box.bottom;
}

std::optional<Position> free_position(const WantedLabel& label, const Box& box, const std::vector<Box>& taken) {
    for (const Position& position : positions(label)) {
        const auto clashes = [&](const Box& other) { return overlap(position.area, other); };
        if (inside(position.area, box) && std::none_of(taken.begin(), taken.end(), clashes)) return position;
    }
    return std::nullopt;
}

}  // namespace

void draw_labels(Canvas& canvas, const Box& box, std::vector<WantedLabel> wanted) {
    const auto by_prominence = [](const WantedLabel& a, const WantedLabel& b) { return a.prominence > b.prominence; };
    std::stable_sort(wanted.begin(), wanted.end(), by_prominence);
    std::vector<Box> taken;
    for (const WantedLabel& label : wanted)
        taken.push_back({label.x - reach, label.y - reach, label.x + reach, label.y + reach});
    for (const WantedLabel& label : wanted) {
        const auto position = free_position(label, box, taken);
        if (!position) continue;
        canvas.text("name", position->x, position->baseline, position->anchor, label.text);
        taken.push_back(position->area);
    }
}

}  // namespace wordbreadth::report
