#include "study/named_pairs.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "engine/max_t.h"
#include "engine/pair_results.h"
#include "engine/pair_tests.h"
#include "wordbreadth/error.h"

namespace wordbreadth {

TestResult study::untested(const NamedCloud& x, const NamedCloud& y, std::string reason, const TestOptions& options) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const auto figures_of = [](const NamedCloud& cloud) {
        return engine::CloudFigures{cloud.name, cloud.origin, cloud.rows, cloud.dimension, false, nullptr};
    };
    TestResult result = engine::named_result({figures_of(x), figures_of(y)});
    result.r_x = result.r_y = result.v_x = result.v_y = none;
    result.T = result.effect = result.ratio = result.standard_error = result.ci_low = result.ci_high = none;
    result.degrees_of_freedom = result.p = result.smallest_p = none;
    result.statistic = options.statistic == Statistic::automatic ? Statistic::plain : options.statistic;
    result.alternative = options.alternative;
    result.align = options.align;
    result.seed = options.seed;
    result.undefined = std::move(reason);
    return result;
}

namespace {

// Those that the clouds allow, and the others.
class NamedPairs {
  public:
    NamedPairs(std::vector<NamedCloud> clouds, std::span<const Pair> pairs, const TestOptions& options)
        : clouds_(std::move(clouds)), options_(options) {
        const std::unique_ptr<engine::Backend> backend = engine::make_backend(options.execution);
        device_ = backend->label();
        divide(pairs);
        tested_ = test(*backend, options);
        options_.execution = {};  // what it refers to may end with this call
    }
    NamedPairs(const NamedPairs&) = delete;
    NamedPairs& operator=(const NamedPairs&) = delete;

    [[nodiscard]] TestResult result(std::size_t i) const {
        const auto other = std::ranges::lower_bound(others_, i, {}, &Other::place);
        if (other == others_.end() || other->place != i)
            return tested_.result(i - static_cast<std::size_t>(other - others_.begin()));
        const NamedCloud &x = clouds_[other->pair.x], &y = clouds_[other->pair.y];
        TestResult found = study::untested(x, y, why_not(other->pair), options_);
        found.device = device_;
        return found;
    }

    // One per pair: `of_tested` of those that were tested, NaN of the others.
    [[nodiscard]] std::vector<double> completed(std::vector<double> of_tested) const {
        if (others_.empty()) return of_tested;
        std::vector<double> all(pairs_.size() + others_.size());
        auto from = of_tested.begin();
        auto other = others_.begin();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool is_other = other != others_.end() && other->place == i;
            all[i] = is_other ? std::numeric_limits<double>::quiet_NaN() : *from++;
            if (is_other) ++other;
        }
        return all;
    }

    // p and, where it was asked for, p_max_t of those that were tested; once.
    [[nodiscard]] TestResults& tested() { return tested_; }

  private:
    struct Other {
        std::size_t place;  // among all pairs
        Pair pair;
    };

    void divide(std::span<const Pair> pairs) {
        ready_.reserve(clouds_.size());
        for (const NamedCloud& named : clouds_) {
            places_.push_back(ready_.size());
            if (named.cloud) ready_.emplace_back(*named.cloud);
        }
        pairs_.reserve(pairs.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto [x, y] = pairs[i];
            if (why_not({x, y}).empty())
                pairs_.push_back({&ready_[places_[x]], &ready_[places_[y]]});
            else
                others_.push_back({i, {x, y}});
        }
    }

    // Empty, or why the pair has no test.
    [[nodiscard]] std::string why_not(const Pair& pair) const {
        for (const std::size_t cloud : {pair.x, pair.y})
            if (!clouds_.at(cloud).cloud) return clouds_[cloud].reason;
        try {
            engine::check_pair({ready_[places_[pair.x]].figures(), ready_[places_[pair.y]].figures()},
                               options_.statistic);
            return {};
        } catch (const InputError& error) {
            return error.what();
        }
    }

    [[nodiscard]] TestResults test(engine::Backend& backend, const TestOptions& options) const {
        if (options.max_t || options.null_distribution)
            return TestResults(engine::run_family(backend, pairs_, options, false));
        const auto tests = std::make_shared<const engine::PairTests>(backend, pairs_, options, false);
        TestResults results;
        results.p.assign(tests->p().begin(), tests->p().end());
        results.result = [tests](std::size_t i) { return tests->result(i); };
        return results;
    }

    std::vector<NamedCloud> clouds_;
    TestOptions options_;
    std::string device_;
    std::vector<engine::TestCloud> ready_;  // those that are there
    std::vector<std::size_t> places_;       // of all clouds among them
    std::vector<engine::TestPair> pairs_;
    std::vector<Other> others_;  // by place
    TestResults tested_;
};

}  // namespace

TestResults test_many_named_pairs(std::vector<NamedCloud> clouds, std::span<const Pair> pairs,
                                  const TestOptions& options) {
    const auto named = std::make_shared<NamedPairs>(std::move(clouds), pairs, options);
    TestResults results;
    results.p = named->completed(std::move(named->tested().p));
    if (options.max_t) results.p_max_t = named->completed(std::move(named->tested().p_max_t));
    results.result = [named](std::size_t i) { return named->result(i); };
    return results;
}

std::vector<TestResult> test_named_pairs(std::vector<NamedCloud> clouds, std::span<const Pair> pairs,
                                         const TestOptions& options) {
    const TestResults found = test_many_named_pairs(std::move(clouds), pairs, options);
    std::vector<TestResult> results;
    results.reserve(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) results.push_back(found.result(i));
    return results;
}

}  // namespace wordbreadth
