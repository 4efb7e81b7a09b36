// Names and messages as people see them. Cloud names come from files, so they may hold anything.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wordbreadth::report {

// How many columns of a terminal the UTF-8 text takes: 2 for a CJK character, 0 for a combining mark.
// A byte that is not UTF-8 counts as one.
[[nodiscard]] std::size_t display_width(std::string_view text);

// The text on one line, safe to send to a terminal: control characters and bytes that are not UTF-8 become \n, \t,
// \x1b.
[[nodiscard]] std::string printable(std::string_view text);

// The text cut in the middle to at most `width` columns (at least 1), an ellipsis where it was cut.
[[nodiscard]] std::string clipped(const std::string& text, std::size_t width);

// The text cut at its end, or at its start, in the same way.
[[nodiscard]] std::string clipped_end(const std::string& text, std::size_t width);
[[nodiscard]] std::string clipped_start(const std::string& text, std::size_t width);

// The text with lines of at most `width` columns where its words allow; unchanged when `width` is 0.
[[nodiscard]] std::string folded(const std::string& text, std::size_t width);

// The words of `text`, broken into lines of at most `width` columns; a longer word gets a line of its own.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// "a, b, c".
[[nodiscard]] std::string joined(const std::vector<std::string>& items, const std::string& between);

}  // namespace wordbreadth::report
