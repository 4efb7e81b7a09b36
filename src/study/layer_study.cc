#include "wordbreadth/layer_study.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "base/strings.h"
#include "base/workers.h"
#include "engine/backend.h"
#include "study/many_tests.h"
#include "study/random_stream.h"
#include "study/sampling.h"
#include "wordbreadth/breadth.h"
#include "wordbreadth/error.h"
#include "wordbreadth/layers.h"

namespace wordbreadth {
namespace {

constexpr std::size_t batch = 500;        // pairs in memory at a time
constexpr std::size_t fewest_words = 10;  // of a correlation that is worth an interval
enum Purpose : std::uint64_t { drawing_pairs = 1, drawing_words = 2 };

using Values = std::vector<double>;

base::Workers workers_for(std::size_t work, const Execution& execution) {
    return base::Workers(static_cast<unsigned>(std::clamp<std::size_t>(work, 1, engine::thread_count(execution))));
}

std::vector<Store> open_layers(const std::string& folder) {
    std::vector<Store> stores;
    for (const std::string& layer : describe_store(folder, 0).layers) stores.emplace_back(folder, layer);
    if (stores.size() == 1)
        throw InputError(folder + ": has one layer only; extract the corpus with several to compare them");
    return stores;
}

// The default layer, or else the last.
std::size_t reference_of(const std::vector<Store>& stores) {
    const auto model_layers = base::number_in<std::size_t>(stores.front().setting("model layers"));
    for (std::size_t i = 0; model_layers && i < stores.size(); ++i)
        if (stores[i].layer() == std::to_string(default_layer(*model_layers))) return i;
    return stores.size() - 1;
}

bool documents_of(const Store& store, std::optional<bool> asked) {
    const bool known = !store.documents(0).empty();
    if (asked.value_or(false) && !known)
        throw InputError(store.folder() + ": all rows are of one document; compare layers by rows");
    return asked.value_or(known);
}

std::optional<Cloud> cloud_of(const Store& store, std::size_t word, bool documents) {
    std::vector<std::size_t> rows(store.words()[word].rows);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return study::cloud_of(store, word, rows, documents);
}

// Of each layer the breadth of each word; NaN where it has none.
std::vector<Values> breadths_of(const std::vector<Store>& stores, bool documents, const Execution& execution) {
    const Timing::Stage measuring(execution.timing, "breadths and errors");
    const std::size_t words = stores.front().words().size();
    std::vector<Values> breadths(stores.size(), Values(words, NAN));
    const base::Monitor monitor(1, {}, execution.stop);
    workers_for(words, execution).run(words, [&](std::size_t word, std::size_t) {
        monitor.check();
        for (std::size_t layer = 0; layer < stores.size(); ++layer)
            if (const auto cloud = cloud_of(stores[layer], word, documents))
                breadths[layer][word] = breadth(*cloud).breadth;
    });
    return breadths;
}

// ---- Correlations

double correlation_of_ranks(const Values& a, const Values& b) {
    const double mean = static_cast<double>(a.size() - 1) / 2;
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ab += (a[i] - mean) * (b[i] - mean);
        aa += (a[i] - mean) * (a[i] - mean);
        bb += (b[i] - mean) * (b[i] - mean);
    }
    return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : NAN;
}

// Of words that were drawn: their ranks, given those of their frequencies.
double partial_correlation(const Values& x, const Values& y, const Values& given) {
    const double xy = correlation_of_ranks(x, y), xz = correlation_of_ranks(x, given),
                 yz = correlation_of_ranks(y, given);
    if (std::isnan(xz) || std::isnan(yz)) return xy;  // all frequencies are equal
    return (xy - xz * yz) / std::sqrt((1 - xz * xz) * (1 - yz * yz));
}

// A property of some words, and what it is compared with.
struct Property {
    Values values, frequencies;
    std::vector<Values> breadths;  // of each layer
};

// Of each layer, from the words with these numbers.
Values partial_correlations(const Property& of, std::span<const std::size_t> words) {
    const auto ranks = [&](const Values& all) {
        Values some;
        for (const std::size_t word : words) some.push_back(all[word]);
        return study::ranks_of(some);
    };
    const Values values = ranks(of.values), frequencies = ranks(of.frequencies);
    Values found;
    for (const Values& breadths : of.breadths)
        found.push_back(partial_correlation(ranks(breadths), values, frequencies));
    return found;
}

CorrelationEstimate estimate(double value, Values draws) {
    std::erase_if(draws, [](double draw) { return std::isnan(draw); });
    if (draws.empty()) return {value, NAN, NAN};
    std::ranges::sort(draws);
    const auto quantile = [&](double share) {
        return draws[static_cast<std::size_t>(std::lround(share * static_cast<double>(draws.size() - 1)))];
    };
    return {value, quantile(0.025), quantile(0.975)};
}

// One for each layer. A draw takes as many words as there are, with replacement, for all layers alike.
std::vector<SenseCorrelation> correlations(const Property& of, std::size_t reference,
                                           const LayerStudyOptions& options) {
    const std::size_t words = of.values.size();
    std::vector<SenseCorrelation> found(of.breadths.size());
    if (words < fewest_words) return found;
    std::vector<std::size_t> all(words);
    std::iota(all.begin(), all.end(), std::size_t{0});
    const Values whole = partial_correlations(of, all);
    std::vector<Values> draws(options.draws);
    const base::Monitor monitor(1, {}, options.execution.stop);
    workers_for(draws.size(), options.execution).run(draws.size(), [&](std::size_t draw, std::size_t) {
        monitor.check();
        study::RandomStream random(study::test_seed(options.seed, draw), drawing_words);
        std::vector<std::size_t> drawn(words);
        for (std::size_t& word : drawn) word = random.below(words);
        draws[draw] = partial_correlations(of, drawn);
    });
    for (std::size_t layer = 0; layer < found.size(); ++layer) {
        Values at, gain;
        for (const Values& draw : draws) {
            at.push_back(draw[layer]);
            gain.push_back(draw[layer] - draw[reference]);
        }
        found[layer] = {estimate(whole[layer], at), estimate(whole[layer] - whole[reference], gain)};
    }
    return found;
}

double entropy_of(const std::vector<std::uint64_t>& counts) {
    const auto all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    double entropy = 0;
    for (const std::uint64_t count : counts)
        if (count > 0) entropy -= static_cast<double>(count) / all * std::log2(static_cast<double>(count) / all);
    return entropy;
}

void correlate_with_senses(LayerStudy& study, const std::vector<StoredWord>& words, const std::vector<Values>& breadths,
                           std::span<const std::size_t> measured, const WordNet& wordnet) {
    const Timing::Stage correlating(study.options.execution.timing, "senses");
    Property senses, entropy;
    senses.breadths.resize(breadths.size());
    entropy.breadths.resize(breadths.size());
    const auto add = [&](Property& to, std::size_t word, double value) {
        to.values.push_back(value);
        to.frequencies.push_back(static_cast<double>(words[word].frequency));
        for (std::size_t layer = 0; layer < breadths.size(); ++layer)
            to.breadths[layer].push_back(breadths[layer][word]);
    };
    for (const std::size_t word : measured) {
        if (!wordnet.has_lemma(words[word].word)) continue;
        add(senses, word, static_cast<double>(wordnet.senses(words[word].word).all()));
        const std::vector<std::uint64_t> tags = wordnet.tagged(words[word].word);
        if (std::accumulate(tags.begin(), tags.end(), std::uint64_t{0}) >= fewest_tags)
            add(entropy, word, entropy_of(tags));
    }
    study.known = senses.values.size();
    study.tagged = entropy.values.size();
    const auto of_senses = correlations(senses, study.reference, study.options);
    const auto of_entropy = correlations(entropy, study.reference, study.options);
    for (std::size_t layer = 0; layer < study.layers.size(); ++layer) {
        study.layers[layer].senses = of_senses[layer];
        study.layers[layer].entropy = of_entropy[layer];
    }
}

void correlate_layers(LayerStudy& study, const std::vector<Values>& breadths, std::span<const std::size_t> measured) {
    std::vector<Values> ranks;
    for (const Values& all : breadths) {
        Values some;
        for (const std::size_t word : measured) some.push_back(all[word]);
        ranks.push_back(study::ranks_of(some));
    }
    for (std::size_t a = 0; a < ranks.size(); ++a)
        for (const Values& other : ranks) study.layers[a].correlations.push_back(correlation_of_ranks(ranks[a], other));
}

// ---- Verdicts

// 1: X is broader, -1: narrower, 0: that is not decided. Nothing where there is no test.
using Verdicts = std::vector<std::optional<int>>;

std::vector<Pair> pairs_of(std::span<const std::size_t> words, const LayerStudyOptions& options) {
    study::RandomStream random(options.seed, drawing_pairs);
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < options.count; ++i) {
        const std::size_t x = random.below(words.size()), y = random.below(words.size() - 1);
        pairs.push_back({words[x], words[y < x ? y : y + 1]});
    }
    return pairs;
}

Verdicts verdicts_of(const Store& store, std::span<const Pair> pairs, const LayerStudy& study,
                     const Execution& execution) {
    const LayerStudyOptions& options = study.options;
    TestOptions tests;
    tests.align = study.method.align;
    tests.statistic = study.method.statistic;
    tests.permutations = options.permutations;
    tests.seed = options.seed;
    tests.adaptive = study::harmless_limit(options.alpha, options.permutations);
    Verdicts verdicts;
    study::in_batches(pairs.size(), batch, execution, [&](std::size_t begin, std::size_t end, const Execution& part) {
        std::vector<Cloud> clouds;
        std::vector<Pair> of_clouds;
        const auto made = study::make_clouds(
            2 * (end - begin),
            [&](std::size_t i) {
                const Pair& pair = pairs[begin + i / 2];
                return cloud_of(store, i % 2 == 0 ? pair.x : pair.y, *options.documents);
            },
            part);
        for (const auto& cloud : made) clouds.push_back(*cloud);  // all have a breadth
        for (std::size_t i = 0; i < made.size(); i += 2) of_clouds.push_back({i, i + 1});
        tests.execution = part;
        for (const TestResult& result : study::test_side_by_side(clouds, of_clouds, tests, begin)) {
            if (std::isnan(result.p))
                verdicts.emplace_back(std::nullopt);
            else
                verdicts.emplace_back(result.p > options.alpha ? 0 : result.t.value_or(result.T) > 0 ? 1 : -1);
        }
    });
    return verdicts;
}

void compare_verdicts(LayerStudy& study, const std::vector<Verdicts>& verdicts) {
    std::vector<std::size_t> tested;
    for (std::size_t pair = 0; pair < verdicts.front().size(); ++pair)
        if (std::ranges::all_of(verdicts, [&](const Verdicts& of) { return of[pair].has_value(); }))
            tested.push_back(pair);
    study.pairs = tested.size();
    const auto rate = [&](const auto& is_hit) {
        return rate_of(static_cast<std::size_t>(std::ranges::count_if(tested, is_hit)), tested.size());
    };
    for (std::size_t a = 0; a < verdicts.size(); ++a) {
        const Verdicts& mine = verdicts[a];
        study.layers[a].different = rate([&](std::size_t pair) { return *mine[pair] != 0; });
        for (const Verdicts& other : verdicts) {
            study.layers[a].same_verdict.push_back(rate([&](std::size_t pair) { return mine[pair] == other[pair]; }));
            study.layers[a].opposite.push_back(
                rate([&](std::size_t pair) { return *mine[pair] * *other[pair] == -1; }));
        }
    }
}

}  // namespace

LayerStudy study_layers(const std::string& folder, const WordNet* wordnet, LayerStudyOptions options) {
    study::require_level("alpha", options.alpha);
    study::require_any("count", options.count);
    const std::vector<Store> stores = open_layers(folder);
    options.documents = documents_of(stores.front(), options.documents);
    LayerStudy result;
    result.store = folder;
    result.options = options;
    result.reference = reference_of(stores);
    result.method = {Alignment::householder, *options.documents ? Statistic::blocks : Statistic::plain};
    for (const Store& store : stores) result.layers.emplace_back().layer = store.layer();

    const std::vector<Values> breadths = breadths_of(stores, *options.documents, options.execution);
    std::vector<std::size_t> measured;
    for (std::size_t word = 0; word < breadths.front().size(); ++word)
        if (std::ranges::none_of(breadths, [&](const Values& all) { return std::isnan(all[word]); }))
            measured.push_back(word);
    result.words = measured.size();
    if (measured.size() < 2)
        throw InputError(folder + ": " + base::count_of(measured.size(), "word") +
                         (measured.size() == 1 ? " has" : " have") + " a breadth at every layer; expected at least 2");
    correlate_layers(result, breadths, measured);
    if (wordnet != nullptr) correlate_with_senses(result, stores.front().words(), breadths, measured, *wordnet);

    const std::vector<Pair> pairs = pairs_of(measured, options);
    std::vector<Verdicts> verdicts;
    for (std::size_t i = 0; i < stores.size(); ++i) {
        const auto share = [&](std::size_t at) { return static_cast<double>(at) / static_cast<double>(stores.size()); };
        verdicts.push_back(
            study::as_a_stage("tests of pairs", study::stage(options.execution, share(i), share(i + 1)),
                              [&](const Execution& part) { return verdicts_of(stores[i], pairs, result, part); }));
    }
    compare_verdicts(result, verdicts);
    return result;
}

}  // namespace wordbreadth
