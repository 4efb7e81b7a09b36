// The test of many pairs on one backend: checks, observed statistics, the backend's counts, p-values.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/backend.h"
#include "engine/pair_results.h"
#include "geometry/concentration.h"
#include "geometry/unit_rows.h"
#include "wordbreadth/test.h"

namespace wordbreadth::engine {

// Throws InputError, naming the option, the value and what was expected.
void check_options(const TestOptions& options);

// A cloud and what every test that it stands in needs of it, found once.
class TestCloud {
  public:
    explicit TestCloud(geometry::UnitRows rows) : rows_(std::move(rows)) {}

    [[nodiscard]] const geometry::UnitRows& rows() const { return rows_; }
    // Whether it is, with its blocks where those are wanted and there are any.
    [[nodiscard]] bool is_summarised(bool with_blocks) const {
        return summary_ && (!with_blocks || rows_.blocks().empty() || summary_->blocks);
    }
    // Must not be moved once it is summarised: the blocks refer to the summary.
    void summarise(bool with_blocks);
    [[nodiscard]] const geometry::Summary& summary() const { return *summary_; }
    [[nodiscard]] CloudFigures figures() const {
        return {rows_.name(),      rows_.origin(),          rows_.size(),
                rows_.dimension(), !rows_.blocks().empty(), summary_ ? &*summary_ : nullptr};
    }
    // A view of its blocks, where it has any and was summarised with them.
    [[nodiscard]] const std::optional<geometry::UnitRows>& blocks() const { return blocks_; }

    // What results are made of: the cloud without its blocks, summarised.
    [[nodiscard]] TestCloud for_results() const;

  private:
    geometry::UnitRows rows_;
    std::optional<geometry::Summary> summary_;
    std::optional<geometry::UnitRows> blocks_;
};

struct TestPair {
    TestCloud* x;
    TestCloud* y;

    [[nodiscard]] FiguresOfPair figures() const { return {x->figures(), y->figures()}; }
};

// The pair as backends take it; its clouds are summarised.
[[nodiscard]] PairTask task_of(const TestPair& pair, Statistic statistic, const permutation::Exceedance& exceeds);

// Summarises each cloud once, however many pairs and calls it stands in.
void summarise_all(Backend& backend, std::span<const TestPair> pairs, const TestOptions& options);

// Clouds made ready for tests, and pairs of them.
class CloudPairs {
  public:
    // Borrows the clouds. Throws InputError when a pair names one that is not there.
    CloudPairs(std::span<const Cloud> clouds, std::span<const Pair> pairs);
    CloudPairs(const CloudPairs&) = delete;
    CloudPairs& operator=(const CloudPairs&) = delete;

    [[nodiscard]] std::span<const TestPair> pairs() const { return pairs_; }

  private:
    std::vector<TestCloud> clouds_;
    std::vector<TestPair> pairs_;
};

// Tests of many pairs: of each only the counts are kept, and its result is made of them and of the summaries of its
// clouds when it is asked for. Each test by itself: no p-value is adjusted.
class PairTests {
  public:
    // Runs the tests. `keep`: later calls will test the same clouds again. The pairs and their clouds must outlive
    // this. Throws as test_pairs() does.
    PairTests(Backend& backend, std::span<const TestPair> pairs, const TestOptions& options, bool keep);

    // One p per pair; NaN where it has no test.
    [[nodiscard]] std::span<const double> p() const { return p_; }

    // Of pair i, without its null distribution. May be called from several threads.
    [[nodiscard]] TestResult result(std::size_t i) const;

    // What was counted for pair i, and the estimate of its tail where there is one.
    [[nodiscard]] const permutation::Tally& tally(std::size_t i) const { return tallies_[i]; }
    [[nodiscard]] std::optional<TailEstimate> tail(std::size_t i) const {
        return tails_.empty() ? std::nullopt : tails_[i];
    }

    // All of them, with their null distributions, which are gone afterwards.
    [[nodiscard]] std::vector<TestResult> take_all(base::Workers& workers);

    // These, of clouds as TestCloud::for_results() gives them, take the place of the pairs that were tested.
    void refer_to(std::span<const TestPair> pairs) { pairs_ = pairs; }

  private:
    // Pairs of one statistic and shape, which therefore share their splits.
    using Shape = std::tuple<Statistic, std::pair<std::size_t, std::size_t>, std::size_t>;
    struct Group {
        permutation::Splits splits;
        std::vector<std::size_t> members;  // places in the list of pairs; until they are tested
    };

    // Some pairs of a group, which a backend takes at a time.
    struct Item {
        Statistic statistic;
        const Group* group;
        std::size_t first, count;  // of its members
    };

    void make_groups();
    [[nodiscard]] double total_work() const;
    [[nodiscard]] std::vector<Item> items(bool shared) const;
    void run_all(Backend& backend, bool keep, base::Monitor& monitor);
    void run_item(Backend& backend, const Item& item, bool keep, base::Monitor& monitor);
    void run_some(Backend& backend, const Job& job, std::span<const std::size_t> members, base::Monitor& monitor);

    std::span<const TestPair> pairs_;
    TestOptions options_;
    std::map<Shape, Group> groups_;
    std::vector<permutation::Tally> tallies_;              // one per pair
    std::vector<double> p_;                                // likewise
    std::vector<std::vector<double>> null_distributions_;  // likewise, where asked for
    std::vector<std::optional<TailEstimate>> tails_;       // likewise
    std::string device_;
    double seconds_ = 0;  // of a pair
};

// The results of tests that are over, each made when it is asked for. Keeps what it needs of the clouds: neither the
// pairs nor the clouds have to outlive this.
[[nodiscard]] TestResults results_of(PairTests tests, std::span<const TestPair> pairs);

// As test_pairs(), on this backend, but each test by itself: no p-value is adjusted. `keep`: later calls will test the
// same clouds again.
[[nodiscard]] std::vector<TestResult> run_tests(Backend& backend, std::span<const TestPair> pairs,
                                                const TestOptions& options, bool keep);

}  // namespace wordbreadth::engine
