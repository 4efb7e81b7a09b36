// A line of tab-separated values, with the titles it goes under.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wordbreadth::report {

// NaN and nothing are empty fields. In text, a backslash is written \\, and control characters are written as
// printable() does: \t, \n, \r, and others by their bytes, \x1b.
[[nodiscard]] std::string field(double value);
[[nodiscard]] std::string field(std::optional<double> value);
[[nodiscard]] std::string field(bool value);
[[nodiscard]] std::string field(std::string_view text);
[[nodiscard]] inline std::string field(const std::string& text) {
    return field(std::string_view(text));
}
[[nodiscard]] std::string field(std::unsigned_integral auto value) {
    return std::to_string(value);
}

// Titles and fields side by side, so that the two cannot drift apart.
using Record = std::vector<std::pair<std::string_view, std::string>>;

// Adds the record's line, after a line of titles when it is the first.
void append(std::string& lines, const Record& record);

}  // namespace wordbreadth::report
