#include "wordbreadth/experiment.h"

#include <algorithm>

#include "study/experiment_parts.h"
#include "study/many_tests.h"
#include "study/sampling.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

constexpr std::size_t papers_count = 300;
constexpr std::size_t papers_additional_count = 500;
constexpr std::size_t timed_pairs = 300;
constexpr std::size_t example_ends = 10;
constexpr std::size_t fewest_to_halve = 4;  // rows: either half is a cloud

// One size for all that is done with a store: clouds too small to halve are left out everywhere.
std::size_t common_size(const Store& store, const ExperimentOptions& options) {
    return study::common_size(store, options.common_size, fewest_to_halve, "halving").rows;
}

GapTestOptions main_tests(const ExperimentOptions& options, bool cross_fit, std::size_t size,
                          const Execution& execution) {
    GapTestOptions tests;
    tests.pairs = {options.gaps, options.count, papers_count, RankBy::breadth,
                   cross_fit,    size,          options.seed, execution};
    tests.alpha = options.alpha;
    tests.permutations = options.permutations;
    tests.adaptive = options.adaptive;
    return tests;
}

GapTestOptions additional_tests(const ExperimentOptions& options, std::size_t size, const Execution& execution) {
    GapTestOptions tests;
    tests.pairs = {options.additional_gaps,
                   options.additional_count,
                   papers_additional_count,
                   options.additional_by,
                   false,
                   size,
                   options.seed,
                   execution};
    tests.alpha = options.additional_alpha;
    tests.permutations = options.additional_permutations;
    tests.adaptive = options.adaptive;
    return tests;
}

std::vector<AdditionalTests> test_additional(const std::vector<const Store*>& stores, const ExperimentOptions& options,
                                             const Execution& execution) {
    std::vector<AdditionalTests> found;
    for (std::size_t i = 0; i < stores.size(); ++i) {
        const auto share = [&](std::size_t at) { return static_cast<double>(at) / static_cast<double>(stores.size()); };
        const Execution part = study::stage(execution, share(i), share(i + 1));
        found.push_back(
            {stores[i]->folder(), stores[i]->setting("model"),
             test_gaps(*stores[i], additional_tests(options, common_size(*stores[i], options), part), nullptr)});
    }
    return found;
}

// Gaps and counts that a store is too small for are found before the first test.
void check_gaps(const Store& store, std::size_t size, const std::vector<std::size_t>& gaps,
                const std::optional<std::size_t>& count) {
    const auto has_enough = [&](const StoredWord& word) { return word.rows >= size; };
    const auto words = static_cast<std::size_t>(std::ranges::count_if(store.words(), has_enough));
    const std::size_t widest = std::ranges::max(gaps);
    const std::string found = store.folder() + ": has " + std::to_string(words) + " words with at least " +
                              std::to_string(size) + " rows, so ";
    const std::string apart = std::to_string(widest) + (widest == 1 ? " rank" : " ranks") + " apart; expected ";
    if (words <= widest)
        throw InputError(found + "no two of them are " + apart + "at least " + std::to_string(widest + 1) +
                         " words, or smaller gaps");
    if (count && *count > words - widest)
        throw InputError(found + "only " + std::to_string(words - widest) + " pairs are " + apart +
                         std::to_string(*count) + ": ask for fewer pairs");
}

DeviceTimes times_of(const Store& store, const ExperimentOptions& options, std::size_t size,
                     const Execution& execution) {
    GapOptions how;
    how.gaps = {options.gaps.front()};
    how.usual_count = timed_pairs;
    how.common_size = size;
    how.seed = options.seed;
    how.execution = study::stage(execution, 0, 0.2);
    const GapPairs pairs = gap_pairs(store, how);
    if (pairs.tests.empty()) throw InputError(store.folder() + ": no pair of words could be tested");
    return study::device_times(pairs.clouds, pairs.tests, options.permutations, execution);
}

}  // namespace

bool has_precision(const Experiment& study) {
    return 2 * study.words.known >= study.ranking.words.size();
}

Experiment experiment(const std::vector<const Store*>& stores, const WordNet& wordnet,
                      const ExperimentOptions& options) {
    const Store& store = *stores.front();
    const std::size_t size = common_size(store, options);
    check_gaps(store, size, options.gaps, options.count);
    for (const Store* each : stores)
        check_gaps(*each, common_size(*each, options), options.additional_gaps, options.additional_count);
    const auto part = [&](double from, double to) { return study::stage(options.execution, from, to); };

    Experiment result;
    result.options = options;
    result.store = store.folder();
    result.model = store.setting("model");
    result.dimension = store.dimension();
    result.ranking = rank(store, {RankBy::breadth, size, options.seed, part(0, 0.02)});
    result.main = test_gaps(store, main_tests(options, false, size, part(0.02, 0.4)), &wordnet);
    result.cross_fitted = test_gaps(store, main_tests(options, true, size, part(0.4, 0.6)), &wordnet);
    result.additional = test_additional(stores, options, part(0.6, 0.75));
    result.split_half = study::split_half(store, {size, options.permutations, options.seed, part(0.75, 0.9)});
    result.times = times_of(store, options, size, part(0.9, 0.95));
    result.words = study::word_examples(result.ranking, wordnet, example_ends);
    result.pair = study::telling_pair(store, result.main, options.permutations, options.seed, part(0.95, 1));
    result.law = study::frequency_law(result.ranking.words, options.bin_size);
    return result;
}

}  // namespace wordbreadth
