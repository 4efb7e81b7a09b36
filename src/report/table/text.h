// Text and numbers as people see them. Cloud names come from files, so they may hold anything.
#pragma once

#include <cstddef>
#include <cstdint>
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

// How text is shown: colour, and the width of the terminal.
struct Style {
    bool colour = false;
    std::size_t width = 0;  // 0: no limit, as in a file

    [[nodiscard]] std::string bold(const std::string& text) const {
        return colour ? "\x1b[1m" + text + "\x1b[0m" : text;
    }
    [[nodiscard]] std::string dim(const std::string& text) const {
        return colour ? "\x1b[2m" + text + "\x1b[0m" : text;
    }

    // A paragraph folded to the width and ended by a newline; "" for an empty one.
    [[nodiscard]] std::string plain_line(const std::string& text) const {
        return text.empty() ? "" : folded(text, width) + "\n";
    }
    [[nodiscard]] std::string bold_line(const std::string& text) const {
        return text.empty() ? "" : bold(folded(text, width)) + "\n";
    }
    [[nodiscard]] std::string dim_line(const std::string& text) const {
        return text.empty() ? "" : dim(folded(text, width)) + "\n";
    }
};

// ---- Numbers. None of these look at the locale.

// The shortest text that reads back as the same double: 0.1, 1e-300, nan, inf.
[[nodiscard]] std::string shortest(double value);

// `digits` significant digits, trailing zeros kept: 1.10, 0.00312, 384; 3.1e-07 where plain digits would be long.
// "-" for NaN and infinities.
[[nodiscard]] std::string significant(double value, int digits);

// `decimals` digits after the point. "-" for NaN and infinities.
[[nodiscard]] std::string fixed(double value, int decimals);

// A p-value within a sentence: 0.0004, 0.987, 5e-05.
[[nodiscard]] std::string p_value(double p);

// A p-value within a column, so that the points stand under each other: 0.00040, 0.98700, 5.0e-05; "-" for NaN.
[[nodiscard]] std::string p_column(double p);

// 20,000.
[[nodiscard]] std::string count(std::uint64_t value);

// 1 word, 20,000 words.
[[nodiscard]] std::string counted(std::uint64_t value, const std::string& thing);

// Of a file: 512 bytes, 84 kB, 1.5 GB.
[[nodiscard]] std::string bytes(std::uint64_t value);

// 0.95 as 95%, 0.999 as 99.9%.
[[nodiscard]] std::string percent(double share);

// 2.6 ms, 0.12 s, 42 s, 3 min 20 s, 2 h 5 min.
[[nodiscard]] std::string duration(double seconds);

// "10 s left", of a guess: never below a second.
[[nodiscard]] std::string time_left(double seconds);

}  // namespace wordbreadth::report
