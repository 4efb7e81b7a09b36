#include "study/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace wordbreadth::study {
namespace {

constexpr std::size_t most_few_axes = 8;
constexpr double share_of_few = 0.9;

// `axes` axes that have this share of the noise's variance together.
struct Band {
    double axes, share;
};

// E[1 / sqrt(1 + length^2 Q)], Q the noise's squared norm at length 1. With 1 / sqrt(a) = (2 / sqrt(pi)) times the
// integral of exp(-a s^2) over s > 0, and E[exp(-t Q)] a product over the axes, one integral is left, here in log s.
double expected_cosine(const std::array<Band, 2>& bands, double length) {
    constexpr double step = 0.05;
    double sum = 0;
    for (int i = 0; i < 660; ++i) {
        const double log_s = -30 + step * i, s2 = std::exp(2 * log_s);
        double exponent = log_s - s2;
        for (const auto& [axes, share] : bands)
            if (share > 0) exponent -= axes / 2 * std::log1p(2 * s2 * length * length * share / axes);
        sum += std::exp(exponent);
    }
    return 2 * std::numbers::inv_sqrtpi * step * sum;
}

// The length of the noise at which the expected cosine is r.
double noise_length(const std::array<Band, 2>& bands, double r) {
    double low = 1e-3, high = 1e3;
    while (high / low > 1 + 1e-12) {
        const double middle = std::sqrt(low * high);
        (expected_cosine(bands, middle) > r ? low : high) = middle;
    }
    return low;
}

}  // namespace

// Two means at an angle whose half has the cosine a, with rows at the cosine b to theirs, have r = a b.
ShapedClouds::ShapedClouds(Shape shape, double r, std::size_t dimension) : dimension_(dimension) {
    if (shape == Shape::stretched) few_axes_ = std::min(most_few_axes, (dimension - 1) / 2);
    const auto axes = static_cast<double>(dimension - 1), first = static_cast<double>(few_axes_);
    const double share = few_axes_ > 0 ? share_of_few : 0;
    const std::array<Band, 2> bands{{{first, share}, {axes - first, 1 - share}}};
    if (shape == Shape::two_modes) {
        r = std::sqrt(r);
        along_ = r;
        aside_ = std::sqrt(1 - r * r);
    }
    const double length = noise_length(bands, r);
    many_ = length * std::sqrt((1 - share) / (axes - first));
    if (few_axes_ > 0) few_ = length * std::sqrt(share / first);
}

Cloud ShapedClouds::draw(const std::string& name, std::size_t n, std::size_t axis, RandomStream& random) const {
    const std::size_t beside = (axis + 1) % dimension_;  // where the means of two modes differ
    std::vector<double> values;
    values.reserve(n * dimension_);
    std::vector<double> row(dimension_);
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t noisy = 0;
        for (std::size_t c = 0; c < dimension_; ++c) row[c] = c == axis ? 0 : deviation(noisy++) * random.normal();
        // In the plane of the two axes the noise is at right angles to the row's own mean.
        const double aside = random.uniform() < 0.5 ? aside_ : -aside_, across = row[beside];
        row[axis] = along_ - across * aside;
        row[beside] = aside + across * along_;
        values.insert(values.end(), row.begin(), row.end());
    }
    return {name, std::move(values), dimension_};
}

double ShapedClouds::deviation(std::size_t noisy_axis) const {
    return noisy_axis < few_axes_ ? few_ : many_;
}

}  // namespace wordbreadth::study
