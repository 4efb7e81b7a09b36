#include "wordbreadth/rates.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/workers.h"
#include "engine/backend.h"
#include "permutation/distributions.h"
#include "study/many_tests.h"
#include "study/sampling.h"

namespace wordbreadth {
namespace {

// P(K > x) of Kolmogorov's distribution, 2 sum_k (-1)^(k-1) exp(-2 k^2 x^2). The sum converges slowly near 0, where the
// probability is 1 to 15 digits.
double kolmogorov_tail(double x) {
    if (x < 0.2) return 1;
    double sum = 0;
    for (int k = 1; k <= 100; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
    return std::clamp(sum, 0.0, 1.0);
}

// A GPU is one however many threads ask for it; on the CPU single tests side by side waste least.
bool runs_on_cpu(const Execution& execution) {
    const std::string label = engine::make_backend(execution)->label();
    return label.starts_with("cpu") || label.starts_with("reference");
}

}  // namespace

Rate rate_of(std::size_t hits, std::size_t trials, double confidence) {
    if (trials == 0) return {};
    const double z = permutation::normal_quantile((1 + confidence) / 2);
    const auto n = static_cast<double>(trials);
    const double share = static_cast<double>(hits) / n;
    const double centre = share + z * z / (2 * n);
    const double reach = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    const double scale = 1 + z * z / n;
    const double low = hits == 0 ? 0 : std::max(0.0, (centre - reach) / scale);
    const double high = hits == trials ? 1 : std::min(1.0, (centre + reach) / scale);
    return {hits, trials, share, low, high};
}

Uniformity uniformity(std::vector<double> values) {
    std::erase_if(values, [](double value) { return std::isnan(value); });
    if (values.empty()) return {};
    std::ranges::sort(values);
    const auto n = static_cast<double>(values.size());
    double distance = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double below = static_cast<double>(i) / n, above = static_cast<double>(i + 1) / n;
        distance = std::max({distance, above - values[i], values[i] - below});
    }
    const double root = std::sqrt(n);
    return {values.size(), distance, kolmogorov_tail((root + 0.12 + 0.11 / root) * distance)};
}

std::uint64_t study::test_seed(std::uint64_t seed, std::size_t index) {
    return study::row_priority("test", index, seed);
}

std::vector<TestResult> study::test_side_by_side(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                                 const TestOptions& options, std::size_t first) {
    if (pairs.empty()) return {};
    const Execution& execution = options.execution;
    base::Monitor monitor(static_cast<double>(pairs.size()), execution.progress, execution.stop);
    const unsigned threads = runs_on_cpu(execution) ? engine::thread_count(execution) : 1;
    base::Workers workers(static_cast<unsigned>(std::min<std::size_t>(threads, pairs.size())));
    std::vector<TestResult> results(pairs.size());
    workers.run(pairs.size(), [&](std::size_t index, std::size_t) {
        monitor.check();
        TestOptions own = options;
        own.seed = study::test_seed(options.seed, first + index);
        own.execution.threads = 1;
        own.execution.progress = {};
        results[index] = test_pairs(clouds, pairs.subspan(index, 1), own).front();
        monitor.advance(1);
    });
    return results;
}

std::vector<TestResult> test_for_rates(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                       const TestOptions& options, std::size_t first) {
    if (pairs.empty()) return {};
    if (options.permutations >= permutations_to_share || options.max_t) return test_pairs(clouds, pairs, options);
    return study::test_side_by_side(clouds, pairs, options, first);
}

std::size_t methods_on(const Execution& execution) {
    const bool has_all = execution.device != "cuda-paper";
    return static_cast<std::size_t>(std::ranges::count_if(
        methods, [&](const Method& method) { return has_all || method.statistic == Statistic::plain; }));
}

std::uint64_t study::harmless_limit(double alpha, std::uint64_t permutations) {
    return static_cast<std::uint64_t>(std::floor(alpha * (static_cast<double>(permutations) + 1))) + 1;
}

study::MethodP study::p_of_methods(std::span<const Cloud> clouds, std::span<const Pair> pairs, TestOptions options,
                                   std::size_t first) {
    const Execution whole = options.execution;
    study::MethodP p;
    const std::size_t available = methods_on(whole);
    for (std::size_t k = available; k < methods.size(); ++k) p[k].assign(pairs.size(), NAN);
    for (std::size_t k = 0; k < available; ++k) {
        options.align = methods[k].align;
        options.statistic = methods[k].statistic;
        const auto share = static_cast<double>(available);
        options.execution = study::stage(whole, static_cast<double>(k) / share, static_cast<double>(k + 1) / share);
        for (const TestResult& result : test_for_rates(clouds, pairs, options, first)) p[k].push_back(result.p);
    }
    return p;
}

Rate rejection_rate(std::span<const double> p, double alpha) {
    const auto is_rejected = [alpha](double value) { return value <= alpha; };
    const auto is_defined = [](double value) { return !std::isnan(value); };
    return rate_of(static_cast<std::size_t>(std::ranges::count_if(p, is_rejected)),
                   static_cast<std::size_t>(std::ranges::count_if(p, is_defined)));
}

}  // namespace wordbreadth
