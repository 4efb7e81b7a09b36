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

#include "engine/company.h"
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

void TestCloud::summarise(bool with_blocks) {
    summary_ = geometry::summarise(rows_, with_blocks);
    if (summary_->sums) blocks_.emplace(rows_, *summary_->sums);
}

TestCloud TestCloud::for_results() const {
    TestCloud copy(rows_);
    copy.summary_ = {summary_->r, summary_->log_v, summary_->rows, summary_->blocks, {}};
    return copy;
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

constexpr std::size_t pairs_at_a_time = std::size_t{1} << 18;  // given to a backend: their tasks take memory
// Pairs x splits of what is shared among backends: two full batches of a GPU, some 20 ms of an H200. Fewer would leave
// it idle in between, more would be waited for at the end.
constexpr std::uint64_t shared_cells = std::uint64_t{1} << 26;
constexpr std::size_t results_at_a_time = 256;  // made by a thread

}  // namespace

PairTests::PairTests(Backend& backend, std::span<const TestPair> pairs, const TestOptions& options, bool keep)
    : pairs_(pairs), options_(options) {
    check_options(options);
    for (const TestPair& pair : pairs) check_pair(pair.figures(), options.statistic);
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
    run_all(backend, keep, monitor);
    for (auto& [shape, group] : groups_) group.members = {};
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    seconds_ = spent.count() / static_cast<double>(pairs.size());
    if (options.execution.progress) options.execution.progress(1.0);
}

void PairTests::make_groups() {
    Shape last;
    std::vector<std::size_t>* members = nullptr;  // of that shape
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        const TestPair& pair = pairs_[i];
        const FiguresOfPair figures = pair.figures();
        const Statistic statistic = statistic_of(figures, options_);
        if (!why_undefined(figures, statistic).empty()) continue;
        const Shape shape{statistic, permuted_of(figures, statistic), figures.x.dimension};
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

std::vector<PairTests::Item> PairTests::items(bool shared) const {
    std::vector<Item> all;
    for (const auto& [shape, group] : groups_) {
        const std::uint64_t few = shared_cells / std::max<std::uint64_t>(group.splits.count, 1);
        const std::size_t most = shared ? std::clamp<std::size_t>(few, 1, pairs_at_a_time) : pairs_at_a_time;
        for (std::size_t first = 0; first < group.members.size(); first += most)
            all.push_back({std::get<Statistic>(shape), &group, first, std::min(most, group.members.size() - first)});
    }
    return all;
}

// Rows in the memory of one GPU are not for the others.
void PairTests::run_all(Backend& backend, bool keep, base::Monitor& monitor) {
    const auto is_on_device = [](const TestPair& pair) {
        return pair.x->rows().on_device() != nullptr || pair.y->rows().on_device() != nullptr;
    };
    const bool shared = backend.companions() > 0 && std::ranges::none_of(pairs_, is_on_device);
    const std::vector<Item> list = items(shared);
    if (!shared) {
        for (const Item& item : list) run_item(backend, item, keep, monitor);
        return;
    }
    std::vector<double> sizes;
    for (const Item& item : list)
        sizes.push_back(static_cast<double>(item.count) * static_cast<double>(item.group->splits.count));
    run_with_company(
        backend, sizes, [&](Backend& one, std::size_t i) { run_item(one, list[i], keep, monitor); }, monitor);
}

void PairTests::run_item(Backend& backend, const Item& item, bool keep, base::Monitor& monitor) {
    const auto& [statistic, group, first, count] = item;
    const auto members = std::span<const std::size_t>(group->members).subspan(first, count);
    // Too little memory for a null distribution is better found out before the counting.
    if (options_.null_distribution)
        for (const std::size_t i : members) null_distributions_[i].reserve(group->splits.count);
    // A family looks at every split.
    const std::uint64_t adaptive = options_.max_t ? 0 : options_.adaptive;
    std::vector<PairTask> tasks;
    tasks.reserve(count);
    for (const std::size_t i : members) {
        const permutation::Exceedance exceeds(observed_of(pairs_[i].figures(), statistic), options_.alternative);
        tasks.push_back(task_of(pairs_[i], statistic, exceeds));
    }
    run_some(backend, {tasks, options_.align, statistic, group->splits, adaptive, keep}, members, monitor);
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
    TestResult found = observe(pairs_[i].figures(), options_);
    found.device = device_;
    found.seconds = seconds_;
    if (!found.undefined.empty()) return found;
    const permutation::Splits& splits = groups_.at({found.statistic, sizes_of(found), found.d}).splits;
    add_count(found, tallies_[i], splits);
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
