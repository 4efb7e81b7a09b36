#include "engine/max_t.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "permutation/pooled.h"
#include "wordbreadth/error.h"

namespace wordbreadth::engine {

namespace {

// By the definition, which takes long for rows; and the scales of blocks differ more.
std::uint64_t splits_of_scale(Statistic statistic) {
    return statistic == Statistic::blocks ? 400 : 100;
}

// The root mean square of the statistic over the splits that follow `splits`, `count` of them. None of these may be
// among them: a permuted statistic would be measured by a scale that it has raised, the observed one by a scale that
// it has not, and the family-wise error would be above its level.

double scale_of(const PairTask& task, Statistic statistic, Alignment align, const permutation::Splits& splits,
                std::uint64_t count) {
    const permutation::Pooled pooled(*task.x, *task.y, align);
    std::vector<std::uint8_t> mask(splits.N);
    std::vector<double> scratch;
    double squares = 0, defined = 0;
    for (std::uint64_t b = 1; b <= count; ++b) {
        splits.write(splits.count + b, mask);
        const double value = pooled.statistic(statistic, mask, scratch);
        if (!std::isfinite(value)) continue;
        squares += value * value;
        ++defined;
    }
    const double scale = std::sqrt(squares / defined);
    return scale > 0 ? scale : 1;
}

}  // namespace

std::vector<double> scales_of(Backend& backend, std::span<const TestPair> pairs, std::span<const TestResult> results,
                              const TestOptions& options) {
    std::vector<double> scales(pairs.size(), 1);
    backend.workers().run(pairs.size(), [&](std::size_t i, std::size_t) {
        if (options.execution.stop.stop_requested()) throw Cancelled();
        const TestResult& result = results[i];
        if (!result.undefined.empty()) return;
        const auto [n, m] = sizes_of(result);
        const permutation::Exceedance unused(observed_value(result), options.alternative);
        scales[i] = scale_of(task_of(pairs[i], result.statistic, unused), result.statistic, options.align,
                             {n + m, n, options.permutations, options.seed, false},
                             std::min(options.permutations, splits_of_scale(result.statistic)));
    });
    return scales;
}

MaxT::MaxT(std::span<const TestResult> results, std::span<const double> scales, const TestOptions& options)
    : options_(options), results_(results.size()) {
    for (std::size_t i = 0; i < results.size(); ++i) {
        const TestResult& result = results[i];
        if (!result.undefined.empty()) continue;
        const auto [n, m] = sizes_of(result);
        members_.push_back({i, result.statistic, n, m, result.d, observed_value(result), result.p, scales[i]});
    }
    std::ranges::stable_sort(members_, std::ranges::greater{}, [&](const Member& member) {
        return permutation::towards(options_.alternative, member.observed / member.scale);
    });
    choose_splits();
    std::vector<double> scores;
    for (const Member& member : members_) scores.push_back(member.observed / member.scale);
    steps_.emplace(scores, options_.alternative, draws_);
}

void MaxT::choose_splits() {
    for (const Member& member : members_) shapes_.emplace_back(member.n, member.m);
    std::ranges::sort(shapes_);
    shapes_.erase(std::unique(shapes_.begin(), shapes_.end()), shapes_.end());
    draws_ = options_.permutations;
    if (shapes_.size() != 1) return;
    const auto plan =
        permutation::Splits::plan(shapes_[0].first, shapes_[0].second, options_.permutations, options_.seed);
    enumerated_ = plan.enumerated;
    draws_ = plan.count;
}

permutation::Splits MaxT::splits_of(const Member& member) const {
    return {member.n + member.m, member.n, draws_, options_.seed, enumerated_};
}

std::vector<std::size_t> MaxT::order() const {
    std::vector<std::size_t> places;
    for (std::size_t rank = members_.size(); rank-- > 0;) places.push_back(members_[rank].place);
    return places;
}

double MaxT::work() const {
    return std::max(static_cast<double>(members_.size()) * static_cast<double>(draws_), 1.0);
}

void MaxT::add(Backend& backend, std::span<const TestPair> pairs, bool keep, base::Monitor& monitor) {
    summarise_all(backend, pairs, options_);
    while (!pairs.empty()) {
        const std::size_t rank = members_.size() - 1 - added_;
        const Member& first = members_[rank];
        std::vector<PairTask> tasks;
        while (tasks.size() < pairs.size() && members_[rank - tasks.size()].is_like(first)) {
            const Member& member = members_[rank - tasks.size()];
            const permutation::Exceedance unused(member.observed, options_.alternative);
            tasks.push_back(task_of(pairs[tasks.size()], first.statistic, unused));
            tasks.back().scale = member.scale;
        }
        const auto shape = std::ranges::lower_bound(shapes_, std::pair(first.n, first.m));
        const auto shift = static_cast<std::uint64_t>(shape - shapes_.begin());
        const Job job{tasks, options_.align, first.statistic, splits_of(first), 0, keep};
        backend.step_down(job, {*steps_, static_cast<std::uint32_t>(rank), shift}, monitor);
        added_ += tasks.size();
        pairs = pairs.subspan(tasks.size());
    }
}

std::vector<double> MaxT::p() const {
    std::vector<double> all(results_, std::numeric_limits<double>::quiet_NaN());
    const std::vector<double> by_rank = steps_->p(enumerated_);
    // Where a test was enumerated and its family is drawn, the draws may have missed some of its splits.
    for (std::size_t rank = 0; rank < members_.size(); ++rank)
        all[members_[rank].place] = std::max(by_rank[rank], members_[rank].p);
    return all;
}

namespace {

// The execution of a part that goes from `from` to `to`, shares of the whole.
Execution stage(const Execution& whole, double from, double to) {
    Execution part = whole;
    if (whole.progress)
        part.progress = [progress = whole.progress, from, to](double done) { progress(from + (to - from) * done); };
    return part;
}

}  // namespace

std::vector<TestResult> run_family(Backend& backend, std::span<const TestPair> pairs, const TestOptions& options,
                                   bool keep) {
    if (!options.max_t) return run_tests(backend, pairs, options, keep);
    const auto start = std::chrono::steady_clock::now();
    TestOptions alone = options;
    alone.execution = stage(options.execution, 0, 0.4);
    std::vector<TestResult> results = run_tests(backend, pairs, alone, keep);
    MaxT family(results, scales_of(backend, pairs, results, options), options);
    std::vector<TestPair> ordered;
    for (const std::size_t place : family.order()) ordered.push_back(pairs[place]);
    const Execution rest = stage(options.execution, 0.4, 1);
    base::Monitor monitor(family.work(), rest.progress, rest.stop, rest.timing);
    family.add(backend, ordered, keep, monitor);
    const std::vector<double> p = family.p();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    for (std::size_t i = 0; i < results.size(); ++i) {
        results[i].p_max_t = p[i];
        results[i].seconds = spent.count() / static_cast<double>(results.size());
    }
    return results;
}

std::vector<TestResult> test_each(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                  const TestOptions& options, std::vector<double>& scales) {
    const CloudPairs found(clouds, pairs);
    const std::unique_ptr<Backend> backend = make_backend(options.execution);
    std::vector<TestResult> results = run_tests(*backend, found.pairs(), options, false);
    if (options.max_t)
        std::ranges::copy(scales_of(*backend, found.pairs(), results, options), std::back_inserter(scales));
    return results;
}

std::vector<double> max_t(std::span<const TestResult> results, std::span<const double> scales,
                          const TestOptions& options, std::size_t at_a_time, const ReadClouds& read) {
    const std::unique_ptr<Backend> backend = make_backend(options.execution);
    MaxT family(results, scales, options);
    const std::vector<std::size_t> order = family.order();
    const Execution& execution = options.execution;
    base::Monitor monitor(family.work(), execution.progress, execution.stop, execution.timing);
    for (std::size_t first = 0; first < order.size(); first += at_a_time) {
        const auto places = std::span(order).subspan(first, std::min(at_a_time, order.size() - first));
        const FamilyClouds found = timed(execution.timing, "reading clouds", [&] { return read(places); });
        CloudPairs pairs(found.clouds, found.pairs);
        family.add(*backend, pairs.pairs(), false, monitor);
    }
    return family.p();
}

}  // namespace wordbreadth::engine
