// Scales and ticks.
#include <algorithm>

#include "report/figures/drawing.h"

namespace wordbreadth::report {
namespace {

int power_of_ten(double value) {
    return static_cast<int>(std::floor(std::log10(value) + 1e-9));
}

// Decimals that tell multiples of the step apart.
int decimals_of(double step) {
    return std::max(0, -power_of_ten(step));
}

// Significant digits of a value that tell multiples of the step apart.
int digits_apart(double value, double step) {
    return value == 0 ? 2 : std::max(2, power_of_ten(std::abs(value)) - power_of_ten(step) + 1);
}

std::string linear_label(double value, double step) {
    if (step < 1e-6 || std::abs(value) >= 1e12) return with_true_minus(significant(value, digits_apart(value, step)));
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

bool is_logarithmic(const Axis& axis) {
    return axis.kind == Axis::Kind::logarithmic;
}

std::vector<Tick> ticks_of(const Axis& axis, Range::Ends ends, int wanted) {
    if (axis.kind == Axis::Kind::hidden) return {};
    return is_logarithmic(axis) ? logarithmic_ticks(ends.low, ends.high, wanted)
                                : linear_ticks(ends.low, ends.high, wanted, axis.percent);
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

void Range::include(double value) {
    if (!std::isfinite(value) || (is_logarithmic(*axis_) && value <= 0)) return;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
}

void Range::include(const Estimate& estimate) {
    for (const double value : {estimate.value, estimate.low, estimate.high}) include(value);
}

void Range::include(std::span<const Guide> guides) {
    for (const Guide& guide : guides) include(guide.at);
}

Range::Ends Range::ends(double margin) const {
    const bool logarithmic = is_logarithmic(*axis_);
    double low = low_ > high_ ? (logarithmic ? 1 : 0) : low_;
    double high = low_ > high_ ? (logarithmic ? 10 : 1) : high_;
    // Values that differ by rounding alone are one.
    const bool has_length = high - low > 1e-9 * std::max(std::abs(low), std::abs(high));
    if (logarithmic) {
        const double factor = has_length ? std::pow(high / low, margin) : 2;
        low = std::max(low / factor, 1e-300);  // within what a double can hold
        high = std::min(high * factor, 1e300);
    } else {
        const double space = has_length ? margin * (high - low) : std::max(1e-9, 0.1 * std::abs(low));
        low -= space;
        high += space;
    }
    low = axis_->low.value_or(low);
    high = axis_->high.value_or(high);
    if (!(low < high)) high = logarithmic ? low * 10 : low + std::max(1.0, std::abs(low));
    return {low, high};
}

Scale::Scale(const Axis& axis, Range::Ends ends, double first, double last, int wanted)
    : axis_(&axis), first_(first), last_(last), ticks_(ticks_of(axis, ends, wanted)) {
    low_ = position(ends.low);
    high_ = position(ends.high);
}

double Scale::position(double value) const {
    if (!is_logarithmic(*axis_)) return value;
    return value > 0 ? std::log10(value) : NAN;
}

double Scale::at(double value) const {
    if (!std::isfinite(value)) return NAN;
    return first_ + (position(value) - low_) / (high_ - low_) * (last_ - first_);
}

bool Scale::contains(double value) const {
    const double pixel = at(value);
    return pixel >= std::min(first_, last_) - 0.5 && pixel <= std::max(first_, last_) + 0.5;
}

std::string Scale::text_of(double value) const {
    if (axis_->percent) return with_true_minus(significant(100 * value, 3)) + "%";
    const bool whole = value == std::round(value) && std::abs(value) < 1e6;
    return with_true_minus(whole ? fixed(value, 0) : significant(value, 3));
}

std::string Scale::text_of(const Estimate& estimate) const {
    std::string value = text_of(estimate.value);
    if (!std::isfinite(estimate.low) || !std::isfinite(estimate.high)) return value;
    return value + " (" + text_of(estimate.low) + " to " + text_of(estimate.high) + ")";
}

}  // namespace wordbreadth::report
