#include "wordbreadth/calibrate.h"

#include <algorithm>
#include <cmath>

#include "study/halves.h"
#include "study/many_tests.h"
#include "study/sampling.h"
#include "wordbreadth/error.h"
#include "wordbreadth/gap_pairs.h"

namespace wordbreadth {
namespace {

constexpr std::size_t fewest_to_halve = 10;  // a fifth of them is a cloud
constexpr std::size_t batch = 500;           // pairs in memory at a time

TestOptions test_options(const CalibrateOptions& options, bool adaptive) {
    TestOptions tests;
    tests.permutations = options.permutations;
    tests.seed = options.seed;
    if (adaptive) tests.adaptive = study::harmless_limit(std::ranges::max(options.alphas), options.permutations);
    return tests;
}

NullRates summary(NullKind kind, std::size_t n, std::size_t m, const study::MethodP& p,
                  const std::vector<double>& alphas) {
    NullRates rates{kind, n, m, p[0].size(), {}};
    for (std::size_t k = 0; k < methods.size(); ++k) {
        for (const double alpha : alphas) rates.methods[k].rates.push_back(rejection_rate(p[k], alpha));
        rates.methods[k].uniformity = uniformity(p[k]);
        rates.methods[k].undefined = rates.tests - rates.methods[k].uniformity.n;
    }
    return rates;
}

// The test of uniformity looks at every p, so those of split halves are counted to the end.
NullRates rates_of_halves(const Store& store, NullKind kind, const CalibrateOptions& options,
                          const Execution& execution) {
    const bool unequal = kind == NullKind::unequal_halves, turned = kind != NullKind::split_halves;
    const std::size_t first = options.common_size / (unequal ? 5 : 2), second = options.common_size - first;
    const study::HalvesOptions how{first, second, turned, options.count, options.seed, execution};
    TestOptions tests = test_options(options, options.adaptive && turned);
    study::MethodP p;
    for (std::size_t begin = 0; begin < options.count; begin += batch) {
        const auto share = [&](std::size_t at) { return static_cast<double>(at) / static_cast<double>(options.count); };
        const std::size_t end = std::min(begin + batch, options.count);
        const study::Halves some = study::halves(store, how, begin, end);
        tests.execution = study::stage(execution, share(begin), share(end));
        const study::MethodP more = study::p_of_methods(some.clouds, some.tests, tests, begin);
        for (std::size_t k = 0; k < p.size(); ++k) p[k].insert(p[k].end(), more[k].begin(), more[k].end());
    }
    return summary(kind, first, second, p, options.alphas);
}

NullRates rates_of_neighbours(const Store& store, const CalibrateOptions& options, const Execution& execution) {
    GapOptions how;
    how.gaps = {1};
    how.usual_count = options.count;
    how.cross_fit = true;
    how.common_size = options.common_size;
    how.seed = options.seed;
    how.execution = study::stage(execution, 0, 0);
    const GapPairs pairs = gap_pairs(store, how);
    TestOptions tests = test_options(options, options.adaptive);
    tests.execution = execution;
    return summary(NullKind::neighbours, pairs.rows, pairs.rows, study::p_of_methods(pairs.clouds, pairs.tests, tests),
                   options.alphas);
}

bool passes(const Calibration& calibration, std::size_t method) {
    for (const NullRates& null : calibration.nulls) {
        if (null.kind == NullKind::neighbours) continue;  // these may differ a little in truth
        for (std::size_t a = 0; a < calibration.options.alphas.size(); ++a)
            if (is_surely_above(null.methods[method].rates[a], calibration.options.alphas[a])) return false;
    }
    return true;
}

void judge(Calibration& calibration) {
    for (std::size_t k = 0; k < methods.size(); ++k) calibration.trusted[k] = passes(calibration, k);
    for (const Method& method : preference) {
        const auto k = static_cast<std::size_t>(std::ranges::find(methods, method) - methods.begin());
        if (!calibration.recommended && calibration.trusted[k]) calibration.recommended = method;
    }
}

}  // namespace

bool is_surely_above(const Rate& rate, double alpha) {
    return rate_of(rate.hits, rate.trials, 0.999).low > alpha;
}

Calibration calibrate(const Store& store, CalibrateOptions options) {
    options.common_size = study::common_size(store, options.common_size, fewest_to_halve, "calibration").rows;
    const auto has_enough = [&](const auto& word) { return word.rows >= options.common_size; };
    Calibration result{store.folder(), options, 0, {}, {}, {}};
    result.words = static_cast<std::size_t>(std::ranges::count_if(store.words(), has_enough));
    const Execution& execution = options.execution;
    result.nulls.push_back(rates_of_halves(store, NullKind::split_halves, options, study::stage(execution, 0, 0.4)));
    result.nulls.push_back(rates_of_halves(store, NullKind::turned_halves, options, study::stage(execution, 0.4, 0.6)));
    result.nulls.push_back(
        rates_of_halves(store, NullKind::unequal_halves, options, study::stage(execution, 0.6, 0.85)));
    result.nulls.push_back(rates_of_neighbours(store, options, study::stage(execution, 0.85, 1)));
    judge(result);
    return result;
}

}  // namespace wordbreadth
