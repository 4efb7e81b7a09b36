#include "wordbreadth/adjust.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <unordered_map>

#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

// Tests with equal p have equal adjusted p, and of many tests most have: a p-value with how many tests it has.
struct Step {
    double p;
    std::size_t tests;
};

// Smallest p first.
std::vector<Step> ascending(std::span<const double> p) {
    std::unordered_map<double, std::size_t> tests;
    for (const double each : p)
        if (!std::isnan(each)) ++tests[each];
    std::vector<Step> steps;
    for (const auto& [each, count] : tests) steps.push_back({each, count});
    std::ranges::sort(steps, {}, &Step::p);
    return steps;
}

std::size_t tests_of(std::span<const Step> steps) {
    std::size_t all = 0;
    for (const Step& step : steps) all += step.tests;
    return all;
}

// The k-th smallest of K is multiplied by K - k + 1, and is never under the one before it.
std::vector<double> step_down(std::span<const Step> steps) {
    std::vector<double> adjusted;
    std::size_t left = tests_of(steps);  // of equals the first counts, which is multiplied by most
    for (const Step& step : steps) {
        const double value = std::min(1.0, step.p * static_cast<double>(left));
        adjusted.push_back(adjusted.empty() ? value : std::max(adjusted.back(), value));
        left -= step.tests;
    }
    return adjusted;
}

// The k-th smallest of K is multiplied by penalty * K / k, and is never over the one after it.
std::vector<double> step_up(std::span<const Step> steps, double penalty) {
    std::vector<double> adjusted(steps.size());
    const std::size_t all = tests_of(steps);
    std::size_t rank = all;  // of equals the last counts
    double ceiling = 1;
    for (std::size_t k = steps.size(); k-- > 0; rank -= steps[k].tests)
        adjusted[k] = ceiling =
            std::min(ceiling, steps[k].p * penalty * static_cast<double>(all) / static_cast<double>(rank));
    return adjusted;
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
    if (method == Adjustment::none) return adjusted;
    if (method == Adjustment::max_t)
        throw InputError(
            "p-values cannot be adjusted by maxT, which needs the permutations of all tests; ask for it when the "
            "pairs are tested");
    const std::vector<Step> steps = ascending(p);
    const double penalty = method == Adjustment::benjamini_yekutieli ? harmonic(tests_of(steps)) : 1;
    const std::vector<double> values = method == Adjustment::holm ? step_down(steps) : step_up(steps, penalty);
    std::unordered_map<double, double> adjusted_of;
    for (std::size_t k = 0; k < steps.size(); ++k) adjusted_of.emplace(steps[k].p, values[k]);
    for (double& each : adjusted)
        if (!std::isnan(each)) each = adjusted_of.at(each);
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

std::vector<double> adjusted_p(const TestResults& results, Adjustment method) {
    if (method != Adjustment::max_t) return adjust(results.p, method);
    if (results.p_max_t.size() != results.size())
        throw InputError("the pairs were tested without maxT, which has to be asked for when they are tested");
    return results.p_max_t;
}

}  // namespace wordbreadth
