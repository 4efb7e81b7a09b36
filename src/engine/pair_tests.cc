#include "engine/pair_tests.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
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
    const double reach =
        permutation::student_quantile(0.5 + confidence / 2, result.degrees_of_freedom) * result.standard_error;
    result.ci_low = result.effect - reach;
    result.ci_high = result.effect + reach;
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
    std::set<TestCloud*> unknown;
    for (const TestPair& pair : pairs)
        for (TestCloud* cloud : {pair.x, pair.y})
            if (!cloud->is_summarised(with_blocks)) unknown.insert(cloud);
    const std::vector<TestCloud*> clouds(unknown.begin(), unknown.end());
    backend.workers().run(clouds.size(), [&](std::size_t k, std::size_t) { clouds[k]->summarise(with_blocks); });
}

CloudPairs::CloudPairs(std::span<const Cloud> clouds, std::span<const Pair> pairs) {
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
    result.T = of_x.log_v - of_y.log_v;
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
    result.t = geometry::studentised(pairwise_of(*pair.x, result.statistic).debiased,
                                     pairwise_of(*pair.y, result.statistic).debiased);
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

// Pairs of one statistic and shape, by their places in the list of results.
using Groups =
    std::map<std::tuple<Statistic, std::pair<std::size_t, std::size_t>, std::size_t>, std::vector<std::size_t>>;

class PairTests {
  public:
    PairTests(Backend& backend, std::span<const TestPair> pairs, const TestOptions& options, bool keep)
        : backend_(backend), pairs_(pairs), options_(options), keep_(keep) {}

    std::vector<TestResult> run() {
        summarise_all(backend_, pairs_, options_);
        Groups groups;
        for (const TestPair& pair : pairs_) {
            const TestResult& result = results_.emplace_back(observe(pair, options_));
            results_.back().device = backend_.label();
            if (result.undefined.empty())
                groups[{result.statistic, sizes_of(result), result.d}].push_back(results_.size() - 1);
        }
        base::Monitor monitor(total_work(groups), options_.execution.progress, options_.execution.stop);
        for (const auto& [shape, members] : groups) run_group(members, monitor);
        return std::move(results_);
    }

  private:
    [[nodiscard]] permutation::Splits splits_of(const TestResult& result) const {
        const auto [n, m] = sizes_of(result);
        return permutation::Splits::plan(n, m, options_.permutations, options_.seed);
    }

    [[nodiscard]] double total_work(const Groups& groups) const {
        double work = 0;
        for (const auto& [shape, members] : groups)
            work += static_cast<double>(members.size()) * static_cast<double>(splits_of(results_[members[0]]).count);
        return std::max(work, 1.0) * (wants_null(options_) ? 2 : 1);
    }

    void run_group(const std::vector<std::size_t>& members, base::Monitor& monitor) {
        std::vector<PairTask> tasks;
        const Statistic statistic = results_[members[0]].statistic;
        for (const std::size_t index : members) {
            const permutation::Exceedance exceeds(observed_value(results_[index]), options_.alternative);
            tasks.push_back(task_of(pairs_[index], statistic, exceeds));
        }
        // A family looks at every split.
        const std::uint64_t adaptive = options_.max_t ? 0 : options_.adaptive;
        const Job job{tasks, options_.align, statistic, splits_of(results_[members[0]]), adaptive, keep_};
        // Too little memory for a null distribution is better found out before the counting.
        if (options_.null_distribution)
            for (const std::size_t index : members) results_[index].null_distribution.reserve(job.splits.count);
        const std::vector<permutation::Tally> tallies = backend_.count(job, monitor);
        for (std::size_t k = 0; k < members.size(); ++k) {
            TestResult& result = results_[members[k]];
            result.exceedances = tallies[k].exceedances;
            result.permutations = tallies[k].looked_at;
            result.stopped_early = tallies[k].stopped_early;
            result.exact = job.splits.enumerated;
            result.p = permutation::p_value(tallies[k], job.splits);
            result.smallest_p = smallest_p(result, job.splits);
            if (wants_null(options_)) add_null(result, tasks[k], job, options_, backend_.workers(), monitor);
        }
    }

    Backend& backend_;
    std::span<const TestPair> pairs_;
    const TestOptions& options_;
    bool keep_;
    std::vector<TestResult> results_;
};

}  // namespace

std::vector<TestResult> run_tests(Backend& backend, std::span<const TestPair> pairs, const TestOptions& options,
                                  bool keep) {
    check_options(options);
    for (const TestPair& pair : pairs) check_pair(pair.x->rows(), pair.y->rows(), options.statistic);
    const auto start = std::chrono::steady_clock::now();
    std::vector<TestResult> results = PairTests(backend, pairs, options, keep).run();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (TestResult& result : results) result.seconds = seconds / static_cast<double>(results.size());
    if (options.execution.progress) options.execution.progress(1.0);
    return results;
}

}  // namespace wordbreadth::engine
