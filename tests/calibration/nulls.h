// Clouds of one true breadth and different shapes, the nulls under which a test must keep its level.
//
// A row is a mean of length 1 plus noise at right angles to it, scaled to unit length. The noise is symmetric, so the
// expected row is r times the mean with r = E[cosine to the mean], whatever the shape; the length of the noise is
// solved for from the r that is wanted. Equal r is equal breadth.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace wordbreadth::calibration {

// How the noise is shared out: `axes` axes with a variance of `share` / `axes` each. All shares together are 1.
struct Band {
    std::size_t axes;
    double share;
};

struct Shape {
    std::vector<Band> bands;
    double tail = 0;  // spread of the logarithm of a row's noise length: 0 is Gaussian noise
};

// Axes whose variances fall as 1 / (a + 3), as those of words do; in bands, which are quick to solve for the length.
inline Shape falling_axes(std::size_t d) {
    Shape shape;
    double sum = 0;
    for (std::size_t a = 0; a + 1 < d; ++a) sum += 1 / static_cast<double>(a + 3);
    for (std::size_t a = 0; a + 1 < d;) {
        Band band{std::min(1 + a / 2, d - 1 - a), 0};
        for (const std::size_t end = a + band.axes; a < end; ++a) band.share += 1 / static_cast<double>(a + 3) / sum;
        shape.bands.push_back(band);
    }
    return shape;
}

// E[1 / sqrt(1 + length^2 Q)], Q the noise's squared norm at length 1. With 1 / sqrt(a) = (2 / sqrt(pi)) times the
// integral of exp(-a s^2) over s > 0, and E[exp(-t Q)] a product over the axes, one integral is left, here in log s.
inline double expected_cosine(const std::vector<Band>& bands, double length) {
    constexpr double step = 0.05;
    double sum = 0;
    for (double log_s = -30; log_s < 3; log_s += step) {
        const double s2 = std::exp(2 * log_s);
        double exponent = log_s - s2;
        for (const auto& [axes, share] : bands) {
            const auto count = static_cast<double>(axes);
            exponent -= count / 2 * std::log1p(2 * s2 * length * length * share / count);
        }
        sum += std::exp(exponent);
    }
    return 2 * std::numbers::inv_sqrtpi * step * sum;
}

// The same for a length that is itself log-normal around `length`.
inline double expected_cosine(const Shape& shape, double length) {
    if (shape.tail == 0) return expected_cosine(shape.bands, length);
    constexpr double step = 0.1;
    const double density = step / std::sqrt(2 * std::numbers::pi);
    double sum = 0;
    for (double z = -8; z < 8 + step / 2; z += step)
        sum += density * std::exp(-z * z / 2) * expected_cosine(shape.bands, length * std::exp(shape.tail * z));
    return sum;
}

// The noise length at which the expected cosine is r.
inline double noise_length(const Shape& shape, double r) {
    double low = 1e-3, high = 1e3;
    while (high / low > 1 + 1e-12) {
        const double middle = std::sqrt(low * high);
        (expected_cosine(shape, middle) > r ? low : high) = middle;
    }
    return low;
}

// Draws clouds of one shape and one r.
class Null {
  public:
    Null(Shape shape, double r) : shape_(std::move(shape)), length_(noise_length(shape_, r)) {
        for (const auto& [axes, share] : shape_.bands) dimension_ += axes;
    }

    [[nodiscard]] std::size_t dimension() const { return dimension_; }

    // n rows whose mean lies at `angle` from the first axis towards the last: (n, dimension), not of unit length.
    // The noise of the first bands is in the same axes whatever the angle.
    [[nodiscard]] std::vector<double> draw(std::size_t n, double angle, std::mt19937_64& generator) const {
        std::vector<double> values = rows(n, 1, generator);
        for (std::size_t i = 0; i < n; ++i) {
            values[i * dimension_] = 1;
            turn(values[i * dimension_], values[(i + 1) * dimension_ - 1], angle);
        }
        return values;
    }

    // A row per label, about the first axis. Rows with the same label, 0, 1, ..., share the part `alike` of the
    // variance of their noise, and of that of its log length: a row by itself is distributed as without labels.
    [[nodiscard]] std::vector<double> draw(std::span<const std::uint64_t> labels, double alike,
                                           std::mt19937_64& generator) const {
        if (labels.empty() || alike == 0) return draw(labels.size(), 0, generator);
        std::vector<double> values = rows(labels.size(), std::sqrt(1 - alike), generator);
        const std::vector<double> shared = rows(std::ranges::max(labels) + 1, std::sqrt(alike), generator);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            double* const row = &values[i * dimension_];
            const double* const of_label = &shared[labels[i] * dimension_];
            for (std::size_t c = 1; c < dimension_; ++c) row[c] = of_label[0] * row[c] + row[0] * of_label[c];
            row[0] = 1;
        }
        return values;
    }

  private:
    // A factor of the noise's length, and the noise that has it, with the share part^2 of the variances.
    [[nodiscard]] std::vector<double> rows(std::size_t n, double part, std::mt19937_64& generator) const {
        std::normal_distribution<double> normal;
        std::vector<double> values;
        values.reserve(n * dimension_);
        for (std::size_t i = 0; i < n; ++i) {
            const double factor = std::exp(part * shape_.tail * normal(generator)), length = length_ * factor;
            values.push_back(factor);
            for (const auto& [axes, share] : shape_.bands) {
                const double deviation = length * std::sqrt(share / static_cast<double>(axes));
                for (std::size_t k = 0; k < axes; ++k) values.push_back(part * (deviation * normal(generator)));
            }
        }
        return values;
    }

    static void turn(double& first, double& last, double angle) {
        const double before = first;
        first = std::cos(angle) * before - std::sin(angle) * last;
        last = std::sin(angle) * before + std::cos(angle) * last;
    }

    Shape shape_;
    double length_;
    std::size_t dimension_ = 1;  // the mean's own axis, and those of the noise
};

}  // namespace wordbreadth::calibration
