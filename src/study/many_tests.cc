#include "study/many_tests.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/monitor.h"
#include "base/workers.h"
#include "engine/backend.h"
#include "study/sample.h"
#include "study/stage.h"

namespace wordbreadth {
namespace {

// A GPU is one however many threads ask for it; on the CPU single tests side by side waste least.
bool runs_on_cpu(const Execution& execution) {
    const std::string label = engine::make_backend(execution)->label();
    return label.starts_with("cpu") || label.starts_with("reference");
}

std::vector<TestResult> test_one_by_one(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                        const TestOptions& options, std::size_t first) {
    const Execution& execution = options.execution;
    base::Monitor monitor(static_cast<double>(pairs.size()), execution.progress, execution.stop);
    const unsigned threads = runs_on_cpu(execution) ? engine::thread_count(execution) : 1;
    base::Workers workers(static_cast<unsigned>(std::min<std::size_t>(threads, pairs.size())));
    std::vector<TestResult> results(pairs.size());
    workers.run(pairs.size(), [&](std::size_t index, std::size_t) {
        monitor.check();
        TestOptions own = options;
        own.seed = test_seed(options.seed, first + index);
        own.execution.threads = 1;
        own.execution.progress = {};
        results[index] = test_pairs(clouds, pairs.subspan(index, 1), own).front();
        monitor.advance(1);
    });
    return results;
}

}  // namespace

std::uint64_t test_seed(std::uint64_t seed, std::size_t index) {
    return row_priority("test", index, seed);
}

std::vector<TestResult> test_for_rates(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                       const TestOptions& options, std::size_t first) {
    if (pairs.empty()) return {};
    if (options.permutations >= permutations_to_share) return test_pairs(clouds, pairs, options);
    return test_one_by_one(clouds, pairs, options, first);
}

std::uint64_t harmless_limit(double alpha, std::uint64_t permutations) {
    return static_cast<std::uint64_t>(std::floor(alpha * (static_cast<double>(permutations) + 1))) + 1;
}

MethodP p_of_methods(std::span<const Cloud> clouds, std::span<const Pair> pairs, TestOptions options,
                     std::size_t first) {
    const Execution whole = options.execution;
    MethodP p;
    for (std::size_t k = 0; k < methods.size(); ++k) {
        options.align = methods[k].align;
        options.statistic = methods[k].statistic;
        const auto share = static_cast<double>(methods.size());
        options.execution = stage(whole, static_cast<double>(k) / share, static_cast<double>(k + 1) / share);
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
