#include "engine/pair_tests.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "engine/null.h"
#include "permutation/normal.h"
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
}

void check_pair(const geometry::UnitRows& x, const geometry::UnitRows& y) {
    if (x.dimension() != y.dimension())
        throw InputError(x.label() + " has " + std::to_string(x.dimension()) + " dimensions and " + y.label() +
                         " has " + std::to_string(y.dimension()) + "; both must come from the same model and layer");
    if (x.size() + y.size() > limits::rows_of_a_pair)
        throw InputError(x.label() + " and " + y.label() + " have " + std::to_string(x.size() + y.size()) +
                         " rows together; expected at most " + std::to_string(limits::rows_of_a_pair) +
                         ": take a sample of each");
}

namespace {

// Empty, or why the pair has no test.
std::string why_undefined(const TestPair& pair, Statistic statistic) {
    if (statistic == Statistic::plain) return {};
    if (pair.x->rows.size() == 2 && pair.y->rows.size() == 2)
        return pair.x->rows.label() + " and " + pair.y->rows.label() +
               " have 2 rows each, too few for the robust statistic; expected at least 3 in one of them, or use the "
               "plain statistic";
    for (const TestCloud* cloud : {pair.x, pair.y})
        if (!std::isfinite(cloud->summary->debiased.log_v))
            return cloud->rows.label() +
                   ": the robust statistic is undefined, because the mean cosine between its rows is not above 0 (it "
                   "cannot be told from a uniform cloud); use more rows or the plain statistic";
    return {};
}

}  // namespace

double observed_value(const TestResult& result) {
    return result.t ? *result.t : result.T;
}

TestResult observe(const TestPair& pair, const TestOptions& options) {
    const geometry::UnitRows &x = pair.x->rows, &y = pair.y->rows;
    const geometry::Summary &of_x = *pair.x->summary, &of_y = *pair.y->summary;
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
    result.ratio = std::exp(result.T);
    result.standard_error = std::sqrt(of_x.debiased.variance_of_log_v + of_y.debiased.variance_of_log_v);
    const double reach = permutation::normal_quantile(0.5 + options.confidence / 2) * result.standard_error;
    result.ci_low = result.T - reach;
    result.ci_high = result.T + reach;
    result.p = std::numeric_limits<double>::quiet_NaN();
    result.statistic = options.statistic;
    result.alternative = options.alternative;
    result.align = options.align;
    result.seed = options.seed;
    result.undefined = why_undefined(pair, options.statistic);
    if (options.statistic == Statistic::robust && result.undefined.empty())
        result.t = (of_x.debiased.log_v - of_y.debiased.log_v) / result.standard_error;
    return result;
}

namespace {

// Pairs of one shape, by their places in the list of results.
using Groups = std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::vector<std::size_t>>;

class PairTests {
  public:
    PairTests(Backend& backend, std::span<const TestPair> pairs, const TestOptions& options, bool keep)
        : backend_(backend), pairs_(pairs), options_(options), keep_(keep) {}

    std::vector<TestResult> run() {
        summarise_all();
        Groups groups;
        for (const TestPair& pair : pairs_) {
            const TestResult& result = results_.emplace_back(observe(pair, options_));
            results_.back().device = backend_.label();
            if (result.undefined.empty()) groups[{result.n, result.m, result.d}].push_back(results_.size() - 1);
        }
        base::Monitor monitor(total_work(groups), options_.execution.progress, options_.execution.stop);
        for (const auto& [shape, members] : groups) run_group(members, monitor);
        return std::move(results_);
    }

  private:
    // Each cloud once, however many pairs and calls it stands in.
    void summarise_all() {
        std::set<TestCloud*> unknown;
        for (const TestPair& pair : pairs_)
            for (TestCloud* cloud : {pair.x, pair.y})
                if (!cloud->summary) unknown.insert(cloud);
        const std::vector<TestCloud*> clouds(unknown.begin(), unknown.end());
        backend_.workers().run(clouds.size(), [&](std::size_t k, std::size_t) {
            clouds[k]->summary = geometry::summarise(clouds[k]->rows);
        });
    }

    [[nodiscard]] permutation::Splits splits_of(const TestResult& result) const {
        return permutation::Splits::plan(result.n, result.m, options_.permutations, options_.seed);
    }

    [[nodiscard]] double total_work(const Groups& groups) const {
        double work = 0;
        for (const auto& [shape, members] : groups)
            work += static_cast<double>(members.size()) * static_cast<double>(splits_of(results_[members[0]]).count);
        return std::max(work, 1.0) * (wants_null(options_) ? 2 : 1);
    }

    void run_group(const std::vector<std::size_t>& members, base::Monitor& monitor) {
        std::vector<PairTask> tasks;
        for (const std::size_t index : members)
            tasks.push_back({&pairs_[index].x->rows, &pairs_[index].y->rows,
                             permutation::Exceedance(observed_value(results_[index]), options_.alternative)});
        const Job job{tasks, options_.align, options_.statistic, splits_of(results_[members[0]]), options_.adaptive,
                      keep_};
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
    for (const TestPair& pair : pairs) check_pair(pair.x->rows, pair.y->rows);
    const auto start = std::chrono::steady_clock::now();
    std::vector<TestResult> results = PairTests(backend, pairs, options, keep).run();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (TestResult& result : results) result.seconds = seconds / static_cast<double>(results.size());
    if (options.execution.progress) options.execution.progress(1.0);
    return results;
}

}  // namespace wordbreadth::engine
