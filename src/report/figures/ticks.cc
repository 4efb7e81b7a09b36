#include "report/figures/ticks.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "report/number.h"

namespace wordbreadth::report {
namespace {

// Decimals that tell multiples of the step apart.
int decimals_of(double step) {
    return std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
}

std::string linear_label(double value, double step) {
    if (step < 1e-6 || std::abs(value) >= 1e12) return with_true_minus(significant(value, 2));
    if (std::abs(value) >= 1000 && step >= 1) {
        const std::string digits = count(static_cast<std::uint64_t>(std::llround(std::abs(value))));
        return value < 0 ? "−" + digits : digits;
    }
    return with_true_minus(fixed(value, decimals_of(step)));
}

std::string superscript(int number) {
    const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = number < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(number))) text += digits[digit - '0'];
    return text;
}

std::string logarithmic_label(int factor, int exponent) {
    if (exponent >= -4 && exponent < 0) return fixed(factor * std::pow(10.0, exponent), -exponent);
    if (exponent >= 0 && exponent <= 6) return count(static_cast<std::uint64_t>(factor * std::pow(10.0, exponent)));
    return (factor == 1 ? "" : std::to_string(factor) + "·") + "10" + superscript(exponent);
}

std::vector<Tick> decades(double low, double high, std::initializer_list<int> factors, int every) {
    std::vector<Tick> ticks;
    const int first = static_cast<int>(std::floor(std::log10(low)));
    const int last = static_cast<int>(std::ceil(std::log10(high)));
    for (int exponent = first; exponent <= last; ++exponent)
        for (const int factor : factors) {
            const double value = factor * std::pow(10.0, exponent);
            const bool inside = value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9);
            if (inside && exponent % every == 0) ticks.push_back({value, logarithmic_label(factor, exponent)});
        }
    return ticks;
}

}  // namespace

std::string with_true_minus(std::string number) {
    if (number.starts_with('-')) number.replace(0, 1, "−");
    return number;
}

double round_step(double step) {
    const double power = std::pow(10.0, std::floor(std::log10(step)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= step * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

std::vector<Tick> linear_ticks(double low, double high, int wanted, bool percent) {
    const double step = round_step((high - low) / wanted);
    const double slack = 1e-9 * (high - low);
    std::vector<Tick> ticks;
    for (double i = std::ceil((low - slack) / step); i * step <= high + slack; ++i) {
        const double value = i == 0 ? 0.0 : i * step;
        ticks.push_back({value, percent ? linear_label(100 * value, 100 * step) + "%" : linear_label(value, step)});
    }
    return ticks;
}

std::vector<Tick> logarithmic_ticks(double low, double high, int wanted) {
    const int every = std::max(1, static_cast<int>(std::ceil(std::log10(high / low) / wanted)));
    std::vector<Tick> ticks = decades(low, high, {1}, every);
    if (ticks.size() < 3) ticks = decades(low, high, {1, 2, 5}, 1);
    if (ticks.size() < 3) ticks = linear_ticks(low, high, wanted, false);
    return ticks;
}

}  // namespace wordbreadth::report
