#include "report/table/text.h"

#include <locale.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cwchar>

namespace wordbreadth::report {
namespace {

// wcwidth and mbrtowc follow the thread's locale, and a user's may be anything: hold it at UTF-8 for a while.
class Utf8Locale {
  public:
    Utf8Locale() : previous_(utf8() != nullptr ? uselocale(utf8()) : nullptr) {}
    ~Utf8Locale() {
        if (previous_ != nullptr) uselocale(previous_);
    }
    Utf8Locale(const Utf8Locale&) = delete;
    Utf8Locale& operator=(const Utf8Locale&) = delete;

  private:
    static locale_t utf8() {
        static const locale_t made = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
        return made;
    }

    locale_t previous_;
};

struct Character {
    std::string_view bytes;
    int width;  // columns; -1: must not reach a terminal
};

// The first character of a text that is not empty. Call under Utf8Locale.
Character first_character(std::string_view text) {
    std::mbstate_t state{};
    wchar_t wide = 0;
    const std::size_t length = std::mbrtowc(&wide, text.data(), text.size(), &state);
    if (length == 0 || length > text.size()) return {text.substr(0, 1), -1};  // a zero byte, or not UTF-8
    return {text.substr(0, length), wcwidth(wide)};
}

std::vector<Character> characters(std::string_view text) {
    const Utf8Locale locale;
    std::vector<Character> found;
    while (!text.empty()) {
        found.push_back(first_character(text));
        text.remove_prefix(found.back().bytes.size());
    }
    return found;
}

std::size_t columns(const Character& character) {
    return character.width < 0 ? 1 : static_cast<std::size_t>(character.width);
}

std::string escape_code(std::string_view bytes) {
    if (bytes == "\n") return "\\n";
    if (bytes == "\t") return "\\t";
    if (bytes == "\r") return "\\r";
    std::string text;
    for (const char byte : bytes) {
        char code[5];
        std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
        text += code;
    }
    return text;
}

// The longest text asked for is that of DBL_MAX in plain digits, with a sign and a few decimals.
using Buffer = std::array<char, 400>;

std::string digits_of(double value, std::chars_format format, int precision) {
    Buffer buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision);
    return {buffer.data(), end.ptr};
}

// The text in at most `width` columns: so many of them from its start and from its end.
std::string clipped(const std::string& text, std::size_t width, std::size_t at_start, std::size_t at_end) {
    if (display_width(text) <= width) return text;
    const std::vector<Character> all = characters(text);
    std::string start, end;
    std::size_t first = 0, last = all.size();
    for (; columns(all[first]) <= at_start; at_start -= columns(all[first++])) start += all[first].bytes;
    for (; columns(all[last - 1]) <= at_end; at_end -= columns(all[last])) --last;
    while (last < all.size() && columns(all[last]) == 0) ++last;  // a mark whose letter was cut off
    for (; last < all.size(); ++last) end += all[last].bytes;
    return start + "…" + end;
}

}  // namespace

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    for (const Character& character : characters(text)) width += columns(character);
    return width;
}

std::string printable(std::string_view text) {
    std::string safe;
    for (const Character& character : characters(text))
        safe += character.width < 0 ? escape_code(character.bytes) : std::string(character.bytes);
    return safe;
}

std::string clipped(const std::string& text, std::size_t width) {
    return clipped(text, width, (width - 1) - (width - 1) / 2, (width - 1) / 2);
}

std::string clipped_end(const std::string& text, std::size_t width) {
    return clipped(text, width, width - 1, 0);
}

std::string clipped_start(const std::string& text, std::size_t width) {
    return clipped(text, width, 0, width - 1);
}

std::string folded(const std::string& text, std::size_t width) {
    if (width == 0 || display_width(text) <= width) return text;
    std::string lines;
    for (const std::string& line : wrapped(text, width)) lines += (lines.empty() ? "" : "\n") + line;
    return lines;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::string word(text.substr(0, text.find(' ')));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        if (lines.empty() || display_width(lines.back()) + 1 + display_width(word) > width)
            lines.push_back(word);
        else
            lines.back() += " " + word;
    }
    return lines;
}

std::string shortest(double value) {
    if (std::isnan(value)) return "nan";  // whatever its sign bit
    Buffer buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end.ptr};
}

std::string significant(double value, int digits) {
    if (!std::isfinite(value) || value == 0) return fixed(value, digits - 1);
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    if (exponent < -4 || exponent > 6) return digits_of(value, std::chars_format::scientific, digits - 1);
    return fixed(value, std::max(0, digits - 1 - exponent));
}

std::string fixed(double value, int decimals) {
    if (!std::isfinite(value)) return "-";
    return digits_of(value, std::chars_format::fixed, decimals);
}

std::string p_value(double p) {
    return std::isnan(p) ? "-" : digits_of(p, std::chars_format::general, 3);
}

std::string p_column(double p) {
    // Five decimals would leave a single digit of these.
    const bool small = p > 0 && p < 1e-4;
    return small ? digits_of(p, std::chars_format::scientific, 1) : fixed(p, 5);
}

std::string count(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t place = text.size(); place > 3; place -= 3) text.insert(place - 3, 1, ',');
    return text;
}

std::string counted(std::uint64_t value, const std::string& thing) {
    return count(value) + " " + thing + (value == 1 ? "" : "s");
}

std::string bytes(std::uint64_t value) {
    if (value < 1000) return counted(value, "byte");
    auto size = static_cast<double>(value);
    std::size_t unit = 0;
    constexpr std::array units{" bytes", " kB", " MB", " GB", " TB", " PB", " EB"};
    for (; size >= 999.5; size /= 1000) ++unit;
    return (size < 9.95 ? fixed(size, 1) : fixed(size, 0)) + units[unit];
}

std::string percent(double share) {
    return digits_of(100 * share, std::chars_format::general, 6) + "%";
}

std::string duration(double seconds) {
    if (!(seconds >= 0)) return "-";
    if (seconds < 0.0995) return significant(1000 * seconds, 2) + " ms";
    if (seconds < 9.95) return significant(seconds, 2) + " s";
    const double whole = std::round(seconds);
    if (whole < 60) return fixed(whole, 0) + " s";
    if (whole < 3600) return fixed(std::floor(whole / 60), 0) + " min " + fixed(std::fmod(whole, 60), 0) + " s";
    return fixed(std::floor(whole / 3600), 0) + " h " + fixed(std::floor(std::fmod(whole, 3600) / 60), 0) + " min";
}

std::string time_left(double seconds) {
    return seconds < 1 ? "less than a second left" : duration(seconds) + " left";
}

}  // namespace wordbreadth::report
