#include "study/named_pairs.h"

#include <limits>
#include <utility>

#include "engine/backend.h"
#include "engine/pair_tests.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

// Empty, or why the pair has no test.
std::string why_not(const NamedCloud& x, const NamedCloud& y) {
    if (!x.cloud) return x.reason;
    if (!y.cloud) return y.reason;
    try {
        engine::check_pair(*x.cloud, *y.cloud);
        return {};
    } catch (const InputError& error) {
        return error.what();
    }
}

TestResult untested(const NamedCloud& x, const NamedCloud& y, std::string reason, const TestOptions& options) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    TestResult result;
    result.x = x.name;
    result.y = y.name;
    result.x_source = x.origin;
    result.y_source = y.origin;
    result.n = x.rows;
    result.m = y.rows;
    result.d = x.dimension;
    result.r_x = result.r_y = result.v_x = result.v_y = none;
    result.T = result.ratio = result.standard_error = result.ci_low = result.ci_high = result.p = none;
    result.statistic = options.statistic;
    result.alternative = options.alternative;
    result.align = options.align;
    result.seed = options.seed;
    result.undefined = std::move(reason);
    return result;
}

}  // namespace

std::vector<TestResult> test_named_pairs(std::vector<NamedCloud> clouds, std::span<const Pair> pairs,
                                         const TestOptions& options) {
    std::vector<TestResult> results;
    std::vector<std::size_t> tested;  // places in `results`
    for (const Pair& pair : pairs) {
        const NamedCloud &x = clouds.at(pair.x), &y = clouds.at(pair.y);
        std::string reason = why_not(x, y);
        if (reason.empty()) tested.push_back(results.size());
        results.push_back(untested(x, y, std::move(reason), options));
    }

    std::vector<Cloud> good;
    std::vector<std::size_t> places;  // of the clouds among the good ones
    for (NamedCloud& named : clouds) {
        places.push_back(good.size());
        if (named.cloud) good.push_back(*std::move(named.cloud));
    }
    std::vector<Pair> good_pairs;
    for (const std::size_t i : tested) good_pairs.push_back({places[pairs[i].x], places[pairs[i].y]});

    std::vector<TestResult> found = test_pairs(good, good_pairs, options);
    const std::string device = found.empty() ? engine::make_backend(options.execution)->label() : found.front().device;
    for (std::size_t k = 0; k < tested.size(); ++k) results[tested[k]] = std::move(found[k]);
    for (TestResult& result : results) result.device = device;
    return results;
}

}  // namespace wordbreadth
