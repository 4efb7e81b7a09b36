#include "engine/pair_tests.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "permutation/distributions.h"
#include "permutation/pooled.h"
#include "permutation/tail.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::engine {

void check_options(const TestOptions& options) {
    if (options.permutations == 0 || options.permutations > limits::permutations)
        throw InputError("permutations = " + std::to_string(options.permutations) + "; expected 1 to " +
                         std::to_string(limits::permutations));
    if (!(options.confidence > 0 && options.confidence < 1))
        throw InputError("confidence = " + std::to_string(options.confidence) +
                         "; expected a number between 0 and 1, such as 0.95");
    if (options.null_distribution && options.permutations > limits::null_distribution)
        throw InputError("the null distribution of " + std::to_string(options.permutations) +
                         " permutations is too large to keep; expected at most " +
                         std::to_string(limits::null_distribution));
    if (options.max_t && options.permutations > limits::null_distribution)
        throw InputError("permutations = " + std::to_string(options.permutations) +
                         "; adjusting by maxT keeps a number for each of them: expected at most " +
                         std::to_string(limits::null_distribution));
}

void check_pair(const geometry::UnitRows& x, const geometry::UnitRows& y, Statistic statistic) {
    for (const geometry::UnitRows* cloud : {&x, &y})
        if (statistic == Statistic::blocks && cloud->blocks().empty())
            throw InputError(
                cloud->label() +
                ": its rows have no documents (blocks) to permute; give the document of each row, or permute "
                "rows");
    if (x.dimension() != y.dimension())
        throw InputError(x.label() + " has " + std::to_string(x.dimension()) + " dimensions and " + y.label() +
                         " has " + std::to_string(y.dimension()) + "; both must come from the same model and layer");
    if (x.size() + y.size() > limits::rows_of_a_pair)
        throw InputError(x.label() + " and " + y.label() + " have " + std::to_string(x.size() + y.size()) +
                         " rows together; expected at most " + std::to_string(limits::rows_of_a_pair) +
                         ": take a sample of each");
}

void TestCloud::summarise(bool with_blocks) {
    summary_ = geometry::summarise(rows_, with_blocks);
    if (summary_->sums) blocks_.emplace(rows_, *summary_->sums);
}

TestCloud TestCloud::for_results() const {
    TestCloud copy(rows_);
    copy.summary_ = {summary_->r, summary_->log_v, summary_->rows, summary_->blocks, {}};
    return copy;
}

namespace {

// What the pair is tested by.
Statistic statistic_of(const TestPair& pair, const TestOptions& options) {
    if (options.statistic != Statistic::automatic) return options.statistic;
    const bool known = !pair.x->rows().blocks().empty() && !pair.y->rows().blocks().empty();
    // A family needs statistics of one scale.
    const Statistic otherwise = options.max_t ? Statistic::robust : Statistic::plain;
    return known ? Statistic::blocks : otherwise;
}

const geometry::Pairwise& pairwise_of(const TestCloud& cloud, Statistic statistic) {
    return statistic == Statistic::blocks ? *cloud.summary().blocks : cloud.summary().rows;
}

// Empty, or why the pair has no test.
std::string why_undefined(const TestPair& pair, Statistic statistic) {
    if (statistic == Statistic::plain) return {};
    const bool blocks = statistic == Statistic::blocks;
    for (const TestCloud* cloud : {pair.x, pair.y})
        if (blocks && cloud->summary().blocks->blocks < 2)
            return cloud->rows().label() + ": all " + std::to_string(cloud->rows().size()) +
                   " rows are of one document, and a test that permutes documents needs at least 2; take rows from "
                   "more documents, or permute rows, which assumes that rows of one document are independent";
    const std::string units = blocks ? " documents" : " rows";
    if (pairwise_of(*pair.x, statistic).blocks == 2 && pairwise_of(*pair.y, statistic).blocks == 2)
        return pair.x->rows().label() + " and " + pair.y->rows().label() + " have 2" + units +
               " each, too few for the robust statistic; expected at least 3 in one of them" +
               (blocks ? "" : ", or use the plain statistic");
    for (const TestCloud* cloud : {pair.x, pair.y})
        if (!std::isfinite(pairwise_of(*cloud, statistic).debiased.log_v))
            return cloud->rows().label() +
                   ": the robust statistic is undefined, because the mean cosine between its rows" +
                   (blocks ? " of different documents" : "") +
                   " is not above 0 (it cannot be told from a uniform cloud); use more rows or the plain statistic";
    return {};
}

// The effect, log of the ratio of breadths, with an interval where there is one.
void add_effect(TestResult& result, const TestPair& pair, double confidence) {
    const geometry::Pairwise& x = pairwise_of(*pair.x, result.statistic);
    const geometry::Pairwise& y = pairwise_of(*pair.y, result.statistic);
    result.effect = x.debiased.log_v - y.debiased.log_v;
    result.ratio = std::exp(result.effect);
    const double of_x = x.standard_error * x.standard_error;
    const double of_y = y.standard_error * y.standard_error;
    result.standard_error = std::sqrt(of_x + of_y);
    result.ci_low = result.ci_high = result.degrees_of_freedom = std::numeric_limits<double>::quiet_NaN();
    if (!(result.standard_error > 0)) return;
    // Welch and Satterthwaite.
    result.degrees_of_freedom =
        (of_x + of_y) * (of_x + of_y) /
        (of_x * of_x / static_cast<double>(x.blocks - 1) + of_y * of_y / static_cast<double>(y.blocks - 1));
    const Interval interval = confidence_interval(result, confidence);
    result.ci_low = interval.low;
    result.ci_high = interval.high;
}

// As sizes_of() and observed_value() of its result.
std::pair<std::size_t, std::size_t> permuted_of(const TestPair& pair, Statistic statistic) {
    if (statistic == Statistic::blocks) return {pair.x->summary().blocks->blocks, pair.y->summary().blocks->blocks};
    return {pair.x->rows().size(), pair.y->rows().size()};
}

double observed_of(const TestPair& pair, Statistic statistic) {
    if (statistic == Statistic::plain) return pair.x->summary().log_v - pair.y->summary().log_v;
    return geometry::studentised(pairwise_of(*pair.x, statistic).debiased, pairwise_of(*pair.y, statistic).debiased);
}

}  // namespace

double observed_value(const TestResult& result) {
    return result.t ? *result.t : result.T;
}

std::pair<std::size_t, std::size_t> sizes_of(const TestResult& result) {
    if (result.statistic == Statistic::blocks) return {result.blocks_x, result.blocks_y};
    return {result.n, result.m};
}

PairTask task_of(const TestPair& pair, Statistic statistic, const permutation::Exceedance& exceeds) {
    if (statistic != Statistic::blocks) return {&pair.x->rows(), &pair.y->rows(), exceeds};
    return {&*pair.x->blocks(), &*pair.y->blocks(), exceeds};
}

void summarise_all(Backend& backend, std::span<const TestPair> pairs, const TestOptions& options) {
    const bool with_blocks = takes_blocks(options.statistic);
    std::unordered_set<TestCloud*> unknown;
    const TestCloud* last = nullptr;  // pairs of a vocabulary come by their first cloud
    for (const TestPair& pair : pairs) {
        for (TestCloud* cloud : {pair.x, pair.y})
            if (cloud != last && !cloud->is_summarised(with_blocks)) unknown.insert(cloud);
        last = pair.x;
    }
    const std::vector<TestCloud*> clouds(unknown.begin(), unknown.end());
    const Timing::Stage stage(options.execution.timing, "breadths and errors");
    backend.workers().run(clouds.size(), [&](std::size_t k, std::size_t) {
        if (options.execution.stop.stop_requested()) throw Cancelled();
        clouds[k]->summarise(with_blocks);
    });
}

CloudPairs::CloudPairs(std::span<const Cloud> clouds, std::span<const Pair> pairs) {
    clouds_.reserve(clouds.size());
    pairs_.reserve(pairs.size());
    for (const Cloud& cloud : clouds) clouds_.emplace_back(cloud);
    for (const Pair& pair : pairs) {
        const std::size_t last = std::max(pair.x, pair.y);
        if (last >= clouds.size())
            throw InputError("a pair names cloud number " + std::to_string(last) + "; there are " +
                             std::to_string(clouds.size()) + " clouds, counted from 0");
        pairs_.push_back({&clouds_[pair.x], &clouds_[pair.y]});
    }
}

TestResult observe(const TestPair& pair, const TestOptions& options) {
    const geometry::UnitRows &x = pair.x->rows(), &y = pair.y->rows();
    const geometry::Summary &of_x = pair.x->summary(), &of_y = pair.y->summary();
    TestResult result;
    result.x = x.name();
    result.y = y.name();
    result.x_source = x.origin();
    result.y_source = y.origin();
    result.n = x.size();
    result.m = y.size();
    result.d = x.dimension();
    result.r_x = of_x.r;
    result.r_y = of_y.r;
    result.v_x = std::exp(of_x.log_v);
    result.v_y = std::exp(of_y.log_v);
    result.T = observed_of(pair, Statistic::plain);
    result.p = result.smallest_p = std::numeric_limits<double>::quiet_NaN();
    result.statistic = statistic_of(pair, options);
    if (result.statistic == Statistic::blocks) {
        result.blocks_x = of_x.blocks->blocks;
        result.blocks_y = of_y.blocks->blocks;
    }
    add_effect(result, pair, options.confidence);
    result.alternative = options.alternative;
    result.align = options.align;
    result.seed = options.seed;
    result.undefined = why_undefined(pair, result.statistic);
    if (result.statistic == Statistic::plain || !result.undefined.empty()) return result;
    result.t = observed_of(pair, result.statistic);
    return result;
}

namespace {

constexpr std::uint64_t piece_size = 256;  // splits a thread takes at a time

bool tail_is_wanted(const TestResult& result, const TestOptions& options) {
    return options.tail_estimate && !result.exact && !result.stopped_early &&
           result.exceedances < permutation::enough_exceedances;
}

// Whether the null distribution itself is asked for, or its tail.
bool wants_null(const TestOptions& options) {
    return options.null_distribution || options.tail_estimate;
}

// Evaluates the statistic of every split that the test looked at, in float64, and adds to `result` what `options` ask
// for: all the values, or the estimate of the tail where p is as small as the number of splits lets it be.
void add_null(TestResult& result, const PairTask& pair, const Job& job, const TestOptions& options,
              base::Workers& workers, base::Monitor& monitor) {
    const bool tail = tail_is_wanted(result, options);
    if (!tail && !options.null_distribution) return;
    const Timing::Stage stage(monitor.timing(), "null distribution");
    const permutation::Pooled pooled(*pair.x, *pair.y, job.align);
    std::vector<permutation::TopValues> tops(workers.size(), permutation::TopValues(permutation::tail_values_needed));
    if (options.null_distribution) result.null_distribution.resize(result.permutations);
    const std::uint64_t pieces = (result.permutations + piece_size - 1) / piece_size;
    workers.run(pieces, [&](std::size_t piece, std::size_t worker) {
        monitor.check();
        std::vector<std::uint8_t> mask(job.splits.N);
        std::vector<double> scratch;
        const std::uint64_t end = std::min((piece + 1) * piece_size, result.permutations);
        for (std::uint64_t b = piece * piece_size; b < end; ++b) {
            job.splits.write(b + 1, mask);
            const double value = pooled.statistic(job.statistic, mask, scratch);
            if (options.null_distribution) result.null_distribution[b] = value;
            tops[worker].add(permutation::towards(options.alternative, value));
        }
        monitor.advance(static_cast<double>(end - piece * piece_size));
    });
    for (std::size_t worker = 1; worker < tops.size(); ++worker) tops[0].merge(tops[worker]);
    if (tail)
        result.tail = permutation::estimate_tail(tops[0].descending(),
                                                 permutation::towards(options.alternative, observed_value(result)),
                                                 result.permutations);
}

// The observed split is one of all; two-sided, its mirror image is as extreme where both groups are of one size.
double smallest_p(const TestResult& result, const permutation::Splits& splits) {
    const auto [n, m] = sizes_of(result);
    const bool mirrored = splits.enumerated && n == m && result.alternative == Alternative::two_sided;
    return (mirrored ? 2.0 : 1.0) / static_cast<double>(splits.enumerated ? splits.count : splits.count + 1);
}

constexpr std::size_t pairs_at_a_time = std::size_t{1} << 18;  // given to a backend: their tasks take memory
constexpr std::size_t results_at_a_time = 256;                 // made by a thread

}  // namespace

PairTests::PairTests(Backend& backend, std::span<const TestPair> pairs, const TestOptions& options, bool keep)
    : pairs_(pairs), options_(options) {
    check_options(options);
    for (const TestPair& pair : pairs) check_pair(pair.x->rows(), pair.y->rows(), options.statistic);
    const auto start = std::chrono::steady_clock::now();
    options_.execution = {};  // what it refers to may end with this call
    device_ = backend.label();
    tallies_.resize(pairs.size());
    p_.assign(pairs.size(), std::numeric_limits<double>::quiet_NaN());
    if (options.null_distribution) null_distributions_.resize(pairs.size());
    if (options.tail_estimate) tails_.resize(pairs.size());
    summarise_all(backend, pairs, options);
    make_groups();
    const Execution& execution = options.execution;
    base::Monitor monitor(total_work(), execution.progress, execution.stop, execution.timing);
    for (auto& [shape, group] : groups_) {
        run_group(backend, std::get<Statistic>(shape), group, keep, monitor);
        group.members = {};
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    seconds_ = spent.count() / static_cast<double>(pairs.size());
    if (options.execution.progress) options.execution.progress(1.0);
}

void PairTests::make_groups() {
    Shape last;
    std::vector<std::size_t>* members = nullptr;  // of that shape
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        const TestPair& pair = pairs_[i];
        const Statistic statistic = statistic_of(pair, options_);
        if (!why_undefined(pair, statistic).empty()) continue;
        const Shape shape{statistic, permuted_of(pair, statistic), pair.x->rows().dimension()};
        if (members == nullptr || shape != last) {
            const auto [entry, is_new] = groups_.try_emplace(shape);
            const auto [n, m] = std::get<1>(shape);
            if (is_new) entry->second.splits = permutation::Splits::plan(n, m, options_.permutations, options_.seed);
            members = &entry->second.members;
            last = shape;
        }
        members->push_back(i);
    }
}

double PairTests::total_work() const {
    double work = 0;
    for (const auto& [shape, group] : groups_)
        work += static_cast<double>(group.members.size()) * static_cast<double>(group.splits.count);
    return std::max(work, 1.0) * (wants_null(options_) ? 2 : 1);
}

void PairTests::run_group(Backend& backend, Statistic statistic, const Group& group, bool keep,
                          base::Monitor& monitor) {
    // Too little memory for a null distribution is better found out before the counting.
    if (options_.null_distribution)
        for (const std::size_t i : group.members) null_distributions_[i].reserve(group.splits.count);
    // A family looks at every split.
    const std::uint64_t adaptive = options_.max_t ? 0 : options_.adaptive;
    std::vector<PairTask> tasks;
    for (std::span<const std::size_t> rest(group.members); !rest.empty();) {
        const auto some = rest.first(std::min(rest.size(), pairs_at_a_time));
        rest = rest.subspan(some.size());
        tasks.clear();
        tasks.reserve(some.size());
        for (const std::size_t i : some) {
            const permutation::Exceedance exceeds(observed_of(pairs_[i], statistic), options_.alternative);
            tasks.push_back(task_of(pairs_[i], statistic, exceeds));
        }
        run_some(backend, {tasks, options_.align, statistic, group.splits, adaptive, keep}, some, monitor);
    }
}

void PairTests::run_some(Backend& backend, const Job& job, std::span<const std::size_t> members,
                         base::Monitor& monitor) {
    const std::vector<permutation::Tally> tallies = backend.count(job, monitor);
    for (std::size_t k = 0; k < members.size(); ++k) {
        const std::size_t i = members[k];
        tallies_[i] = tallies[k];
        p_[i] = permutation::p_value(tallies[k], job.splits);
        if (!wants_null(options_)) continue;
        TestResult found = result(i);
        if (options_.null_distribution) found.null_distribution = std::move(null_distributions_[i]);
        add_null(found, job.pairs[k], job, options_, backend.workers(), monitor);
        if (options_.null_distribution) null_distributions_[i] = std::move(found.null_distribution);
        if (options_.tail_estimate) tails_[i] = found.tail;
    }
}

TestResult PairTests::result(std::size_t i) const {
    TestResult found = observe(pairs_[i], options_);
    found.device = device_;
    found.seconds = seconds_;
    if (!found.undefined.empty()) return found;
    const permutation::Splits& splits = groups_.at({found.statistic, sizes_of(found), found.d}).splits;
    found.exceedances = tallies_[i].exceedances;
    found.permutations = tallies_[i].looked_at;
    found.stopped_early = tallies_[i].stopped_early;
    found.exact = splits.enumerated;
    found.p = p_[i];
    found.smallest_p = smallest_p(found, splits);
    if (!tails_.empty()) found.tail = tails_[i];
    return found;
}

std::vector<TestResult> PairTests::take_all(base::Workers& workers) {
    std::vector<TestResult> results(pairs_.size());
    workers.run((results.size() + results_at_a_time - 1) / results_at_a_time, [&](std::size_t piece, std::size_t) {
        const std::size_t end = std::min((piece + 1) * results_at_a_time, results.size());
        for (std::size_t i = piece * results_at_a_time; i < end; ++i) results[i] = result(i);
    });
    for (std::size_t i = 0; i < null_distributions_.size(); ++i)
        results[i].null_distribution = std::move(null_distributions_[i]);
    return results;
}

namespace {

// Tests that are over, with clouds of their own.
struct EndedTests {
    PairTests tests;
    std::vector<TestCloud> clouds;
    std::vector<TestPair> pairs;

    EndedTests(PairTests all, std::span<const TestPair> tested) : tests(std::move(all)) {
        std::unordered_map<const TestCloud*, std::size_t> places;
        for (const TestPair& pair : tested)
            for (const TestCloud* cloud : {pair.x, pair.y})
                if (places.try_emplace(cloud, clouds.size()).second) clouds.push_back(cloud->for_results());
        pairs.reserve(tested.size());
        for (const TestPair& pair : tested) pairs.push_back({&clouds[places[pair.x]], &clouds[places[pair.y]]});
        tests.refer_to(pairs);
    }
    EndedTests(const EndedTests&) = delete;
    EndedTests& operator=(const EndedTests&) = delete;
};

}  // namespace

TestResults results_of(PairTests tests, std::span<const TestPair> pairs) {
    TestResults results;
    results.p.assign(tests.p().begin(), tests.p().end());
    const auto ended = std::make_shared<const EndedTests>(std::move(tests), pairs);
    results.result = [ended](std::size_t index) { return ended->tests.result(index); };
    return results;
}

std::vector<TestResult> run_tests(Backend& backend, std::span<const TestPair> pairs, const TestOptions& options,
                                  bool keep) {
    return PairTests(backend, pairs, options, keep).take_all(backend.workers());
}

}  // namespace wordbreadth::engine

namespace wordbreadth {

TestResults::TestResults(std::vector<TestResult> results) {
    p.reserve(results.size());
    for (const TestResult& each : results) p.push_back(each.p);
    const auto has_max_t = [](const TestResult& each) { return each.p_max_t || !each.undefined.empty(); };
    if (std::ranges::all_of(results, has_max_t))
        for (const TestResult& each : results) p_max_t.push_back(each.p_max_t.value_or(each.p));
    result = [all = std::make_shared<const std::vector<TestResult>>(std::move(results))](std::size_t index) {
        return all->at(index);
    };
}

}  // namespace wordbreadth
