#include "study/mixture.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <ranges>

#include "geometry/symmetric.h"
#include "geometry/vector_math.h"

namespace wordbreadth::study {
namespace {

constexpr std::size_t steps_of_each_start = 5;
constexpr std::size_t most_steps = 60;
constexpr std::size_t polished = 2;  // starts that are followed to the end
// A gain is compared with those of random clouds, which differ by whole units.
constexpr double enough = 0.01;
// Keeps a mode from collapsing onto a line: a hundredth of a standard deviation is no sign of a mode.
constexpr double ridge = 0.02;
constexpr double smallest_share = 1e-12;

void weigh_means(const Points& points, Mixture& mixture) {
    const std::size_t k = mixture.k, d = points.dimension;
    mixture.shares.assign(k, 0.0);
    mixture.means.assign(k * d, 0.0);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto row = points.row(i);
        for (std::size_t j = 0; j < k; ++j) {
            const double weight = mixture.responsibilities[i * k + j];
            mixture.shares[j] += weight;
            for (std::size_t c = 0; c < d; ++c) mixture.means[j * d + c] += weight * row[c];
        }
    }
    for (double& share : mixture.shares) share = std::max(share / static_cast<double>(points.size()), smallest_share);
}

// From log densities, in place, to responsibilities; returns the log of their sum.
double normalise(std::span<double> logs) {
    const double largest = *std::ranges::max_element(logs);
    double sum = 0;
    for (double& value : logs) sum += value = std::exp(value - largest);
    for (double& value : logs) value /= sum;
    return largest + std::log(sum);
}

std::span<double> responsibilities_of(Mixture& mixture, std::size_t i) {
    return std::span(mixture.responsibilities).subspan(i * mixture.k, mixture.k);
}

// The covariance within modes is I less that of their means.
bool set_shape(Mixture& mixture, std::size_t d) {
    mixture.shape.assign(d * d, 0.0);
    for (std::size_t a = 0; a < d; ++a) mixture.shape[a * d + a] = 1 + ridge;
    for (std::size_t j = 0; j < mixture.k; ++j)
        for (std::size_t a = 0; a < d; ++a)
            for (std::size_t b = 0; b <= a; ++b)
                mixture.shape[a * d + b] -= mixture.shares[j] * mixture.means[j * d + a] * mixture.means[j * d + b];
    return geometry::to_cholesky(mixture.shape, d);
}

// The mean over points of covariance I of the log density's part without a mean: -log |L| - |L^-1 x|^2 / 2.
double common_part(const std::vector<double>& shape, std::size_t d) {
    std::vector<double> axis(d), column(d);
    double part = 0;
    for (std::size_t a = 0; a < d; ++a) {
        axis.assign(d, 0.0);
        axis[a] = 1;
        geometry::solve_lower(shape, axis, column);
        part -= std::log(shape[a * d + a]) + geometry::dot(column, column) / 2;
    }
    return part;
}

Mixture started(const Labels& labels, std::size_t k) {
    Mixture mixture;
    mixture.k = k;
    mixture.responsibilities.assign(labels.size() * k, 0.0);
    for (std::size_t i = 0; i < labels.size(); ++i) mixture.responsibilities[i * k + labels[i]] = 1;
    mixture.log_likelihood = -INFINITY;
    return mixture;
}

// False where the mixture has become degenerate.
bool climb(const Points& points, Step step, Mixture& mixture, std::size_t steps) {
    for (std::size_t done = 0; done < steps; ++done) {
        const double before = mixture.log_likelihood;
        if (!step(points, mixture)) return false;
        if (mixture.log_likelihood - before < enough) break;
    }
    return true;
}

}  // namespace

bool Support::holds(const Labels& labels, std::size_t k) const {
    std::vector<std::size_t> sizes(k, 0), largest(k, 1);  // of a mode, of its largest document
    for (const std::size_t label : labels) ++sizes[label];
    if (!documents.empty()) {
        const std::size_t numbers = std::size_t{*std::ranges::max_element(documents)} + 1;
        std::vector<std::size_t> counts(k * numbers, 0);
        for (std::size_t i = 0; i < labels.size(); ++i)
            largest[labels[i]] = std::max(largest[labels[i]], ++counts[labels[i] * numbers + documents[i]]);
    }
    for (std::size_t j = 0; j < k; ++j)
        if (sizes[j] + 1 < least + largest[j] || (!documents.empty() && 3 * largest[j] > 2 * sizes[j])) return false;
    return true;
}

std::span<const double> Mixture::mean(std::size_t j) const {
    return std::span(means).subspan(j * (means.size() / k), means.size() / k);
}

Labels Mixture::labels() const {
    Labels found(responsibilities.size() / k);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto of_row = std::span(responsibilities).subspan(i * k, k);
        found[i] = static_cast<std::size_t>(std::ranges::max_element(of_row) - of_row.begin());
    }
    return found;
}

bool step_stretched(const Points& points, Mixture& mixture) {
    const std::size_t k = mixture.k, d = points.dimension;
    weigh_means(points, mixture);
    for (std::size_t j = 0; j < k; ++j)
        for (std::size_t c = 0; c < d; ++c)
            mixture.means[j * d + c] /= mixture.shares[j] * static_cast<double>(points.size());
    if (!set_shape(mixture, d)) return false;
    // log share - |L^-1 (x - mean)|^2 / 2 is linear in x but for a part that all modes have in common.
    std::vector<double> slopes(k * d), constants(k), rounded(d);
    for (std::size_t j = 0; j < k; ++j) {
        geometry::solve_lower(mixture.shape, mixture.mean(j), rounded);
        constants[j] = std::log(mixture.shares[j]) - geometry::dot(rounded, rounded) / 2;
        geometry::solve_upper(mixture.shape, rounded, std::span(slopes).subspan(j * d, d));
    }
    mixture.log_likelihood = common_part(mixture.shape, d) * static_cast<double>(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double* row = points.values.data() + i * d;
        const auto of_row = responsibilities_of(mixture, i);
        for (std::size_t j = 0; j < k; ++j) {
            of_row[j] = constants[j];
            for (std::size_t c = 0; c < d; ++c) of_row[j] += slopes[j * d + c] * row[c];
        }
        mixture.log_likelihood += normalise(of_row);
    }
    return true;
}

bool step_von_mises_fisher(const Points& points, Mixture& mixture) {
    const std::size_t k = mixture.k, d = points.dimension;
    const auto n = static_cast<double>(points.size());
    weigh_means(points, mixture);
    double r = 0;
    for (std::size_t j = 0; j < k; ++j) {
        const auto mean = std::span(mixture.means).subspan(j * d, d);
        const double length = geometry::norm(mean);
        if (!(length > 0)) return false;
        for (double& value : mean) value /= length;
        r += length / n;
    }
    if (!(1 - r * r > 0)) return false;
    mixture.kappa = r * (static_cast<double>(d) - r * r) / (1 - r * r);
    mixture.log_likelihood = n * log_von_mises_fisher_factor(static_cast<double>(d), mixture.kappa);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto of_row = responsibilities_of(mixture, i);
        for (std::size_t j = 0; j < k; ++j)
            of_row[j] = std::log(mixture.shares[j]) + mixture.kappa * geometry::dot(mixture.mean(j), points.row(i));
        mixture.log_likelihood += normalise(of_row);
    }
    return true;
}

Labels random_start(const Points& points, std::span<const double> weights, std::size_t k, RandomStream& random) {
    const std::size_t n = points.size();
    Labels nearest(n, 0);
    std::vector<double> distances(n, INFINITY);
    std::size_t chosen = random.below(n);
    for (std::size_t j = 0; j < k; ++j) {
        double total = 0;
        for (std::size_t i = 0; i < n; ++i) {
            double distance = 0;
            for (std::size_t c = 0; c < weights.size(); ++c) {
                const double off = points.values[i * weights.size() + c] - points.values[chosen * weights.size() + c];
                distance += weights[c] * off * off;
            }
            if (distance < distances[i]) {
                distances[i] = distance;
                nearest[i] = j;
            }
            total += distances[i];
        }
        double at = random.uniform() * total;
        for (chosen = 0; chosen + 1 < n && at >= distances[chosen]; ++chosen) at -= distances[chosen];
    }
    return nearest;
}

std::optional<Mixture> fit(const Points& points, std::size_t k, Step step, std::span<const Labels> starts,
                           const Support& support) {
    std::vector<Mixture> tried;
    for (const Labels& start : starts) {
        Mixture mixture = started(start, k);
        if (climb(points, step, mixture, steps_of_each_start)) tried.push_back(std::move(mixture));
    }
    std::ranges::stable_sort(tried, std::ranges::greater{}, &Mixture::log_likelihood);
    std::optional<Mixture> best;
    std::size_t followed = 0;
    for (Mixture& mixture : tried) {
        if (followed == polished) break;
        if (!climb(points, step, mixture, most_steps) || !support.holds(mixture.labels(), k)) continue;
        ++followed;
        if (!best || mixture.log_likelihood > best->log_likelihood) best = std::move(mixture);
    }
    return best;
}

double log_bessel_i(double order, double x) {
    constexpr double high_order = 24;
    const auto expansion = [x](double nu) {
        const double root = std::hypot(1.0, x / nu), t = 1 / root, t2 = t * t;
        const double eta = root + std::log(x / nu / (1 + root));
        const double u1 = t * (3 - 5 * t2) / 24;
        const double u2 = t2 * (81 + t2 * (-462 + t2 * 385)) / 1152;
        const double u3 = t * t2 * (30375 + t2 * (-369603 + t2 * (765765 - t2 * 425425))) / 414720;
        const double u4 =
            t2 * t2 * (4465125 + t2 * (-94121676 + t2 * (349922430 + t2 * (-446185740 + t2 * 185910725)))) / 39813120;
        return nu * eta - std::log(2 * std::numbers::pi * nu * root) / 2 +
               std::log1p((u1 + (u2 + (u3 + u4 / nu) / nu) / nu) / nu);
    };
    double nu = order;
    while (nu < high_order) ++nu;
    if (nu == order) return expansion(order);
    // I_{nu - 1} = I_{nu + 1} + 2 nu / x I_nu, as ratios to I_nu, which cannot overflow.
    double above = std::exp(expansion(nu + 1) - expansion(nu)), log_i = expansion(nu);
    for (; nu > order + 0.5; --nu) {
        const double below = above + 2 * nu / x;
        log_i += std::log(below);
        above = 1 / below;
    }
    return log_i;
}

double log_von_mises_fisher_factor(double d, double kappa) {
    const double order = d / 2 - 1;
    return order * std::log(kappa) - d / 2 * std::log(2 * std::numbers::pi) - log_bessel_i(order, kappa);
}

}  // namespace wordbreadth::study
