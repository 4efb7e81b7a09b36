#include "report/figures/scale.h"

#include <algorithm>

#include "report/number.h"

namespace wordbreadth::report {
namespace {

bool is_logarithmic(const Axis& axis) {
    return axis.kind == Axis::Kind::logarithmic;
}

std::vector<Tick> ticks_of(const Axis& axis, Range::Ends ends, int wanted) {
    if (axis.kind == Axis::Kind::hidden) return {};
    return is_logarithmic(axis) ? logarithmic_ticks(ends.low, ends.high, wanted)
                                : linear_ticks(ends.low, ends.high, wanted, axis.percent);
}

}  // namespace

void Range::include(double value) {
    if (!std::isfinite(value) || (is_logarithmic(*axis_) && value <= 0)) return;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
}

void Range::include(const Estimate& estimate) {
    for (const double value : {estimate.value, estimate.low, estimate.high}) include(value);
}

Range::Ends Range::ends(double margin) const {
    const bool logarithmic = is_logarithmic(*axis_);
    double low = low_ > high_ ? (logarithmic ? 1 : 0) : low_;
    double high = low_ > high_ ? (logarithmic ? 10 : 1) : high_;
    if (logarithmic) {
        const double factor = high > low ? std::pow(high / low, margin) : 2;
        low = std::max(low / factor, 1e-300);  // within what a double can hold
        high = std::min(high * factor, 1e300);
    } else {
        const double space = high > low ? margin * (high - low) : std::max(1e-9, 0.1 * std::abs(low));
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
