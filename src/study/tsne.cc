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

// A cloud of a ten-thousandth's width (Box and Muller): x and y, point after point.
std::vector<double> start(std::size_t n, std::uint64_t seed) {
    const auto uniform = [&](std::size_t i) {
        return (static_cast<double>(row_priority("tsne", i, seed) >> 11) + 0.5) / 9007199254740992.0;
    };
    std::vector<double> points(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
        const double radius = 1e-4 * std::sqrt(-2 * std::log(uniform(2 * i)));
        const double angle = 2 * std::numbers::pi * uniform(2 * i + 1);
        points[2 * i] = radius * std::cos(angle);
        points[2 * i + 1] = radius * std::sin(angle);
    }
    return points;
}

// 1 / (1 + distance^2) for every pair, in `kernel`; the sum of all.
double fill_kernel(std::span<const double> points, std::span<double> kernel) {
    const std::size_t n = points.size() / 2;
    double total = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const double dx = points[2 * i] - points[2 * j], dy = points[2 * i + 1] - points[2 * j + 1];
            kernel[i * n + j] = i == j ? 0 : 1 / (1 + dx * dx + dy * dy);
            total += kernel[i * n + j];
        }
    return total;
}

// The gradient of the loss, (n, 2).
std::vector<double> slopes(std::span<const double> p, double exaggeration, std::span<const double> points,
                           std::span<double> kernel) {
    const double total = fill_kernel(points, kernel);
    const std::size_t n = points.size() / 2;
    std::vector<double> slope(2 * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const double k = kernel[i * n + j];
            const double pull = 4 * (exaggeration * p[i * n + j] - k / total) * k;
            slope[2 * i] += pull * (points[2 * i] - points[2 * j]);
            slope[2 * i + 1] += pull * (points[2 * i + 1] - points[2 * j + 1]);
        }
    return slope;
}

void centre(std::span<double> points) {
    for (const std::size_t axis : {0U, 1U}) {
        double mean = 0;
        for (std::size_t i = axis; i < points.size(); i += 2)
            mean += points[i] / static_cast<double>(points.size() / 2);
        for (std::size_t i = axis; i < points.size(); i += 2) points[i] -= mean;
    }
}

}  // namespace

// Gradient descent with momentum and a gain for each coordinate, as in the authors' own program.
std::vector<PlanePoint> tsne(std::span<const double> values, std::size_t dimension, const TsneOptions& options) {
    const std::size_t n = values.size() / dimension;
    const double perplexity = std::min(options.perplexity, static_cast<double>(n - 1) / 3);
    const double rate = std::max(50.0, static_cast<double>(n) / 48);
    const std::vector<double> p = affinities(values, dimension, perplexity);
    std::vector<double> points = start(n, options.seed), speed(2 * n), gain(2 * n, 1), kernel(n * n);
    for (std::size_t step = 0; step < options.steps; ++step) {
        const bool early = step < options.steps / 4;
        const std::vector<double> slope = slopes(p, early ? 12 : 1, points, kernel);
        for (std::size_t i = 0; i < points.size(); ++i) {
            gain[i] = std::max(0.01, (slope[i] > 0) == (speed[i] > 0) ? gain[i] * 0.8 : gain[i] + 0.2);
            speed[i] = (early ? 0.5 : 0.8) * speed[i] - rate * gain[i] * slope[i];
            points[i] += speed[i];
        }
        centre(points);
    }
    std::vector<PlanePoint> plane;
    for (std::size_t i = 0; i < n; ++i) plane.push_back({points[2 * i], points[2 * i + 1]});
    return plane;
}

}  // namespace wordbreadth::study
