#include "study/experiment_parts.h"

#include <algorithm>

#include "study/halves.h"
#include "study/many_tests.h"

namespace wordbreadth::study {
namespace {

constexpr std::size_t batch = 500;  // words in memory at a time

void append(MethodP& to, const MethodP& from) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k].insert(to[k].end(), from[k].begin(), from[k].end());
}

PerMethod<Uniformity> uniformity_of(const MethodP& p) {
    PerMethod<Uniformity> found;
    for (std::size_t k = 0; k < p.size(); ++k) found[k] = uniformity(p[k]);
    return found;
}

void test_batch(SplitHalf& result, const Store& store, const Halves& some, const SplitHalfOptions& options,
                const Execution& execution) {
    const std::size_t first = result.words.size();
    for (const std::size_t word : some.words) {
        result.words.push_back(store.words()[word].word);
        result.totals.push_back(store.words()[word].rows);
    }
    TestOptions tests;
    tests.permutations = options.permutations;
    tests.seed = options.seed;
    tests.alternative = Alternative::greater;
    tests.execution = stage(execution, 0, 0.5);
    append(result.greater, p_of_methods(some.clouds, some.tests, tests, first));
    tests.alternative = Alternative::two_sided;
    tests.execution = stage(execution, 0.5, 1);
    append(result.two_sided, p_of_methods(some.clouds, some.tests, tests, first));
}

}  // namespace

SplitHalf split_half(const Store& store, const SplitHalfOptions& options) {
    const std::size_t n = options.rows / 2, m = options.rows - n;
    const auto has_enough = [&](const auto& word) { return word.rows >= options.rows; };
    const auto words = static_cast<std::size_t>(std::ranges::count_if(store.words(), has_enough));
    const HalvesOptions how{n, m, false, std::max<std::size_t>(words, 1), options.seed, options.execution};
    SplitHalf result{n, m, {}, {}, {}, {}, {}, {}};
    for (std::size_t begin = 0; begin < how.count; begin += batch) {
        const std::size_t end = std::min(begin + batch, how.count);
        const auto share = [&](std::size_t at) { return static_cast<double>(at) / static_cast<double>(how.count); };
        test_batch(result, store, halves(store, how, begin, end), options,
                   stage(options.execution, share(begin), share(end)));
    }
    result.greater_uniformity = uniformity_of(result.greater);
    result.two_sided_uniformity = uniformity_of(result.two_sided);
    return result;
}

}  // namespace wordbreadth::study
