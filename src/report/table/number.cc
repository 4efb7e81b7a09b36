#include "report/table/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace wordbreadth::report {
namespace {

// The longest text asked for is that of DBL_MAX in plain digits, with a sign and a few decimals.
using Buffer = std::array<char, 400>;

std::string text_of(double value, std::chars_format format, int precision) {
    Buffer buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision);
    return {buffer.data(), end.ptr};
}

}  // namespace

std::string shortest(double value) {
    if (std::isnan(value)) return "nan";  // whatever its sign bit
    Buffer buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end.ptr};
}

std::string significant(double value, int digits) {
    if (!std::isfinite(value) || value == 0) return fixed(value, digits - 1);
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    if (exponent < -4 || exponent > 6) return text_of(value, std::chars_format::scientific, digits - 1);
    return fixed(value, std::max(0, digits - 1 - exponent));
}

std::string fixed(double value, int decimals) {
    if (!std::isfinite(value)) return "-";
    return text_of(value, std::chars_format::fixed, decimals);
}

std::string p_value(double p) {
    return std::isnan(p) ? "-" : text_of(p, std::chars_format::general, 3);
}

std::string p_column(double p) {
    // Five decimals would leave a single digit of these.
    const bool small = p > 0 && p < 1e-4;
    return small ? text_of(p, std::chars_format::scientific, 1) : fixed(p, 5);
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
    return text_of(100 * share, std::chars_format::general, 6) + "%";
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
