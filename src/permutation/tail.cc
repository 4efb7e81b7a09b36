#include "permutation/tail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "permutation/philox.h"

namespace wordbreadth::permutation {
namespace {

// From here down the likelihood only grows towards the largest value: a peak found there is not one.
constexpr double least_shape = -1;

double mean(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

// The likelihood along its ridge. The place on it is s = log(1 + theta * largest value): any real s is a valid theta,
// 0 is the exponential distribution, and a step of 1 is a sensible step for samples of any scale.
class Profile {
  public:
    explicit Profile(std::span<const double> ascending) : values_(ascending), mean_(mean(ascending)) {}

    [[nodiscard]] Pareto at(double s) const {
        const double theta_largest = std::expm1(s);
        if (std::abs(theta_largest) < 1e-9) return {0, mean_};
        const double factor = theta_largest / values_.back();
        double sum = s;  // the largest value's own term, which would round to log(0) for a far negative s
        for (const double value : values_.first(values_.size() - 1)) sum += std::log1p(factor * value);
        const double shape = sum / static_cast<double>(values_.size());
        return {shape, shape / factor};
    }

    // Mean log likelihood, up to a constant.
    [[nodiscard]] double operator()(double s) const {
        const Pareto fit = at(s);
        return -std::log(fit.scale) - fit.shape;
    }

  private:
    std::span<const double> values_;
    double mean_;
};

struct Bracket {
    double low, high;
};

// Climbs from the exponential distribution in unit steps until the likelihood falls on both sides. Nothing when it
// still rises at the end of a range that no sample with a finite mean and a local maximum reaches.
std::optional<Bracket> climb(const Profile& likelihood) {
    constexpr double furthest = 40;
    double here = likelihood(0);
    const double right = likelihood(1);
    const double step = right > here ? 1 : -1;
    double s = 0;
    double next = right > here ? right : likelihood(-1);
    while (next > here) {
        s += step;
        if (std::abs(s) >= furthest) return std::nullopt;
        here = next;
        next = likelihood(s + step);
    }
    return Bracket{s - 1, s + 1};
}

// Golden-section search for the maximum of a function with one peak between the bounds.
double peak(const Profile& likelihood, Bracket bracket) {
    constexpr double ratio = 0.6180339887498949;
    constexpr double precise_enough = 1e-5;  // in s; the sampling error of s is thousands of times larger
    double a = bracket.high - ratio * (bracket.high - bracket.low);
    double b = bracket.low + ratio * (bracket.high - bracket.low);
    double at_a = likelihood(a);
    double at_b = likelihood(b);
    while (bracket.high - bracket.low > precise_enough) {
        if (at_a > at_b) {
            bracket.high = b;
            b = a;
            at_b = at_a;
            a = bracket.high - ratio * (bracket.high - bracket.low);
            at_a = likelihood(a);
        } else {
            bracket.low = a;
            a = b;
            at_a = at_b;
            b = bracket.low + ratio * (bracket.high - bracket.low);
            at_b = likelihood(b);
        }
    }
    return (bracket.low + bracket.high) / 2;
}

std::optional<Pareto> by_likelihood(std::span<const double> ascending) {
    const Profile likelihood(ascending);
    const std::optional<Bracket> bracket = climb(likelihood);
    if (!bracket) return std::nullopt;
    const Pareto fit = likelihood.at(peak(likelihood, *bracket));
    if (fit.shape <= least_shape) return std::nullopt;
    return fit;
}

std::optional<Pareto> by_moments(std::span<const double> ascending) {
    const auto n = static_cast<double>(ascending.size());
    const double a0 = mean(ascending);
    double a1 = 0;
    for (std::size_t i = 0; i < ascending.size(); ++i)
        a1 += ascending[i] * (1 - (static_cast<double>(i) + 0.65) / n);  // plotting position (i - 0.35) / n, i from 1
    a1 /= n;
    const double difference = a0 - 2 * a1;
    const Pareto fit{2 - a0 / difference, 2 * a0 * a1 / difference};
    const bool possible = fit.scale > 0 && std::isfinite(fit.log_survival(ascending.back()));
    return possible ? std::optional(fit) : std::nullopt;
}

}  // namespace

double Pareto::log_survival(double x) const {
    if (x <= 0) return 0;
    if (shape == 0) return -x / scale;
    const double stretched = shape * x / scale;
    if (stretched <= -1) return -std::numeric_limits<double>::infinity();
    return -std::log1p(stretched) / shape;
}

std::optional<Pareto> fit_pareto(std::span<const double> ascending) {
    const std::optional<Pareto> fit = by_likelihood(ascending);
    return fit ? fit : by_moments(ascending);
}

namespace {

// Drawing stops at the h-th sample that fits worse (p = h / L, Besag and Clifford 1991). With h = 20 of 400 a
// stop means p >= 0.05: drawing ends early exactly when the fit is accepted at that level.
constexpr std::uint32_t worse_fits_needed = 20;
constexpr std::uint32_t most_samples = 400;
// A fit whose p is 0.05 or more has no worse one among this many with a chance under 0.006; giving up spares the
// rest of the samples on each of many thresholds.
constexpr std::uint32_t hopeless_after = 100;

// Uniform on (0, 1), never an end.
double uniform(std::uint32_t number) {
    return (static_cast<double>(number) + 0.5) * 0x1p-32;
}

// Sample number `index` of the distribution with this shape and scale 1 (A^2 does not depend on the scale), sorted.
void draw(double shape, std::uint32_t index, std::span<double> sample) {
    constexpr std::array<std::uint32_t, 2> key{0x7A11F175,
                                               0x9A4E7057};  // any constant: the samples are always the same
    for (std::size_t i = 0; i < sample.size(); i += 4) {
        const auto numbers = philox({static_cast<std::uint32_t>(i / 4), index, 0, 0}, key);
        for (std::size_t lane = 0; lane < 4 && i + lane < sample.size(); ++lane) {
            const double exponential = -std::log(uniform(numbers[lane]));
            sample[i + lane] = shape == 0 ? exponential : std::expm1(shape * exponential) / shape;
        }
    }
    std::sort(sample.begin(), sample.end());
}

}  // namespace

double anderson_darling(std::span<const double> ascending, const Pareto& fit) {
    const std::size_t n = ascending.size();
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double log_above = fit.log_survival(ascending[i]);
        const double log_below = std::log(-std::expm1(log_above));
        sum += (2 * static_cast<double>(i) + 1) * log_below + (2 * static_cast<double>(n - i) - 1) * log_above;
    }
    const double a2 = -static_cast<double>(n) - sum / static_cast<double>(n);
    return std::isnan(a2) ? std::numeric_limits<double>::infinity() : a2;
}

double goodness_of_fit(std::span<const double> ascending, const Pareto& fit) {
    const double observed = anderson_darling(ascending, fit);
    if (std::isinf(observed)) return 0;
    std::vector<double> sample(ascending.size());
    std::uint32_t worse = 0;
    for (std::uint32_t index = 1; index <= most_samples; ++index) {
        draw(fit.shape, index, sample);
        const std::optional<Pareto> refit = fit_pareto(sample);
        if (refit && anderson_darling(sample, *refit) >= observed) ++worse;
        if (worse == worse_fits_needed) return static_cast<double>(worse) / index;
        if (worse == 0 && index == hopeless_after) return 1.0 / (index + 1);
    }
    return static_cast<double>(1 + worse) / (most_samples + 1);
}

namespace {

constexpr std::size_t step = 10;
// Fewer values fit anything: the goodness-of-fit test could no longer refuse, and the shape would be noise.
constexpr std::size_t fewest_tail_values = 50;
constexpr double acceptable_fit = 0.05;
// A fitted tail without a finite mean is a heap of values far above another, stretched until one curve passes both.
constexpr double heaviest_shape = 1;

struct Tail {
    double threshold;
    std::vector<double> excesses;  // over the threshold, ascending
};

// The `count` largest values over a threshold midway between the last of them and the next one.
Tail cut(std::span<const double> descending, std::size_t count) {
    Tail tail;
    tail.threshold = descending[count] + (descending[count - 1] - descending[count]) / 2;
    tail.excesses.resize(count);
    for (std::size_t i = 0; i < count; ++i) tail.excesses[count - 1 - i] = descending[i] - tail.threshold;
    return tail;
}

std::optional<TailEstimate> describe(const Tail& tail, double observed, std::uint64_t permutations) {
    const std::optional<Pareto> fit = fit_pareto(tail.excesses);
    if (!fit || fit->shape >= heaviest_shape) return std::nullopt;
    const double share = static_cast<double>(tail.excesses.size()) / static_cast<double>(permutations);
    TailEstimate estimate;
    estimate.p = share * std::exp(fit->log_survival(observed - tail.threshold));
    estimate.shape = fit->shape;
    estimate.scale = fit->scale;
    estimate.exceedances = tail.excesses.size();
    estimate.goodness_of_fit = goodness_of_fit(tail.excesses, *fit);
    return estimate;
}

}  // namespace

std::optional<TailEstimate> estimate_tail(std::span<const double> largest_descending, double observed,
                                          std::uint64_t permutations) {
    // More than a quarter of a distribution is not its tail.
    const std::uint64_t most = std::min<std::uint64_t>(most_tail_values, permutations / 4);
    if (!std::isfinite(observed) || largest_descending.size() <= most || most < fewest_tail_values) return std::nullopt;
    const auto values = largest_descending.first(static_cast<std::size_t>(most) + 1);
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
        return std::nullopt;

    for (std::size_t count = values.size() - 1; count >= fewest_tail_values; count -= step) {
        const Tail tail = cut(values, count);
        if (!(tail.excesses.front() > 0)) continue;  // tied with the next value: no threshold between them
        if (!(observed > tail.threshold)) return std::nullopt;
        const std::optional<TailEstimate> estimate = describe(tail, observed, permutations);
        if (!estimate || estimate->goodness_of_fit < acceptable_fit) continue;
        // A bounded tail that ends before the observed value says p = 0, which no permutation test can claim: the
        // observed split is one of the splits. The end is the least certain part of the fit, so nothing is said.
        if (estimate->p <= 0) return std::nullopt;
        return estimate;
    }
    return std::nullopt;
}

void TopValues::add(double value) {
    if (std::isnan(value)) value = std::numeric_limits<double>::infinity();
    const bool full = heap_.size() == capacity_;
    if (full && (capacity_ == 0 || value <= heap_.front())) return;
    if (full) {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        heap_.back() = value;
    } else {
        heap_.push_back(value);
    }
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void TopValues::merge(const TopValues& other) {
    const std::vector<double> values = other.heap_;  // a copy, in case `other` is this one
    for (const double value : values) add(value);
}

std::vector<double> TopValues::descending() const {
    std::vector<double> values = heap_;
    std::sort(values.begin(), values.end(), std::greater<>());
    return values;
}

}  // namespace wordbreadth::permutation
