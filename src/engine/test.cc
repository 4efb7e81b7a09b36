// The test of a pair and of many pairs: checks, observed statistics, the engine's counts, p-values.
#include "wordbreadth/test.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <tuple>

#include "base/workers.h"
#include "engine/backend.h"
#include "engine/effect.h"
#include "engine/null.h"
#include "engine/options.h"
#include "wordbreadth/error.h"

namespace wordbreadth {
namespace {

using engine::observe;
using engine::observed_value;
using engine::Summary;
using Clock = std::chrono::steady_clock;

// Pairs of one shape, by their places in the list of results.
using Groups = std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::vector<std::size_t>>;

struct CloudPair {
    const Cloud* x;
    const Cloud* y;
};

class PairTests {
  public:
    PairTests(std::span<const CloudPair> pairs, const TestOptions& options)
        : pairs_(pairs), options_(options), backend_(engine::make_backend(options.execution)) {
        engine::check_options(options);
        for (const CloudPair& pair : pairs) engine::check_pair(*pair.x, *pair.y);
    }

    std::vector<TestResult> run() {
        const auto start = Clock::now();
        const Summaries summaries = summarise_all();
        Groups groups;
        for (const CloudPair& pair : pairs_) {
            results_.push_back(observe(*pair.x, *pair.y, summaries.at(pair.x), summaries.at(pair.y), options_));
            results_.back().device = backend_->label();
            const TestResult& result = results_.back();
            if (result.undefined.empty()) groups[{result.n, result.m, result.d}].push_back(results_.size() - 1);
        }
        base::Monitor monitor(total_work(groups), options_.execution.progress, options_.execution.stop);
        for (const auto& [shape, members] : groups) run_group(members, monitor);
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        for (TestResult& result : results_) result.seconds = seconds / static_cast<double>(results_.size());
        if (options_.execution.progress) options_.execution.progress(1.0);
        return std::move(results_);
    }

  private:
    using Summaries = std::map<const Cloud*, Summary>;

    // Each cloud once, however many pairs it stands in.
    Summaries summarise_all() {
        Summaries summaries;
        for (const CloudPair& pair : pairs_) {
            summaries[pair.x];
            summaries[pair.y];
        }
        std::vector<Summaries::value_type*> entries;
        for (auto& entry : summaries) entries.push_back(&entry);
        base::Workers workers(
            static_cast<unsigned>(std::min<std::size_t>(engine::thread_count(options_.execution), entries.size())));
        workers.run(entries.size(),
                    [&](std::size_t k, std::size_t) { entries[k]->second = engine::summarise(*entries[k]->first); });
        return summaries;
    }

    [[nodiscard]] permutation::Splits splits_of(const TestResult& result) const {
        return permutation::Splits::plan(result.n, result.m, options_.permutations, options_.seed);
    }

    [[nodiscard]] double total_work(const Groups& groups) const {
        double work = 0;
        for (const auto& [shape, members] : groups)
            work += static_cast<double>(members.size()) * static_cast<double>(splits_of(results_[members[0]]).count);
        return std::max(work, 1.0) * (engine::wants_null(options_) ? 2 : 1);
    }

    void run_group(const std::vector<std::size_t>& members, base::Monitor& monitor) {
        std::vector<engine::PairTask> tasks;
        for (const std::size_t index : members)
            tasks.push_back({pairs_[index].x, pairs_[index].y,
                             permutation::Exceedance(observed_value(results_[index]), options_.alternative)});
        const engine::Job job{tasks, options_.align, options_.statistic, splits_of(results_[members[0]]),
                              options_.adaptive};
        // Too little memory for a null distribution is better found out before the counting.
        if (options_.null_distribution)
            for (const std::size_t index : members) results_[index].null_distribution.reserve(job.splits.count);
        const std::vector<permutation::Tally> tallies = backend_->count(job, monitor);
        for (std::size_t k = 0; k < members.size(); ++k) {
            TestResult& result = results_[members[k]];
            result.exceedances = tallies[k].exceedances;
            result.permutations = tallies[k].looked_at;
            result.stopped_early = tallies[k].stopped_early;
            result.exact = job.splits.enumerated;
            result.p = permutation::p_value(tallies[k], job.splits);
            if (engine::wants_null(options_)) engine::add_null(result, tasks[k], job, options_, monitor);
        }
    }

    std::span<const CloudPair> pairs_;
    const TestOptions& options_;
    std::unique_ptr<engine::Backend> backend_;
    std::vector<TestResult> results_;
};

}  // namespace

std::vector<TestResult> test_pairs(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                   const TestOptions& options) {
    std::vector<CloudPair> cloud_pairs;
    for (const Pair& pair : pairs) {
        if (std::max(pair.x, pair.y) >= clouds.size())
            throw InputError("a pair names cloud number " + std::to_string(std::max(pair.x, pair.y)) + "; there are " +
                             std::to_string(clouds.size()) + " clouds, counted from 0");
        cloud_pairs.push_back({&clouds[pair.x], &clouds[pair.y]});
    }
    return PairTests(cloud_pairs, options).run();
}

TestResult test(const Cloud& x, const Cloud& y, const TestOptions& options) {
    const CloudPair pair{&x, &y};
    TestResult result = PairTests({&pair, 1}, options).run().front();
    if (!result.undefined.empty()) throw InputError(result.undefined);
    return result;
}

}  // namespace wordbreadth
