#include "study/gap_tests.h"

#include <algorithm>
#include <span>

#include "study/many_tests.h"
#include "study/stage.h"

namespace wordbreadth {
namespace {

TestOptions test_options(const GapTestOptions& options) {
    TestOptions tests;
    tests.permutations = options.permutations;
    tests.seed = options.pairs.seed;
    tests.adaptive = options.adaptive ? harmless_limit(options.alpha, options.permutations) : 0;
    tests.execution = stage(options.pairs.execution, 0.2, 1);
    return tests;
}

bool is_rejected(const TestedPair& pair, std::size_t method, double alpha) {
    return pair.p[method] <= alpha;  // NaN is not
}

GapRates rates_of(std::span<const TestedPair> pairs, double alpha) {
    const auto differ = [](const TestedPair& pair) { return pair.senses_x != pair.senses_y; };
    GapRates rates{pairs.empty() ? 0 : pairs.front().gap, pairs.size(), {}, {}, {}};
    rates.differing = rate_of(static_cast<std::size_t>(std::ranges::count_if(pairs, differ)), pairs.size());
    for (std::size_t k = 0; k < methods.size(); ++k) {
        std::vector<double> p;
        std::size_t right = 0;
        for (const TestedPair& pair : pairs) {
            p.push_back(pair.p[k]);
            right += is_rejected(pair, k, alpha) && differ(pair);
        }
        rates.rejected[k] = rejection_rate(p, alpha);
        rates.precision[k] = rate_of(right, rates.rejected[k].hits);
    }
    return rates;
}

}  // namespace

GapTests test_gaps(const store::CloudStore& store, const GapTestOptions& options, const lexicon::WordNet* wordnet) {
    GapOptions how = options.pairs;
    how.execution = stage(options.pairs.execution, 0, 0.2);
    const GapPairs found = gap_pairs(store, how);
    const MethodP p = p_of_methods(found.clouds, found.tests, test_options(options));
    GapTests tests{how.cross_fit, options.alpha, found.words.size(), found.rows, found.dropped, {}};
    const auto senses = [&](const std::string& word) { return wordnet != nullptr ? wordnet->senses(word).all() : 0; };
    for (std::size_t i = 0; i < found.pairs.size(); ++i) {
        const RankedWord& x = found.words[found.pairs[i].x];
        const RankedWord& y = found.words[found.pairs[i].y];
        TestedPair pair{found.pairs[i].gap, x.word,         y.word,         x.breadth.v,
                        y.breadth.v,        senses(x.word), senses(y.word), {}};
        for (std::size_t k = 0; k < methods.size(); ++k) pair.p[k] = p[k][i];
        tests.pairs.push_back(std::move(pair));
    }
    return tests;
}

std::vector<GapRates> rates_by_gap(const GapTests& tests) {
    std::vector<GapRates> rates;
    for (auto begin = tests.pairs.begin(); begin != tests.pairs.end();) {
        const auto end =
            std::find_if(begin, tests.pairs.end(), [&](const auto& pair) { return pair.gap != begin->gap; });
        rates.push_back(rates_of({begin, end}, tests.alpha));
        begin = end;
    }
    return rates;
}

GapRates rates_of_all(const GapTests& tests) {
    return rates_of(tests.pairs, tests.alpha);
}

}  // namespace wordbreadth
