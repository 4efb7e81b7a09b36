#include "wordbreadth/gap_pairs.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "base/strings.h"
#include "study/many_tests.h"
#include "study/sampling.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

// Rows that words are ranked on, and rows that they are tested on. Without cross-fitting these are the same.
struct Sizes {
    std::size_t ranked = 0;
    std::size_t tested = 0;
    std::size_t needed = 0;
};

Sizes sizes_of(const Store& store, const GapOptions& options) {
    const std::size_t fewest = options.cross_fit ? 4 : 2;  // two in each half
    const std::size_t size =
        study::common_size(store, options.common_size, fewest, options.cross_fit ? "cross-fitting" : "breadth").rows;
    if (!options.cross_fit) return {size, size, size};
    return {size / 2, size - size / 2, size};
}

std::size_t count_at(const Store& store, std::size_t words, std::size_t gap, const GapOptions& options) {
    const std::size_t there = words > gap ? words - gap : 0;
    const std::string found = store.folder() + ": has " + base::count_of(words, "word") + " that can be ranked, so ";
    if (there == 0)
        throw InputError(found + "no two of them are " + std::to_string(gap) + " ranks apart; expected at least " +
                         std::to_string(gap + 1) + " words, or a smaller gap");
    if (options.count && *options.count > there)
        throw InputError(found + base::count_of(there, "pair") + (there == 1 ? " is " : " are ") + std::to_string(gap) +
                         " ranks apart; expected at least " + std::to_string(*options.count) +
                         ": ask for fewer pairs, or extract more words");
    return options.count.value_or(std::min(options.usual_count, there));
}

std::vector<RankedWord> ranked_words(const Store& store, const Sizes& sizes, const GapOptions& options) {
    Ranking ranking = rank(store, {options.by, sizes.ranked, options.seed, options.execution});
    std::erase_if(ranking.words, [&](const RankedWord& word) { return word.rows < sizes.needed; });
    return std::move(ranking.words);
}

// Adds the clouds of the words in the pairs, and drops the pairs that lack one.
void add_clouds(GapPairs& result, const Store& store, const Sizes& sizes, const GapOptions& options) {
    std::map<std::size_t, std::size_t> places;  // of the clouds, by their words' places in the ranking
    for (const GapPair& pair : result.pairs) places[pair.x] = places[pair.y] = 0;
    std::vector<std::size_t> wanted;
    for (const auto& [word, place] : places) wanted.push_back(word);
    auto clouds = study::make_clouds(
        wanted.size(),
        [&](std::size_t k) {
            const RankedWord& word = result.words[wanted[k]];
            const std::size_t before = sizes.needed - sizes.tested;
            const study::RowSplit split = study::split_rows(word.word, word.rows, before, sizes.tested, options.seed);
            return study::cloud_of(store, store.find(word.word), split.second, options.blocks);
        },
        options.execution);
    for (std::size_t k = 0; k < clouds.size(); ++k) {
        if (!clouds[k]) {
            places.erase(wanted[k]);
            continue;
        }
        places[wanted[k]] = result.clouds.size();
        result.clouds.push_back(std::move(*clouds[k]));
    }
    result.dropped = std::erase_if(
        result.pairs, [&](const GapPair& pair) { return !places.contains(pair.x) || !places.contains(pair.y); });
    for (const GapPair& pair : result.pairs) result.tests.push_back({places[pair.x], places[pair.y]});
}

TestOptions test_options(const GapTestOptions& options, double from, double to) {
    TestOptions tests;
    tests.permutations = options.permutations;
    tests.seed = options.pairs.seed;
    tests.alternative = options.alternative;
    tests.adaptive = options.adaptive ? study::harmless_limit(options.alpha, options.permutations) : 0;
    tests.execution = study::stage(options.pairs.execution, from, to);
    return tests;
}

// p of every pair, method by method. The block test comes last, where the clouds know their documents.
std::vector<std::vector<double>> p_of(const GapPairs& found, const GapTestOptions& options, GapTests& tests) {
    tests.methods.resize(methods_on(options.pairs.execution));
    const bool blocks =
        tests.methods.size() == methods.size() && !found.clouds.empty() && !found.clouds.front().blocks().empty();
    const double rows_end = blocks ? 0.7 : 1;
    const study::MethodP of_rows = study::p_of_methods(found.clouds, found.tests, test_options(options, 0.2, rows_end));
    std::vector<std::vector<double>> p(of_rows.begin(),
                                       of_rows.begin() + static_cast<std::ptrdiff_t>(tests.methods.size()));
    if (!blocks) return p;
    TestOptions of_blocks = test_options(options, rows_end, 1);
    of_blocks.statistic = Statistic::blocks;
    tests.methods.push_back({of_blocks.align, of_blocks.statistic});
    p.emplace_back();
    for (const TestResult& result : test_for_rates(found.clouds, found.tests, of_blocks)) p.back().push_back(result.p);
    return p;
}

bool is_rejected(const TestedPair& pair, std::size_t method, double alpha) {
    return pair.p[method] <= alpha;  // NaN is not
}

GapRates rates_of(std::span<const TestedPair> pairs, const GapTests& tests) {
    const auto differ = [](const TestedPair& pair) { return pair.senses_x != pair.senses_y; };
    GapRates rates{pairs.empty() ? 0 : pairs.front().gap, pairs.size(), {}, {}, {}};
    rates.differing = rate_of(static_cast<std::size_t>(std::ranges::count_if(pairs, differ)), pairs.size());
    for (std::size_t k = 0; k < tests.methods.size(); ++k) {
        std::vector<double> p;
        std::size_t right = 0;
        for (const TestedPair& pair : pairs) {
            p.push_back(pair.p[k]);
            right += is_rejected(pair, k, tests.alpha) && differ(pair);
        }
        rates.rejected.push_back(rejection_rate(p, tests.alpha));
        rates.precision.push_back(rate_of(right, rates.rejected[k].hits));
    }
    return rates;
}

}  // namespace

std::vector<GapPair> study::pairs_at_gap(std::size_t words, std::size_t gap, std::size_t count, std::uint64_t seed) {
    std::vector<GapPair> pairs;
    for (const std::size_t x : study::sample_rows("gap " + std::to_string(gap), words - gap, count, seed))
        pairs.push_back({gap, x, x + gap});
    return pairs;
}

GapPairs gap_pairs(const Store& store, const GapOptions& options) {
    study::require_gaps("gaps", options.gaps);
    if (options.count) study::require_any("count", *options.count);
    const Sizes sizes = sizes_of(store, options);
    GapPairs result;
    result.words = ranked_words(store, sizes, options);
    result.rows = sizes.tested;
    for (const std::size_t gap : options.gaps) {
        const std::size_t count = count_at(store, result.words.size(), gap, options);
        const std::vector<GapPair> more = study::pairs_at_gap(result.words.size(), gap, count, options.seed);
        result.pairs.insert(result.pairs.end(), more.begin(), more.end());
    }
    add_clouds(result, store, sizes, options);
    return result;
}

GapTests test_gaps(const Store& store, const GapTestOptions& options, const WordNet* wordnet) {
    GapOptions how = options.pairs;
    how.execution = study::stage(options.pairs.execution, 0, 0.2);
    const GapPairs found = gap_pairs(store, how);
    GapTests tests;
    tests.cross_fitted = how.cross_fit;
    tests.alternative = options.alternative;
    tests.alpha = options.alpha;
    tests.words = found.words.size();
    tests.rows = found.rows;
    tests.dropped = found.dropped;
    const std::vector<std::vector<double>> p = p_of(found, options, tests);
    const auto senses = [&](const std::string& word) { return wordnet != nullptr ? wordnet->senses(word).all() : 0; };
    for (std::size_t i = 0; i < found.pairs.size(); ++i) {
        const RankedWord& x = found.words[found.pairs[i].x];
        const RankedWord& y = found.words[found.pairs[i].y];
        TestedPair pair{found.pairs[i].gap, x.word,         y.word,         x.breadth.v,
                        y.breadth.v,        senses(x.word), senses(y.word), {}};
        for (const std::vector<double>& of_method : p) pair.p.push_back(of_method[i]);
        tests.pairs.push_back(std::move(pair));
    }
    return tests;
}

std::vector<GapRates> rates_by_gap(const GapTests& tests) {
    std::vector<GapRates> rates;
    for (auto begin = tests.pairs.begin(); begin != tests.pairs.end();) {
        const auto end =
            std::find_if(begin, tests.pairs.end(), [&](const auto& pair) { return pair.gap != begin->gap; });
        rates.push_back(rates_of({begin, end}, tests));
        begin = end;
    }
    return rates;
}

GapRates rates_of_all(const GapTests& tests) {
    return rates_of(tests.pairs, tests);
}

// Rates of one gap have the same number of trials but for undefined tests, so that equal values are equal counts.
GapScore rejection_score(const std::vector<GapRates>& rates) {
    GapScore score;
    for (const GapRates& gap : rates) {
        score.wins += gap.rejected[1].value < gap.rejected[0].value;
        score.ties += gap.rejected[1].value == gap.rejected[0].value;
        score.losses += gap.rejected[1].value > gap.rejected[0].value;
    }
    return score;
}

GapScore precision_score(const std::vector<GapRates>& rates) {
    GapScore score;
    for (const GapRates& gap : rates) {
        score.wins += gap.precision[1].value > gap.precision[0].value;
        score.ties += gap.precision[1].value == gap.precision[0].value;
        score.losses += gap.precision[1].value < gap.precision[0].value;
    }
    return score;
}

}  // namespace wordbreadth
