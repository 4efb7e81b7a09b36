#include "wordbreadth/experiment.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/strings.h"
#include "engine/backend.h"
#include "geometry/unit_rows.h"
#include "study/halves.h"
#include "study/many_tests.h"
#include "study/sampling.h"
#include "wordbreadth/device.h"
#include "wordbreadth/error.h"
#include "wordbreadth/paper.h"

namespace wordbreadth::study {
namespace {

constexpr std::size_t halves_at_a_time = 500;  // words in memory
constexpr double patience = 0.1;               // seconds; a slower device is asked once, and for no more than one test
constexpr std::size_t most_rows_shown = 150;   // of each cloud: t-SNE looks at all pairs of points
constexpr std::size_t example_ends = 10;

void append(MethodP& to, const MethodP& from) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k].insert(to[k].end(), from[k].begin(), from[k].end());
}

PerMethod<Uniformity> uniformity_of(const MethodP& p) {
    PerMethod<Uniformity> found;
    std::ranges::transform(p, found.begin(), uniformity);
    return found;
}

double mean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Of two lists: their means, and the sums of products of what they differ by.
struct Moments {
    double mean_x = 0, mean_y = 0;
    double xx = 0, xy = 0, yy = 0;
};

Moments moments(std::span<const double> x, std::span<const double> y) {
    Moments sums{mean(x), mean(y), 0, 0, 0};
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double dx = x[i] - sums.mean_x, dy = y[i] - sums.mean_y;
        sums.xx += dx * dx;
        sums.xy += dx * dy;
        sums.yy += dy * dy;
    }
    return sums;
}

// Of values that are all equal, that value: the mean of their logarithms would be rounded.
double geometric_mean(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += std::log(value / values.front());
    return values.front() * std::exp(sum / static_cast<double>(values.size()));
}

struct Logarithms {
    std::vector<double> frequency, v;
};

double frequency_of(const RankedWord& word) {
    return static_cast<double>(std::max<std::uint64_t>(word.frequency, 1));
}

Logarithms logarithms(std::span<const RankedWord> words) {
    Logarithms logs;
    for (const RankedWord& word : words) {
        logs.frequency.push_back(std::log(frequency_of(word)));
        logs.v.push_back(std::log(word.breadth.v));
    }
    return logs;
}

FrequencyBin bin_of(std::span<const RankedWord> words, const SensesOf& senses_of) {
    std::vector<double> frequencies, v;
    for (const RankedWord& word : words) {
        frequencies.push_back(frequency_of(word));
        v.push_back(word.breadth.v);
    }
    FrequencyBin bin{words.size(), geometric_mean(frequencies), geometric_mean(v), words.front().word, 0, NAN};
    std::size_t senses = 0;
    for (const RankedWord& word : words) {
        const std::size_t number = senses_of ? senses_of(word.word) : 0;
        bin.known += number > 0;
        senses += number;
    }
    if (bin.known > 0) bin.senses = static_cast<double>(senses) / static_cast<double>(bin.known);
    return bin;
}

// `ranking` by breadth.
WordExamples word_examples(const Ranking& ranking, const std::vector<std::string>& asked, const SensesOf& senses_of) {
    const auto example = [&](std::size_t place, bool is_asked) -> WordExample {
        const RankedWord& word = ranking.words[place];
        return {place + 1, word.word, word.breadth.v, word.frequency, senses_of(word.word), is_asked};
    };
    const std::size_t words = ranking.words.size();
    WordExamples examples;
    for (const std::string& shown : asked) {
        const auto found = std::ranges::find(ranking.words, shown, &RankedWord::word);
        const auto place = static_cast<std::size_t>(found - ranking.words.begin());
        examples.words.push_back(place < words ? example(place, true)
                                               : WordExample{0, shown, NAN, 0, senses_of(shown), true});
    }
    std::vector<double> v, senses;
    for (std::size_t i = 0; i < words; ++i) {
        if (i < example_ends || i + example_ends >= words) examples.words.push_back(example(i, false));
        const std::size_t number = senses_of(ranking.words[i].word);
        if (number == 0) continue;
        v.push_back(ranking.words[i].breadth.v);
        senses.push_back(static_cast<double>(number));
    }
    examples.known = v.size();
    examples.correlation = rank_correlation(v, senses);
    return examples;
}

double seconds_of(std::span<const Cloud> clouds, std::span<const Pair> pairs, const TestOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    (void)test_pairs(clouds, pairs, options);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The aligned plain test of the first pair, the best of three runs, and of all pairs in one call (only where a test is
// fast). No test stops early.
DeviceTime time_of(const Device& device, const GapPairs& pairs, TestOptions options) {
    DeviceTime time{device.name, device.name, NAN, NAN, 0, device.unavailable_because};
    if (!device.available) return time;
    options.execution.device = device.name;
    time.label = engine::make_backend(options.execution)->label();
    const auto first = std::span(pairs.tests).first(1);
    time.seconds = seconds_of(pairs.clouds, first, options);
    if (time.seconds > patience) return time;
    for (int again = 0; again < 2; ++again)
        time.seconds = std::min(time.seconds, seconds_of(pairs.clouds, first, options));
    time.together = pairs.tests.size();
    time.seconds_each = seconds_of(pairs.clouds, pairs.tests, options) / static_cast<double>(time.together);
    return time;
}

// `pairs` are not empty.
DeviceTimes device_times(const GapPairs& pairs, std::uint64_t permutations, const Execution& execution) {
    TestOptions options;
    options.statistic = Statistic::plain;
    options.permutations = permutations;
    options.execution = stage(execution, 0, 0);
    options.execution.instruction_set.clear();
    const Cloud& x = pairs.clouds[pairs.tests.front().x];
    const Cloud& y = pairs.clouds[pairs.tests.front().y];
    DeviceTimes times{x.size(), y.size(), x.dimension(), permutations, engine::thread_count(execution), {}};
    for (const Device& device : devices())
        if (!device.name.starts_with("cuda:"))  // one of the GPUs that are "cuda"
            times.devices.push_back(time_of(device, pairs, options));
    return times;
}

std::optional<std::size_t> place_of(const Store& store, const std::string& word, std::size_t rows) {
    const auto found = store.index_of(word);
    return found && store.word(*found).rows >= rows ? found : std::nullopt;
}

// How many times larger p is with alignment. Undefined tests come last.
double change(const TestedPair& pair) {
    const double times = pair.p[1] / pair.p[0];
    return std::isnan(times) ? 0 : times;
}

struct Choice {
    std::size_t x = 0, y = 0;  // in the store's words
    std::string why;
};

Choice chosen(const Store& store, const GapTests& tests, const std::vector<std::string>& asked) {
    const std::string x = asked.empty() ? std::string(paper::pair_x) : asked[0],
                      y = asked.empty() ? std::string(paper::pair_y) : asked[1],
                      whose = asked.empty() ? "the pair that the paper shows" : "the pair that was asked for";
    const auto place_x = place_of(store, x, tests.rows), place_y = place_of(store, y, tests.rows);
    if (place_x && place_y) return {*place_x, *place_y, whose};
    if (tests.pairs.empty()) throw InputError(store.folder() + ": no pair of words could be tested");
    const TestedPair& pair = *std::ranges::max_element(tests.pairs, {}, change);
    return {store.find(pair.x), store.find(pair.y),
            "of all pairs that were tested, the one whose p alignment raises most (the store lacks " + whose + ", " +
                x + " and " + y + ")"};
}

Cloud shown_cloud(const Store& store, std::size_t word, std::span<const std::size_t> rows) {
    std::optional<Cloud> cloud = cloud_of(store, word, rows);
    if (!cloud) throw InputError(store.folder() + ": all rows of " + store.words()[word].word + " are alike");
    return std::move(*cloud);
}

// The pair that was asked for, or the paper's, where the store has both words with enough rows; otherwise the pair of
// `tests` that alignment changes most. Throws InputError when there is no pair at all, Cancelled when stopped.
TellingPair telling_pair(const Store& store, const GapTests& tests, const ExperimentOptions& how,
                         const Execution& execution) {
    const Choice choice = chosen(store, tests, how.pair);
    const StoredWord &of_x = store.words()[choice.x], &of_y = store.words()[choice.y];
    const std::size_t rows = std::min(tests.rows, most_rows_shown);
    TellingPair pair;
    pair.x = of_x.word;
    pair.y = of_y.word;
    pair.why = choice.why;
    pair.rows_x = sample_rows(of_x.word, of_x.rows, rows, how.seed);
    pair.rows_y = sample_rows(of_y.word, of_y.rows, rows, how.seed);
    const Cloud x = shown_cloud(store, choice.x, pair.rows_x), y = shown_cloud(store, choice.y, pair.rows_y);
    TestOptions options;
    options.statistic = Statistic::plain;
    options.alternative = how.alternative;
    options.permutations = how.permutations;
    options.seed = how.seed;
    options.null_distribution = true;
    options.align = Alignment::none;
    options.execution = stage(execution, 0, 0.3);
    pair.none = test(x, y, options);
    options.align = Alignment::householder;
    options.execution = stage(execution, 0.3, 0.6);
    pair.householder = test(x, y, options);
    if (x.size() + y.size() < 4) return pair;
    TsneOptions plane;
    plane.seed = how.seed;
    pair.before = tsne(geometry::pooled_rows(x, y, {}), x.dimension(), plane);
    pair.after = tsne(geometry::pooled_rows(x, y, geometry::mirror(x, y, options.align)), x.dimension(), plane);
    return pair;
}

}  // namespace

SplitHalf split_half(const Store& store, std::size_t rows, bool own, std::uint64_t permutations, std::uint64_t seed,
                     const Execution& execution) {
    const std::size_t n = rows / 2, m = rows - n;
    const auto has_enough = [&](const auto& word) { return word.rows >= rows; };
    const auto words = static_cast<std::size_t>(std::ranges::count_if(store.words(), has_enough));
    const HalvesOptions how{n, m, false, std::max<std::size_t>(words, 1), seed, execution, own};
    SplitHalf result{own ? 0 : n, own ? 0 : m, methods_on(execution), {}, {}, {}, {}, {}, {}};
    in_batches(how.count, halves_at_a_time, execution, [&](std::size_t begin, std::size_t end, const Execution& part) {
        const Halves some = halves(store, how, begin, end);
        const std::size_t first = result.words.size();
        for (const std::size_t word : some.words) {
            result.words.push_back(store.words()[word].word);
            result.totals.push_back(store.words()[word].rows);
        }
        TestOptions tests;
        tests.permutations = permutations;
        tests.seed = seed;
        tests.alternative = Alternative::greater;
        tests.execution = stage(part, 0, 0.5);
        append(result.greater, p_of_methods(some.clouds, some.tests, tests, first));
        tests.alternative = Alternative::two_sided;
        tests.execution = stage(part, 0.5, 1);
        append(result.two_sided, p_of_methods(some.clouds, some.tests, tests, first));
    });
    result.greater_uniformity = uniformity_of(result.greater);
    result.two_sided_uniformity = uniformity_of(result.two_sided);
    return result;
}

LawFit fit_line(std::span<const double> x, std::span<const double> y) {
    LawFit fit{x.size(), NAN, NAN, NAN, NAN};
    if (x.size() < 2) return fit;
    const auto [mean_x, mean_y, xx, xy, yy] = moments(x, y);
    const auto [lowest, highest] = std::ranges::minmax(x);  // sums of squares of equal values need not be 0
    if (lowest == highest) return fit;
    fit.slope = xy / xx;
    fit.intercept = mean_y - fit.slope * mean_x;
    if (x.size() < least_points_of_a_fit) return fit;
    fit.r_squared = yy > 0 ? xy * xy / (xx * yy) : NAN;
    const double residual = std::max(0.0, yy - fit.slope * xy);
    fit.slope_standard_error = std::sqrt(residual / static_cast<double>(x.size() - 2) / xx);
    return fit;
}

FrequencyLaw frequency_law(std::vector<RankedWord> words, std::size_t bin_size, const SensesOf& senses_of) {
    // The words come by breadth. Left in that order, equally frequent ones would go into bins by what is to be
    // explained.
    std::ranges::sort(words, [](const RankedWord& a, const RankedWord& b) {
        return std::tie(b.frequency, a.word) < std::tie(a.frequency, b.word);
    });
    FrequencyLaw law{bin_size, {}, {}, {}};
    Logarithms of_bins;
    for (std::span<const RankedWord> left = words; !left.empty();) {
        const std::size_t size = left.size() < bin_size + bin_size / 2 ? left.size() : bin_size;
        law.bins.push_back(bin_of(left.first(size), senses_of));
        of_bins.frequency.push_back(std::log(law.bins.back().frequency));
        of_bins.v.push_back(std::log(law.bins.back().v));
        left = left.subspan(size);
    }
    law.of_bins = fit_line(of_bins.frequency, of_bins.v);
    const Logarithms of_words = logarithms(words);
    law.of_words = fit_line(of_words.frequency, of_words.v);
    return law;
}

std::vector<double> ranks_of(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size());
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin;
        while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
        for (std::size_t k = begin; k < end; ++k) ranks[order[k]] = static_cast<double>(begin + end - 1) / 2;
        begin = end;
    }
    return ranks;
}

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() < 2) return NAN;
    const Moments of_ranks = moments(ranks_of(a), ranks_of(b));
    return of_ranks.xx > 0 && of_ranks.yy > 0 ? of_ranks.xy / std::sqrt(of_ranks.xx * of_ranks.yy) : NAN;
}

}  // namespace wordbreadth::study

namespace wordbreadth {
namespace {

constexpr std::size_t papers_count = 300;
constexpr std::size_t papers_additional_count = 500;
constexpr std::size_t timed_pairs = 300;
constexpr std::size_t fewest_to_halve = 4;  // rows: either half is a cloud

// One size for all that is done with a store: clouds too small to halve are left out everywhere.
std::size_t common_size(const Store& store, const ExperimentOptions& options) {
    return study::common_size(store, options.common_size, fewest_to_halve, "halving").rows;
}

GapTestOptions main_tests(const ExperimentOptions& options, bool cross_fit, std::size_t size,
                          const Execution& execution) {
    return {{options.gaps, options.count, papers_count, RankBy::v, cross_fit, size, options.seed, execution,
             options.blocks},
            options.alpha,
            options.permutations,
            options.adaptive,
            options.alternative};
}

GapTestOptions additional_tests(const ExperimentOptions& options, std::size_t size, const Execution& execution) {
    return {{options.additional_gaps, options.additional_count, papers_additional_count, options.additional_by, false,
             size, options.seed, execution, options.blocks},
            options.additional_alpha,
            options.additional_permutations,
            options.adaptive,
            options.alternative};
}

// Those that no store allows.
void check_options(const ExperimentOptions& options) {
    study::require_gaps("gaps", options.gaps);
    study::require_gaps("additional_gaps", options.additional_gaps);
    if (options.count) study::require_any("count", *options.count);
    if (options.additional_count) study::require_any("additional_count", *options.additional_count);
    study::require_level("alpha", options.alpha);
    study::require_level("additional_alpha", options.additional_alpha);
    study::require_any("bin_size", options.bin_size);
    if (options.alternative == Alternative::less)
        throw InputError(
            "alternative = less; expected greater or two-sided, since X is the broader or the more frequent word");
    if (!options.pair.empty() && (options.pair.size() != 2 || options.pair[0] == options.pair[1]))
        throw InputError("pair: expected two different words");
}

// Gaps and counts that a store is too small for are found before the first test.
void check_gaps(const Store& store, std::size_t size, bool size_is_given, const std::vector<std::size_t>& gaps,
                const std::optional<std::size_t>& count) {
    const auto has_enough = [&](const StoredWord& word) { return word.rows >= size; };
    const auto words = static_cast<std::size_t>(std::ranges::count_if(store.words(), has_enough));
    const std::size_t widest = std::ranges::max(gaps);
    const std::string found = store.folder() + ": has " + base::count_of(words, "word") + " with at least " +
                              std::to_string(size) + " rows, so ";
    const std::string apart = std::to_string(widest) + (widest == 1 ? " rank" : " ranks") + " apart; expected ";
    if (words <= widest)
        throw InputError(found + "no two of them are " + apart + "at least " + std::to_string(widest + 1) + " words" +
                         (size_is_given ? ", smaller gaps, or a smaller common size" : ", or smaller gaps"));
    if (count && *count > words - widest)
        throw InputError(found + "only " + base::count_of(words - widest, "pair") +
                         (words - widest == 1 ? " is " : " are ") + apart + std::to_string(*count) +
                         ": ask for fewer pairs");
}

DeviceTimes times_of(const Store& store, const ExperimentOptions& options, std::size_t size,
                     const Execution& execution) {
    const std::vector<std::size_t> gaps{options.gaps.front()};
    const GapPairs pairs = gap_pairs(store, {gaps, std::nullopt, timed_pairs, RankBy::v, false, size, options.seed,
                                             study::stage(execution, 0, 0.2), false});
    if (pairs.tests.empty()) throw InputError(store.folder() + ": no pair of words could be tested");
    return study::device_times(pairs, options.permutations, execution);
}

// The words to be looked at: those asked for, or the paper's of that table.
template <class Table>
std::vector<std::string> words_of(const ExperimentOptions& options, const Table& papers) {
    if (!options.words.empty()) return options.words;
    std::vector<std::string> words;
    for (const auto& row : papers) words.emplace_back(row.word);
    return words;
}

// Why the study has no such word; nothing where it has. `asked`: by the user, who may have mistyped it.
std::optional<std::string> why_absent(const Store& store, const std::string& word, bool asked, std::size_t size) {
    if (const auto found = store.index_of(word)) {
        const std::uint64_t rows = store.word(*found).rows;
        if (rows >= size) return std::nullopt;
        return "has " + std::to_string(rows) + " rows of the " + std::to_string(size) + " needed";
    }
    const std::string reason = store.why_missing(word, asked);
    return reason.empty() ? "not in the store" : reason;
}

std::vector<AbsentWord> absent_words(const Store& store, const ExperimentOptions& options, std::size_t size) {
    std::vector<AbsentWord> absent;
    const auto look_for = [&](const std::vector<std::string>& words, bool asked) {
        for (const std::string& word : words)
            if (const auto reason = why_absent(store, word, asked, size);
                reason && std::ranges::find(absent, word, &AbsentWord::word) == absent.end())
                absent.push_back({word, *reason});
    };
    look_for(words_of(options, paper::words), !options.words.empty());
    look_for(words_of(options, paper::halves), !options.words.empty());
    look_for(options.pair, true);
    return absent;
}

// The pair has to be in one of the stores.
void check_pair(const std::vector<const Store*>& stores, const ExperimentOptions& options) {
    if (options.pair.empty()) return;
    std::string reasons;
    for (const Store* store : stores) {
        bool has_both = true;
        for (const std::string& word : options.pair)
            if (const auto reason = why_absent(*store, word, true, common_size(*store, options))) {
                reasons += (reasons.empty() ? "" : "; ") + store->folder() + ": " + word + ": " + *reason;
                has_both = false;
            }
        if (has_both) return;
    }
    throw InputError("no store has the pair " + options.pair[0] + " and " + options.pair[1] + ": " + reasons);
}

std::size_t known_words(const Ranking& ranking, const WordNet& wordnet) {
    const auto is_known = [&](const RankedWord& word) { return wordnet.senses(word.word).all() > 0; };
    return static_cast<std::size_t>(std::ranges::count_if(ranking.words, is_known));
}

std::size_t most_fitting(const Ranking& ranking, const std::vector<const WordNet*>& wordnets) {
    std::size_t best = 0, most = 0;
    for (std::size_t i = 0; wordnets.size() > 1 && i < wordnets.size(); ++i)
        if (const std::size_t known = known_words(ranking, *wordnets[i]); known > most) {
            best = i;
            most = known;
        }
    return best;
}

Experiment study_of(const Store& store, const std::vector<const WordNet*>& wordnets, const ExperimentOptions& options,
                    const Execution& whole) {
    const std::size_t size = common_size(store, options);
    const auto part = [&](double from, double to, const char* name, const auto& run) {
        return study::as_a_stage(name, study::stage(whole, from, to), run);
    };
    Experiment result;
    result.options = options;
    result.store = store.folder();
    result.model = store.setting("model");
    result.layer = store.layer();
    result.dimension = store.dimension();
    result.words_asked = words_of(options, paper::halves);
    result.absent = absent_words(store, options, size);
    result.ranking = part(0, 0.02, "ranking", [&](const Execution& execution) {
        return rank(store, {RankBy::v, size, options.seed, execution});
    });
    result.wordnet = most_fitting(result.ranking, wordnets);
    const WordNet& wordnet = *wordnets[result.wordnet];
    const study::SensesOf senses_of = [&](const std::string& word) { return wordnet.senses(word).all(); };
    result.main = part(0.02, 0.4, "gaps", [&](const Execution& execution) {
        return test_gaps(store, main_tests(options, false, size, execution), &wordnet);
    });
    result.cross_fitted = part(0.4, 0.6, "gaps, cross-fitted", [&](const Execution& execution) {
        return test_gaps(store, main_tests(options, true, size, execution), &wordnet);
    });
    result.additional = part(0.6, 0.75, "additional gaps", [&](const Execution& execution) {
        return test_gaps(store, additional_tests(options, size, execution), &wordnet);
    });
    result.split_half = part(0.75, 0.9, "split halves", [&](const Execution& execution) {
        return study::split_half(store, size, options.own_halves, options.permutations, options.seed, execution);
    });
    result.times = part(0.9, 0.95, "times of devices",
                        [&](const Execution& execution) { return times_of(store, options, size, execution); });
    result.words = study::word_examples(result.ranking, words_of(options, paper::words), senses_of);
    result.pair = part(0.95, 1, "the telling pair", [&](const Execution& execution) {
        return study::telling_pair(store, result.main, options, execution);
    });
    result.law = study::frequency_law(result.ranking.words, options.bin_size, senses_of);
    return result;
}

}  // namespace

bool has_precision(const Experiment& study) {
    return 2 * study.words.known >= study.ranking.words.size();
}

std::vector<Experiment> experiment(const std::vector<const Store*>& stores, const std::vector<const WordNet*>& wordnets,
                                   const ExperimentOptions& options) {
    check_options(options);
    for (const Store* each : stores) {
        const std::size_t size = common_size(*each, options);
        check_gaps(*each, size, options.common_size != 0, options.gaps, options.count);
        check_gaps(*each, size, options.common_size != 0, options.additional_gaps, options.additional_count);
    }
    check_pair(stores, options);
    std::vector<Experiment> studies;
    study::in_batches(stores.size(), 1, options.execution, [&](std::size_t i, std::size_t, const Execution& execution) {
        studies.push_back(study_of(*stores[i], wordnets, options, execution));
    });
    return studies;
}

}  // namespace wordbreadth
