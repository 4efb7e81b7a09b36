#include "wordbreadth/calibrate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include "base/workers.h"
#include "engine/backend.h"
#include "study/halves.h"
#include "study/many_tests.h"
#include "study/needed.h"
#include "study/parts.h"
#include "study/sampling.h"
#include "study/shapes.h"
#include "wordbreadth/error.h"
#include "wordbreadth/gap_pairs.h"

namespace wordbreadth {
namespace {

constexpr std::size_t fewest_to_halve = 10;  // a fifth of them is a cloud
constexpr std::size_t batch = 500;           // pairs in memory at a time
constexpr double power_wanted = 0.8;
constexpr std::array<double, 4> shares_mixed = {0.05, 0.10, 0.20, 0.50};

// Rows divided without regard to documents are tested by rows; parts of whole documents, and what else shows a
// difference between statistics, by these.
constexpr std::array<Method, 3> aligned_methods = {methods[1], methods[3], block_method};

TestOptions test_options(const CalibrateOptions& options, bool adaptive) {
    TestOptions tests;
    tests.permutations = options.permutations;
    tests.seed = options.seed;
    if (adaptive) tests.adaptive = study::harmless_limit(std::ranges::max(options.alphas), options.permutations);
    return tests;
}

// Of each method, its results, pair after pair.
using MethodResults = std::vector<std::vector<TestResult>>;
using RunTests = std::vector<TestResult> (*)(std::span<const Cloud>, std::span<const Pair>, const TestOptions&,
                                             std::size_t first);

void add_results(MethodResults& results, std::span<const Method> tried, std::span<const Cloud> clouds,
                 std::span<const Pair> pairs, TestOptions options, std::size_t first, RunTests run) {
    const Execution whole = options.execution;
    results.resize(tried.size());
    const auto share = static_cast<double>(tried.size());
    for (std::size_t k = 0; k < tried.size(); ++k) {
        options.align = tried[k].align;
        options.statistic = tried[k].statistic;
        options.execution = study::stage(whole, static_cast<double>(k) / share, static_cast<double>(k + 1) / share);
        std::vector<TestResult> more = run(clouds, pairs, options, first);
        std::ranges::move(more, std::back_inserter(results[k]));
    }
}

std::vector<double> p_of(const std::vector<TestResult>& results) {
    std::vector<double> p;
    for (const TestResult& result : results) p.push_back(result.p);
    return p;
}

NullRates summary(NullKind kind, std::size_t n, std::size_t m, std::span<const Method> tried,
                  const MethodResults& results, const std::vector<double>& alphas) {
    NullRates rates{kind, n, m, 0, 0, results[0].size(), {}};
    for (std::size_t k = 0; k < tried.size(); ++k) {
        const std::vector<double> p = p_of(results[k]);
        MethodRates of{tried[k], {}, uniformity(p), 0};
        for (const double alpha : alphas) of.rates.push_back(rejection_rate(p, alpha));
        of.undefined = rates.tests - of.uniformity.n;
        rates.methods.push_back(std::move(of));
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
    MethodResults results;
    study::in_batches(options.count, batch, execution, [&](std::size_t begin, std::size_t end, const Execution& part) {
        const study::Halves some = study::halves(store, how, begin, end);
        tests.execution = part;
        add_results(results, methods, some.clouds, some.tests, tests, begin, test_for_rates);
    });
    return summary(kind, first, second, methods, results, options.alphas);
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
    MethodResults results;
    add_results(results, methods, pairs.clouds, pairs.tests, tests, 0, test_for_rates);
    return summary(NullKind::neighbours, pairs.rows, pairs.rows, methods, results, options.alphas);
}

// ---- Parts of words, of whole documents where these are known

std::span<const Method> methods_of_parts(bool documents) {
    return std::span(aligned_methods).first(documents ? 3 : 2);
}

struct TestedParts {
    MethodResults results;
    std::vector<double> ratios;
    bool documents = false;

    [[nodiscard]] std::size_t median_of(std::size_t TestResult::*size, std::size_t method) const {
        std::vector<double> sizes;
        for (const TestResult& result : results[method]) sizes.push_back(static_cast<double>(result.*size));
        return static_cast<std::size_t>(std::lround(study::median(std::move(sizes))));
    }

    template <class Rates>
    void set_sizes(Rates& rates) const {
        rates.tests = results[0].size();
        rates.n = median_of(&TestResult::n, 0);
        rates.m = median_of(&TestResult::m, 0);
        if (!documents) return;
        rates.documents_n = median_of(&TestResult::blocks_x, results.size() - 1);
        rates.documents_m = median_of(&TestResult::blocks_y, results.size() - 1);
    }
};

// Pairs are of unequal sizes and have no splits to share, so each is tested by itself, with fewer permutations.
TestedParts tested_parts(const study::PartedWords& words, const study::PartsOptions& how, CalibrateOptions options,
                         const Execution& execution) {
    TestedParts tested{{}, {}, how.documents};
    const std::vector<study::PartedWord> planned = words.plan(how);
    options.permutations = std::min(options.permutations, permutations_of_parts);
    TestOptions tests = test_options(options, options.adaptive);
    study::in_batches(planned.size(), batch, execution, [&](std::size_t begin, std::size_t end, const Execution& part) {
        const study::PartedPairs some = words.make(how, std::span(planned).subspan(begin, end - begin), part);
        tests.execution = part;
        add_results(tested.results, methods_of_parts(how.documents), some.clouds, some.tests, tests, begin,
                    study::test_side_by_side);
        tested.ratios.insert(tested.ratios.end(), some.ratios.begin(), some.ratios.end());
    });
    return tested;
}

study::PartsOptions parts_of(const CalibrateOptions& options, std::size_t rows, double share) {
    return {rows, share, 0, *options.documents, options.count, options.seed};
}

// Nothing where no word can be divided.
std::optional<NullRates> rates_of_documents(const study::PartedWords& words, NullKind kind,
                                            const CalibrateOptions& options, const Execution& execution) {
    const double share = kind == NullKind::unequal_documents ? 0.2 : 0.5;
    const TestedParts tested = tested_parts(words, parts_of(options, options.common_size, share), options, execution);
    if (tested.results.empty() || tested.results[0].empty()) return std::nullopt;
    NullRates rates = summary(kind, 0, 0, methods_of_parts(true), tested.results, options.alphas);
    tested.set_sizes(rates);
    return rates;
}

bool says_narrower(const TestResult& result) {
    return (result.t ? *result.t : result.T) < 0;
}

MethodPower power_of(const Method& method, const std::vector<TestResult>& results, const std::vector<double>& alphas) {
    MethodPower power{method, {}, {}};
    for (const double alpha : alphas) {
        std::size_t defined = 0, rejected = 0, wrong = 0;
        for (const TestResult& result : results) {
            defined += std::isnan(result.p) ? 0 : 1;
            if (!(result.p <= alpha)) continue;
            ++rejected;
            wrong += says_narrower(result) ? 1 : 0;
        }
        power.detected.push_back(rate_of(rejected - wrong, defined));
        power.wrong.push_back(rate_of(wrong, defined));
    }
    return power;
}

std::optional<MixtureRates> rates_of_mixture(const study::PartedWords& words, study::PartsOptions how,
                                             const CalibrateOptions& options, const Execution& execution) {
    const TestedParts tested = tested_parts(words, how, options, execution);
    if (tested.results.empty() || tested.results[0].empty()) return std::nullopt;
    MixtureRates rates;
    rates.share = how.mixed;
    rates.ratio = study::median(tested.ratios);
    tested.set_sizes(rates);
    for (std::size_t k = 0; k < tested.results.size(); ++k)
        rates.methods.push_back(power_of(aligned_methods[k], tested.results[k], options.alphas));
    return rates;
}

// ---- Simulated clouds of different shapes

struct Shapes {
    NullKind kind;
    study::Shape x, y;
};
constexpr std::array<Shapes, 4> shapes_compared = {{
    {NullKind::round_stretched, study::Shape::round, study::Shape::stretched},
    {NullKind::stretched_round, study::Shape::stretched, study::Shape::round},
    {NullKind::one_two_modes, study::Shape::round, study::Shape::two_modes},
    {NullKind::two_one_modes, study::Shape::two_modes, study::Shape::round},
}};

// With every row a document of its own the block statistic is the robust one, and so are its rates.
NullRates rates_of_shapes(const Shapes& shapes, std::size_t n, std::size_t m, double r, std::size_t dimension,
                          const CalibrateOptions& options, const Execution& execution) {
    const study::ShapedClouds of_x(shapes.x, r, dimension), of_y(shapes.y, r, dimension);
    TestOptions tests = test_options(options, options.adaptive);
    const std::span<const Method> tried = methods_of_parts(false);
    const std::uint64_t cell =
        study::row_priority("shapes", static_cast<std::uint64_t>(shapes.kind) << 32 | n, options.seed);
    MethodResults results;
    study::in_batches(options.count, batch, execution, [&](std::size_t begin, std::size_t end, const Execution& part) {
        std::vector<std::optional<Cloud>> drawn = study::make_clouds(
            2 * (end - begin),
            [&](std::size_t k) -> std::optional<Cloud> {
                study::RandomStream random(cell, 2 * begin + k);
                const bool is_x = k % 2 == 0;
                return (is_x ? of_x : of_y).draw("simulated", is_x ? n : m, is_x ? 0 : dimension / 2, random);
            },
            part);
        std::vector<Cloud> clouds;
        std::vector<Pair> pairs;
        for (std::optional<Cloud>& cloud : drawn) clouds.push_back(std::move(*cloud));
        for (std::size_t k = 0; k < clouds.size(); k += 2) pairs.push_back({k, k + 1});
        tests.execution = part;
        add_results(results, tried, clouds, pairs, tests, begin, test_for_rates);
    });
    NullRates rates = summary(shapes.kind, n, m, tried, results, options.alphas);
    if (!*options.documents) return rates;
    rates.methods.push_back(rates.methods.back());
    rates.methods.back().method = block_method;
    return rates;
}

// ---- The whole

// A calibration under way: the options as they are used, and what several steps need.
struct Work {
    const Store& store;
    CalibrateOptions options;
    bool insists = false;  // on documents
    std::optional<study::PartedWords> parted{};
};

// What is measured at a time, with its share of the time.
struct Step {
    std::string name;  // steps of one name are one stage of the time that is recorded
    double weight;
    bool parts_words;  // needs Work::parted
    std::function<CalibrationStep(const Execution&)> run;
};

bool knows_documents(const Store& store) {
    return !store.documents(0).empty();
}

void resolve_documents(CalibrateOptions& options, const Store& store) {
    const bool known = knows_documents(store);
    if (options.documents.value_or(false) && !known)
        throw InputError(store.folder() +
                         ": all rows are of one document; expected several to divide and permute: calibrate rows, or "
                         "extract the texts as documents of their own");
    options.documents = options.documents.value_or(known);
}

// All rows of a word and about a quarter of them, of whole documents where these are regarded.
struct WordRows {
    std::vector<std::size_t> all, part;
};

WordRows rows_of(const Store& store, std::size_t index, const CalibrateOptions& options) {
    const StoredWord& word = store.words()[index];
    WordRows rows{std::vector<std::size_t>(word.rows), {}};
    std::iota(rows.all.begin(), rows.all.end(), std::size_t{0});
    if (!*options.documents)
        rows.part = study::sample_rows(word.word, word.rows, word.rows / 4, options.seed);
    else if (auto split = study::deal_documents(word.word, rows.all, store.documents(index), 0.25, options.seed))
        rows.part = std::move(split->first);
    return rows;
}

// Without a standard error where the rows have no breadth. `documents`: as blocks.
Breadth breadth_of(const Store& store, std::size_t index, std::span<const std::size_t> rows, bool documents) {
    Breadth found;
    found.log_v_standard_error = NAN;
    if (rows.size() < study::fewest_rows) return found;
    std::optional<Cloud> cloud = study::cloud_of(store, index, rows);
    if (!cloud) return found;
    if (!documents && !cloud->blocks().empty())
        cloud = Cloud(cloud->name(), {cloud->unit_rows().begin(), cloud->unit_rows().end()}, cloud->dimension());
    return breadth(*cloud);
}

NeededSizes needed_of(const Store& store, const CalibrateOptions& options, double alpha, const Execution& execution) {
    std::vector<std::size_t> words;
    for (std::size_t i = 0; i < store.words().size(); ++i)
        if (store.words()[i].rows >= options.common_size) words.push_back(i);
    const Timing::Stage measuring(execution.timing, "occurrences needed");
    std::vector<Breadth> whole(words.size()), parts(words.size());
    const base::Monitor monitor(1, {}, execution.stop);
    base::Workers workers(
        static_cast<unsigned>(std::clamp<std::size_t>(words.size(), 1, engine::thread_count(execution))));
    workers.run(words.size(), [&](std::size_t i, std::size_t) {
        monitor.check();
        const WordRows rows = rows_of(store, words[i], options);
        whole[i] = breadth_of(store, words[i], rows.all, *options.documents);
        parts[i] = breadth_of(store, words[i], rows.part, *options.documents);
    });
    return study::needed_sizes(whole, parts, alpha, power_wanted);
}

void add_power_steps(std::vector<Step>& steps, const Work& work) {
    const CalibrateOptions& options = work.options;
    const std::size_t rows = options.common_size;
    const std::array<std::pair<std::size_t, double>, 3> sizes = {{{rows / 2, 0.5}, {rows, 0.5}, {rows, 0.2}}};
    for (const auto& [total, share] : sizes)
        for (const double mixed : shares_mixed)
            steps.push_back({"mixtures of words", 0.2, true,
                             [&, how = parts_of(options, total, share), mixed](const Execution& execution) mutable {
                                 how.mixed = mixed;
                                 return CalibrationStep{{}, rates_of_mixture(*work.parted, how, options, execution)};
                             }});
    for (const Shapes& shapes : shapes_compared)
        for (const std::size_t n : {rows / 2, rows / 5})
            steps.push_back(
                {"simulated clouds", 0.1, true, [&, shapes, n, rows](const Execution& execution) {
                     const double r = std::sqrt(work.parted->median_cosine());
                     const std::size_t dimension = work.store.dimension();
                     return CalibrationStep{rates_of_shapes(shapes, n, rows - n, r, dimension, options, execution), {}};
                 }});
}

// They refer to `work`.
std::vector<Step> steps_of(const Work& work) {
    const CalibrateOptions& options = work.options;
    std::vector<Step> steps;
    const auto add_halves = [&](NullKind kind, double weight) {
        steps.push_back({"halves of words", weight, false, [&, kind](const Execution& execution) {
                             return CalibrationStep{rates_of_halves(work.store, kind, options, execution), {}};
                         }});
    };
    add_halves(NullKind::split_halves, 0.4);
    add_halves(NullKind::turned_halves, 0.2);
    add_halves(NullKind::unequal_halves, 0.25);
    const auto add_documents = [&](NullKind kind) {
        steps.push_back({"halves of documents", 0.3, true, [&, kind](const Execution& execution) {
                             auto rates = rates_of_documents(*work.parted, kind, options, execution);
                             if (!rates && work.insists)
                                 throw InputError(work.store.folder() + ": no word with " +
                                                  std::to_string(options.common_size) +
                                                  " rows has them in enough documents to divide; expected at least 5 "
                                                  "documents: calibrate rows, or extract more documents");
                             return CalibrationStep{std::move(rates), {}};
                         }});
    };
    if (*options.documents) {
        add_documents(NullKind::document_halves);
        add_documents(NullKind::unequal_documents);
    }
    steps.push_back({"neighbours in rank", 0.15, false, [&](const Execution& execution) {
                         return CalibrationStep{rates_of_neighbours(work.store, options, execution), {}};
                     }});
    if (options.power) add_power_steps(steps, work);
    return steps;
}

Work work_of(const Store& store, CalibrateOptions options) {
    if (options.alphas.empty()) throw InputError("alpha: there is none; expected at least one level, such as 0.05");
    for (const double alpha : options.alphas) study::require_level("alpha", alpha);
    study::require_any("count", options.count);
    const bool insists = options.documents.value_or(false);
    resolve_documents(options, store);
    options.common_size = study::common_size(store, options.common_size, fewest_to_halve, "calibration").rows;
    return {store, std::move(options), insists};
}

bool is_simulated(NullKind kind) {
    return kind >= NullKind::round_stretched;
}

// Nothing where pairs of this kind were not tested by the method.
const MethodRates* rates_of(const NullRates& null, const Method& method) {
    const auto found = std::ranges::find(null.methods, method, &MethodRates::method);
    return found == null.methods.end() ? nullptr : &*found;
}

// Neighbours may differ in truth, and are not judged.
bool passes(const Calibration& calibration, const Method& method, bool simulated) {
    for (const NullRates& null : calibration.nulls) {
        if (null.kind == NullKind::neighbours || is_simulated(null.kind) != simulated) continue;
        const MethodRates* const found = rates_of(null, method);
        if (found == nullptr) continue;
        for (std::size_t a = 0; a < calibration.options.alphas.size(); ++a)
            if (is_surely_above(found->rates[a], calibration.options.alphas[a])) return false;
    }
    return true;
}

std::optional<ShapeRate> worst_shape(const Calibration& calibration, const Method& method) {
    std::optional<ShapeRate> worst;
    for (const NullRates& null : calibration.nulls) {
        const MethodRates* const found = is_simulated(null.kind) ? rates_of(null, method) : nullptr;
        if (found == nullptr) continue;
        const Rate& rate = found->rates[calibration.main_alpha()];
        if (!worst || rate.value > worst->rate.value) worst = {null.kind, null.n, null.m, rate};
    }
    return worst;
}

Rate power_over_all(const Calibration& calibration, const Method& method) {
    std::size_t hits = 0, trials = 0;
    for (const MixtureRates& mixture : calibration.mixtures)
        for (const MethodPower& power : mixture.methods)
            if (power.method == method) {
                hits += power.detected[calibration.main_alpha()].hits;
                trials += power.detected[calibration.main_alpha()].trials;
            }
    return rate_of(hits, trials);
}

// Whether a method is to be preferred to one that comes first by `preference`. False positives go before power.
bool is_better(const JudgedMethod& method, const JudgedMethod& first) {
    if (method.worst_shape && first.worst_shape) {
        const Rate &of_method = method.worst_shape->rate, &of_first = first.worst_shape->rate;
        if (of_method.high < of_first.low) return true;
        if (of_first.high < of_method.low) return false;
    }
    return method.power.low > first.power.high;
}

void judge(Calibration& calibration) {
    std::vector<Method> tried(methods.begin(), methods.end());
    const auto has_blocks = [](const NullRates& null) { return null.methods.back().method == block_method; };
    if (std::ranges::any_of(calibration.nulls, has_blocks)) tried.push_back(block_method);
    for (const Method& method : tried)
        calibration.judged.push_back({method, passes(calibration, method, false), power_over_all(calibration, method),
                                      worst_shape(calibration, method), passes(calibration, method, true)});
    const JudgedMethod* best = nullptr;
    for (const Method& method : preference) {
        const auto found = std::ranges::find(calibration.judged, method, &JudgedMethod::method);
        if (found == calibration.judged.end() || !found->keeps_its_level) continue;
        if (best == nullptr || is_better(*found, *best)) best = &*found;
    }
    if (best != nullptr) calibration.recommended = best->method;
}

}  // namespace

bool is_surely_above(const Rate& rate, double alpha) {
    return rate_of(rate.hits, rate.trials, 0.999).low > alpha;
}

std::size_t Calibration::main_alpha() const {
    const auto distance = [](double alpha) { return std::abs(alpha - 0.05); };
    return static_cast<std::size_t>(std::ranges::min_element(options.alphas, {}, distance) - options.alphas.begin());
}

std::size_t calibration_steps(const Store& store, const CalibrateOptions& options) {
    return steps_of(work_of(store, options)).size();
}

std::vector<CalibrationStep> calibrate_steps(const Store& store, const CalibrateOptions& given,
                                             std::span<const std::size_t> numbers) {
    Work work = work_of(store, given);
    const Execution& execution = work.options.execution;
    const std::vector<Step> steps = steps_of(work);
    double total = 0, done = 0;
    bool parts_words = false;
    for (const std::size_t number : numbers) {
        total += steps.at(number).weight;
        parts_words = parts_words || steps[number].parts_words;
    }
    if (parts_words) work.parted.emplace(store, work.options.common_size, work.options.power, execution);
    std::vector<CalibrationStep> found;
    for (const std::size_t number : numbers) {
        const Step& step = steps[number];
        study::as_a_stage(step.name, study::stage(execution, done / total, (done + step.weight) / total),
                          [&](const Execution& part) { found.push_back(step.run(part)); });
        done += step.weight;
    }
    return found;
}

Calibration calibration_of(const Store& store, const CalibrateOptions& given, std::vector<CalibrationStep> steps) {
    Work work = work_of(store, given);
    Calibration result;
    result.store = store.folder();
    result.options = std::move(work.options);
    const auto has_enough = [&](const auto& word) { return word.rows >= result.options.common_size; };
    result.words = static_cast<std::size_t>(std::ranges::count_if(store.words(), has_enough));
    for (CalibrationStep& step : steps) {
        if (step.null) result.nulls.push_back(*std::move(step.null));
        if (step.mixture) result.mixtures.push_back(*std::move(step.mixture));
    }
    result.needed =
        needed_of(store, result.options, result.options.alphas[result.main_alpha()], result.options.execution);
    judge(result);
    return result;
}

Calibration calibrate(const Store& store, const CalibrateOptions& options) {
    std::vector<std::size_t> all(calibration_steps(store, options));
    std::iota(all.begin(), all.end(), std::size_t{0});
    return calibration_of(store, options, calibrate_steps(store, options, all));
}

}  // namespace wordbreadth
