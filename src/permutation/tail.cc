#include "permutation/tail.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "permutation/pareto.h"

namespace wordbreadth::permutation {
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
