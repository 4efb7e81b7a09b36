#include "wordbreadth/adjust.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

// The places of the p-values that are tests, smallest p first.
std::vector<std::size_t> ascending(std::span<const double> p) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < p.size(); ++i)
        if (!std::isnan(p[i])) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [p](std::size_t a, std::size_t b) { return p[a] < p[b]; });
    return order;
}

// The k-th smallest of K is multiplied by K - k + 1, and is never under the one before it.
void step_down(std::span<double> p, std::span<const std::size_t> order) {
    double floor = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        double& value = p[order[k]];
        floor = std::max(floor, std::min(1.0, value * static_cast<double>(order.size() - k)));
        value = floor;
    }
}

// The k-th smallest of K is multiplied by penalty * K / k, and is never over the one after it.
void step_up(std::span<double> p, std::span<const std::size_t> order, double penalty) {
    double ceiling = 1;
    for (std::size_t k = order.size(); k > 0; --k) {
        double& value = p[order[k - 1]];
        ceiling = std::min(ceiling, value * penalty * static_cast<double>(order.size()) / static_cast<double>(k));
        value = ceiling;
    }
}

double harmonic(std::size_t count) {
    double sum = 0;
    for (std::size_t k = count; k > 0; --k) sum += 1 / static_cast<double>(k);
    return sum;
}

void check(std::span<const double> p) {
    for (std::size_t i = 0; i < p.size(); ++i)
        if (p[i] < 0 || p[i] > 1)
            throw InputError("p-value " + std::to_string(i) + " is " + std::to_string(p[i]) +
                             "; expected 0 to 1, or NaN for a test that has none");
}

}  // namespace

std::vector<double> adjust(std::span<const double> p, Adjustment method) {
    check(p);
    std::vector<double> adjusted(p.begin(), p.end());
    const std::vector<std::size_t> order = ascending(p);
    switch (method) {
        case Adjustment::none:
            break;
        case Adjustment::holm:
            step_down(adjusted, order);
            break;
        case Adjustment::benjamini_hochberg:
            step_up(adjusted, order, 1);
            break;
        case Adjustment::benjamini_yekutieli:
            step_up(adjusted, order, harmonic(order.size()));
            break;
        case Adjustment::max_t:
            throw InputError(
                "p-values cannot be adjusted by maxT, which needs the permutations of all tests; ask for it when the "
                "pairs are tested");
    }
    return adjusted;
}

std::vector<double> adjusted_p(std::span<const TestResult> results, Adjustment method) {
    std::vector<double> p;
    for (const TestResult& result : results) {
        if (method == Adjustment::max_t && !result.p_max_t && result.undefined.empty())
            throw InputError(result.x + " and " + result.y +
                             ": tested without maxT, which has to be asked for when the pairs are tested");
        p.push_back(method == Adjustment::max_t ? result.p_max_t.value_or(result.p) : result.p);
    }
    return method == Adjustment::max_t ? p : adjust(p, method);
}

}  // namespace wordbreadth
