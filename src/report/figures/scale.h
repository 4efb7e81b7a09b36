// From the values of an axis to pixels: where it ends, where it has its ticks, and what is written there.
#pragma once

#include <string>
#include <vector>

#include "report/figures/figures.h"

namespace wordbreadth::report {

struct Tick {
    double value;
    std::string label;
};

// Multiples of 1, 2 or 5 times a power of ten within [low, high], about `wanted` of them. low < high.
[[nodiscard]] std::vector<Tick> linear_ticks(double low, double high, int wanted, bool percent);

// Powers of ten within [low, high]; where there are fewer than three, also twice and five times those. 0 < low < high.
[[nodiscard]] std::vector<Tick> logarithmic_ticks(double low, double high, int wanted);

// The next of 1, 2, 5, 10 times a power of ten that is not below `step`.
[[nodiscard]] double round_step(double step);

// The number with U+2212 for its sign, which is as wide as a plus.
[[nodiscard]] std::string with_true_minus(std::string number);

// The smallest and the largest of some values; those that an axis cannot show are left out.
class Range {
  public:
    explicit Range(const Axis& axis) : axis_(&axis) {}

    void include(double value);
    void include(const Estimate& estimate);

    // Where the axis ends: its own ends where it has them, else the data's with `margin` (a share of the length) on
    // either side. Always of some length.
    struct Ends {
        double low, high;
    };
    [[nodiscard]] Ends ends(double margin) const;

  private:
    const Axis* axis_;
    double low_ = INFINITY;
    double high_ = -INFINITY;
};

class Scale {
  public:
    // `first` and `last`: the pixels of the axis' low and high ends; about `wanted` ticks.
    Scale(const Axis& axis, Range::Ends ends, double first, double last, int wanted);

    // NaN for a value that the axis cannot show. Values past the ends lie past the pixels.
    [[nodiscard]] double at(double value) const;
    [[nodiscard]] bool contains(double value) const;
    [[nodiscard]] const std::vector<Tick>& ticks() const { return ticks_; }
    [[nodiscard]] const Axis& axis() const { return *axis_; }
    [[nodiscard]] double first() const { return first_; }
    [[nodiscard]] double last() const { return last_; }

    // A value as a tooltip has it: 3 significant digits, or a percentage.
    [[nodiscard]] std::string text_of(double value) const;
    // 1.3% (0.4% to 3.2%).
    [[nodiscard]] std::string text_of(const Estimate& estimate) const;

  private:
    [[nodiscard]] double position(double value) const;

    const Axis* axis_;
    double low_, high_;  // as position() has them
    double first_, last_;
    std::vector<Tick> ticks_;
};

}  // namespace wordbreadth::report
