#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/vector_math.h"
#include "study/many_tests.h"
#include "study/sampling.h"

namespace wordbreadth::study {
namespace {

// Squared distances between all rows, (n, n).
std::vector<double> squared_distances(std::span<const double> values, std::size_t dimension) {
    const std::size_t n = values.size() / dimension;
    const auto row = [&](std::size_t i) { return values.subspan(i * dimension, dimension); };
    std::vector<double> squares(n), distances(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) squares[i] = geometry::dot(row(i), row(i));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j)
            distances[i * n + j] = distances[j * n + i] =
                std::max(0.0, squares[i] + squares[j] - 2 * geometry::dot(row(i), row(j)));
    return distances;
}

// exp(-beta d) of one row's distances, made a distribution, in `weights`; its entropy.
double weigh(std::span<const double> distances, std::size_t self, double beta, std::span<double> weights) {
    double nearest = INFINITY;
    for (std::size_t j = 0; j < distances.size(); ++j)
        if (j != self) nearest = std::min(nearest, distances[j]);
    double sum = 0, weighted = 0;
    for (std::size_t j = 0; j < distances.size(); ++j) {
        weights[j] = j == self ? 0 : std::exp(-beta * (distances[j] - nearest));
        sum += weights[j];
        weighted += weights[j] * (distances[j] - nearest);
    }
    for (double& weight : weights) weight /= sum;
    return std::log(sum) + beta * weighted / sum;
}

// The precision of each row is the one at which its neighbours have the perplexity asked for; found by bisection.
void weigh_to_perplexity(std::span<const double> distances, std::size_t self, double perplexity,
                         std::span<double> weights) {
    double low = 0, high = INFINITY, beta = 1;
    for (int step = 0; step < 64; ++step) {
        const bool too_wide = weigh(distances, self, beta, weights) > std::log(perplexity);
        (too_wide ? low : high) = beta;
        beta = std::isinf(high) ? 2 * beta : (low + high) / 2;
    }
}

std::vector<double> affinities(std::span<const double> values, std::size_t dimension, double perplexity) {
    const std::vector<double> distances = squared_distances(values, dimension);
    const std::size_t n = values.size() / dimension;
    std::vector<double> one_sided(n * n), both(n * n);
    for (std::size_t i = 0; i < n; ++i)
        weigh_to_perplexity(std::span(distances).subspan(i * n, n), i, perplexity,
                            std::span(one_sided).subspan(i * n, n));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            both[i * n + j] = (one_sided[i * n + j] + one_sided[j * n + i]) / (2 * static_cast<double>(n));
    return both;
}

// A cloud of a ten-thousandth's width (Box and Muller).
std::vector<PlanePoint> start(std::size_t n, std::uint64_t seed) {
    const auto uniform = [&](std::size_t i) {
        return (static_cast<double>(row_priority("tsne", i, seed) >> 11) + 0.5) / 9007199254740992.0;
    };
    std::vector<PlanePoint> points(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double radius = 1e-4 * std::sqrt(-2 * std::log(uniform(2 * i)));
        const double angle = 2 * std::numbers::pi * uniform(2 * i + 1);
        points[i] = {radius * std::cos(angle), radius * std::sin(angle)};
    }
    return points;
}

// Gradient descent with momentum and a gain for each coordinate, as in the authors' own program.
class Descent {
  public:
    Descent(std::vector<double> affinities, std::vector<PlanePoint> points)
        : p_(std::move(affinities)),
          points_(std::move(points)),
          speed_(points_.size()),
          gain_(points_.size(), PlanePoint{1, 1}),
          kernel_(p_.size()) {}

    void step(double exaggeration, double momentum) {
        const double total = fill_kernel();
        const std::size_t n = points_.size();
        std::vector<PlanePoint> slope(n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                const double k = kernel_[i * n + j];
                const double pull = 4 * (exaggeration * p_[i * n + j] - k / total) * k;
                slope[i].x += pull * (points_[i].x - points_[j].x);
                slope[i].y += pull * (points_[i].y - points_[j].y);
            }
        for (std::size_t i = 0; i < n; ++i) {
            move(points_[i].x, speed_[i].x, gain_[i].x, slope[i].x, momentum);
            move(points_[i].y, speed_[i].y, gain_[i].y, slope[i].y, momentum);
        }
        centre();
    }

    [[nodiscard]] const std::vector<PlanePoint>& points() const { return points_; }

  private:
    // 1 / (1 + distance^2) for every pair, and the sum of all.
    double fill_kernel() {
        const std::size_t n = points_.size();
        double total = 0;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                const double dx = points_[i].x - points_[j].x, dy = points_[i].y - points_[j].y;
                kernel_[i * n + j] = i == j ? 0 : 1 / (1 + dx * dx + dy * dy);
                total += kernel_[i * n + j];
            }
        return total;
    }

    void move(double& place, double& speed, double& gain, double slope, double momentum) const {
        gain = std::max(0.01, (slope > 0) == (speed > 0) ? gain * 0.8 : gain + 0.2);
        const double rate = std::max(50.0, static_cast<double>(points_.size()) / 48);
        speed = momentum * speed - rate * gain * slope;
        place += speed;
    }

    void centre() {
        PlanePoint mean;
        for (const PlanePoint& point : points_) {
            mean.x += point.x / static_cast<double>(points_.size());
            mean.y += point.y / static_cast<double>(points_.size());
        }
        for (PlanePoint& point : points_) {
            point.x -= mean.x;
            point.y -= mean.y;
        }
    }

    std::vector<double> p_;  // (n, n)
    std::vector<PlanePoint> points_, speed_, gain_;
    std::vector<double> kernel_;  // (n, n)
};

}  // namespace

std::vector<PlanePoint> tsne(std::span<const double> values, std::size_t dimension, const TsneOptions& options) {
    const std::size_t n = values.size() / dimension;
    const double perplexity = std::min(options.perplexity, static_cast<double>(n - 1) / 3);
    Descent descent(affinities(values, dimension, perplexity), start(n, options.seed));
    const std::size_t early = options.steps / 4;
    for (std::size_t step = 0; step < options.steps; ++step)
        descent.step(step < early ? 12 : 1, step < early ? 0.5 : 0.8);
    return descent.points();
}

}  // namespace wordbreadth::study
