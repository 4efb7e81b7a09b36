// Pictures: what the figures draw on, and what comes of it. Lengths are CSS pixels, y grows downwards.
// Looks are classes, which web/figure.css defines for light and dark.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth::report {

// What a picture leaves free at its left and right.
inline constexpr double figure_edge = 8;

// How wide pictures are, on a page with room and on a phone, where text keeps its size.
inline constexpr double wide_figure = 720;
inline constexpr double narrow_figure = 376;

struct Drawing {
    double width = 0;
    double height = 0;
    std::string body{};  // the elements inside
};

// A finished picture. The same figure gives the same bytes on every machine.
struct Svg {
    std::string title;        // what it is, in a line
    std::string description;  // what it shows, for those who cannot see it
    Drawing wide{};
    Drawing narrow{};                    // the same for a narrow page; its points, in the same order, carry no text
    std::vector<std::string> columns{};  // what the records of the points are, where they have some

    [[nodiscard]] std::string file() const;    // a file of its own, with its styles and its paper
    [[nodiscard]] std::string markup() const;  // elements of a page that has the styles, flush with its text
};

enum class Anchor { start, middle, end };  // which part of a text stands at its x

class Canvas {
  public:
    explicit Canvas(double width = wide_figure) : width_(width) {}

    [[nodiscard]] double width() const { return width_; }
    [[nodiscard]] bool is_narrow() const { return width_ < wide_figure; }

    void line(std::string_view classes, double x1, double y1, double x2, double y2);
    void rectangle(std::string_view classes, double x, double y, double width, double height);
    void path(std::string_view classes, std::string_view d);
    void text(std::string_view classes, double x, double y, Anchor anchor, std::string_view text);

    void open(std::string_view classes);  // a group, up to its close()
    void close();

    // Elements made elsewhere.
    void add(std::string_view svg) { body_ += svg; }

    [[nodiscard]] const std::string& body() const { return body_; }

  private:
    double width_;
    std::string body_;
};

// A coordinate to a hundredth of a pixel, without needless digits: 12, 0.5, -3.25.
[[nodiscard]] std::string coordinate(double value);

// About how wide the text is at a font size; figures cannot ask for the font's own widths.
[[nodiscard]] double text_width(std::string_view text, double font_size);

}  // namespace wordbreadth::report
