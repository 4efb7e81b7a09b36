#include "wordbreadth/frequency.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "permutation/distributions.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

constexpr std::size_t most_terms = 4;
constexpr std::size_t fewest_words_for_a_curve = 30;
using Terms = std::array<double, most_terms>;

// What log breadth is a linear function of: 1, the log frequency, and what bends the line between the knots.
class Basis {
  public:
    explicit Basis(std::vector<double> log_frequencies) {
        std::ranges::sort(log_frequencies);
        const auto quantile = [&](double share) {
            return log_frequencies[static_cast<std::size_t>(share * static_cast<double>(log_frequencies.size() - 1))];
        };
        knots_ = {quantile(0.05), quantile(0.35), quantile(0.65), quantile(0.95)};  // Harrell's
        middle_ = quantile(0.5);
        const bool bends = log_frequencies.size() >= fewest_words_for_a_curve &&
                           std::ranges::adjacent_find(knots_, std::ranges::greater_equal{}) == knots_.end();
        size_ = log_frequencies.front() == log_frequencies.back() ? 1 : bends ? 4 : 2;
    }

    [[nodiscard]] std::size_t size() const { return size_; }

    [[nodiscard]] Terms operator()(double x) const {
        Terms terms{1, x - middle_, 0, 0};
        if (size_ < 4) return terms;
        const auto cube = [x](double knot) { return x > knot ? std::pow(x - knot, 3) : 0; };
        const double last = knots_[3] - knots_[2], scale = std::pow(knots_[3] - knots_[0], 2);
        for (std::size_t j = 0; j < 2; ++j)
            terms[2 + j] = (cube(knots_[j]) - cube(knots_[2]) * (knots_[3] - knots_[j]) / last +
                            cube(knots_[3]) * (knots_[2] - knots_[j]) / last) /
                           scale;
        return terms;
    }

  private:
    std::array<double, 4> knots_{};
    double middle_ = 0;
    std::size_t size_ = 0;
};

struct Point {
    Terms terms;
    double y, variance;
};

// A symmetric positive definite matrix, of which the first `size` rows and columns count.
using Matrix = std::array<Terms, most_terms>;

// In place, by Gauss and Jordan.
void invert(Matrix& matrix, std::size_t size) {
    for (std::size_t k = 0; k < size; ++k) {
        const double pivot = matrix[k][k];
        matrix[k][k] = 1;
        for (std::size_t j = 0; j < size; ++j) matrix[k][j] /= pivot;
        for (std::size_t i = 0; i < size; ++i) {
            if (i == k) continue;
            const double factor = matrix[i][k];
            matrix[i][k] = 0;
            for (std::size_t j = 0; j < size; ++j) matrix[i][j] -= factor * matrix[k][j];
        }
    }
}

// Weighted least squares with a variance between points beside that of each.
class Fit {
  public:
    Fit(const std::vector<Point>& points, std::size_t size, double between) : size_(size), between_(between) {
        Terms products{};
        for (const Point& point : points) {
            for (std::size_t i = 0; i < size; ++i) {
                products[i] += weight(point) * point.terms[i] * point.y;
                for (std::size_t j = 0; j < size; ++j)
                    covariance_[i][j] += weight(point) * point.terms[i] * point.terms[j];
            }
        }
        invert(covariance_, size);
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < size; ++j) coefficients_[i] += covariance_[i][j] * products[j];
        for (const Point& point : points)
            misfit_ += weight(point) * (point.y - at(point.terms)) * (point.y - at(point.terms));
    }

    [[nodiscard]] double weight(const Point& point) const {
        constexpr double least_variance = 1e-12;
        return 1 / std::max(point.variance + between_, least_variance);
    }
    [[nodiscard]] double at(const Terms& terms) const {
        double value = 0;
        for (std::size_t i = 0; i < size_; ++i) value += coefficients_[i] * terms[i];
        return value;
    }
    [[nodiscard]] double variance_at(const Terms& terms) const {
        double value = 0;
        for (std::size_t i = 0; i < size_; ++i)
            for (std::size_t j = 0; j < size_; ++j) value += terms[i] * covariance_[i][j] * terms[j];
        return value;
    }
    [[nodiscard]] double misfit() const { return misfit_; }  // weighted sum of squares

  private:
    std::size_t size_;
    double between_;
    Matrix covariance_{};
    Terms coefficients_{};
    double misfit_ = 0;
};

// The variance between points at which the misfit is what it should be, by bisection.
Fit fit_of(const std::vector<Point>& points, std::size_t size) {
    const auto expected = static_cast<double>(points.size() - size);
    Fit fit(points, size, 0);
    if (fit.misfit() <= expected) return fit;
    double low = 0, high = 1e-6;
    while (Fit(points, size, high).misfit() > expected) high *= 2;
    for (int step = 0; step < 50; ++step) {
        const double middle = (low + high) / 2;
        (Fit(points, size, middle).misfit() > expected ? low : high) = middle;
    }
    return {points, size, high};
}

bool is_known(const Point& point) {
    return std::isfinite(point.variance) && std::isfinite(point.y) && std::isfinite(point.terms[1]);
}

void check(std::size_t words, std::size_t errors, std::size_t frequencies, double confidence) {
    if (errors != words || frequencies != words)
        throw InputError("breadth given frequency: " + std::to_string(words) + " breadths, " + std::to_string(errors) +
                         " standard errors and " + std::to_string(frequencies) +
                         " frequencies; expected as many of each");
    if (!(confidence > 0 && confidence < 1))
        throw InputError("breadth given frequency: a confidence of " + std::to_string(confidence) +
                         "; expected one between 0 and 1");
}

// The logarithms of the frequencies of the words that a fit is made from.
std::vector<double> fitted_frequencies(std::span<const double> log_breadths, std::span<const double> standard_errors,
                                       std::span<const double> frequencies) {
    std::vector<double> found;
    for (std::size_t i = 0; i < log_breadths.size(); ++i)
        if (std::isfinite(log_breadths[i]) && std::isfinite(standard_errors[i]) && frequencies[i] > 0)
            found.push_back(std::log(frequencies[i]));
    return found;
}

}  // namespace

std::vector<FrequencyResidual> breadth_given_frequency(std::span<const double> log_breadths,
                                                       std::span<const double> standard_errors,
                                                       std::span<const double> frequencies, double confidence) {
    check(log_breadths.size(), standard_errors.size(), frequencies.size(), confidence);
    std::vector<FrequencyResidual> residuals(log_breadths.size());
    const std::vector<double> of_fit = fitted_frequencies(log_breadths, standard_errors, frequencies);
    if (of_fit.empty()) return residuals;
    const Basis basis(of_fit);
    if (of_fit.size() <= basis.size()) return residuals;
    std::vector<Point> all, points;
    for (std::size_t i = 0; i < log_breadths.size(); ++i) {
        all.push_back({basis(std::log(frequencies[i])), log_breadths[i], standard_errors[i] * standard_errors[i]});
        if (is_known(all.back())) points.push_back(all.back());
    }
    const Fit fit = fit_of(points, basis.size());
    const double quantile = permutation::normal_quantile((1 + confidence) / 2);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double residual = all[i].y - fit.at(all[i].terms), of_the_fit = fit.variance_at(all[i].terms);
        // The word's own error moves the fit towards it.
        const double variance = all[i].variance * (1 - 2 * fit.weight(all[i]) * of_the_fit) + of_the_fit;
        const double reach = quantile * std::sqrt(std::max(variance, 0.0));
        if (std::isfinite(residual)) residuals[i] = {residual, residual - reach, residual + reach};
    }
    return residuals;
}

}  // namespace wordbreadth
