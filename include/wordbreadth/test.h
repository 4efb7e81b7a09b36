// The test: is one cloud broader than another, whatever directions they point in?
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "wordbreadth/cloud.h"

namespace wordbreadth {

class Timing;

enum class Alignment { householder, none };

// What is permuted, and how a split is measured.
enum class Statistic {
    automatic,  // blocks where both clouds have them (those of a store know their documents), else plain
    plain,      // T, the paper's
    robust,     // T debiased and studentised: for clouds of different shapes
    blocks,     // the robust statistic of whole blocks of rows (documents), which are permuted instead of rows
};
// Whether blocks may be permuted: where not, nobody needs to know them.
[[nodiscard]] constexpr bool takes_blocks(Statistic statistic) {
    return statistic == Statistic::automatic || statistic == Statistic::blocks;
}

enum class Alternative { greater, less, two_sided };

// Where and how fast; never what: no member of it changes a result, but for a device that is not exact.
struct Execution {
    std::string device = "auto";                // "auto", or the name of one of devices(): "cuda:1" is one GPU
    std::string instruction_set;                // empty: the best this machine has
    unsigned threads = 0;                       // 0: OMP_NUM_THREADS, else every core
    std::size_t block = 0;                      // splits taken together; 0: chosen by shape
    std::function<void(double done)> progress;  // share of the work done, 0 to 1; called from one thread at a time
    std::stop_token stop;                       // a request makes the run throw Cancelled
    Timing* timing = nullptr;                   // where the stages of the run are recorded; null: nowhere
};

struct TestOptions {
    Alignment align = Alignment::householder;
    Statistic statistic = Statistic::automatic;
    Alternative alternative = Alternative::two_sided;
    std::uint64_t permutations = 20000;  // B; all splits are enumerated instead when there are no more than B
    std::uint64_t seed = 0;
    std::uint64_t adaptive = 0;      // h: stop at the h-th exceedance; 0: never
    double confidence = 0.95;        // of the interval for the effect
    bool null_distribution = false;  // keep the statistic of every split (at most limits::null_distribution)
    bool tail_estimate = false;      // when no or few splits exceed, estimate p from the tail's shape
    // Of many pairs: also adjust p over all of them, by the step-down maxima of their statistics (Westfall and Young
    // 1993). Every test then looks at all its splits (`adaptive` is not looked at, and B is at most
    // limits::null_distribution), and `automatic` takes the robust statistic where there are no blocks: plain and
    // studentised statistics cannot be compared.
    bool max_t = false;
    Execution execution;
};

// p from a generalised Pareto fit to the largest values of the null distribution (Knijnenburg et al. 2009).
// An estimate, not a count: it is reported beside p, never instead of it.
struct TailEstimate {
    double p = 0;
    double shape = 0;  // of the fitted distribution (xi; negative: bounded tail)
    double scale = 0;
    std::size_t exceedances = 0;  // values in the fitted tail
    double goodness_of_fit = 0;   // p of the Anderson-Darling test; small: a bad fit
};

struct TestResult {
    std::string x, y;                // names of the clouds
    std::string x_source, y_source;  // where they come from: Cloud::origin()
    std::size_t n = 0, m = 0, d = 0;
    double r_x = 0, r_y = 0;
    double v_x = 0, v_y = 0;
    std::size_t blocks_x = 0, blocks_y = 0;  // that were permuted; 0 where rows were
    double T = 0;                            // log(v_x / v_y), the paper's statistic; > 0 when X is broader
    std::optional<double> t;                 // debiased and studentised; robust and blocks only
    Statistic statistic = Statistic::plain;  // never automatic
    // log(v_x / v_y) from the mean cosine of pairs of rows (of different blocks), free of the bias that r has in small
    // clouds. NaN where a mean cosine is not positive.
    double effect = 0;
    double ratio = 0;  // exp(effect)
    // Of the effect: delete-one jackknife (of rows or blocks), Student's quantile. NaN with fewer than 4 rows or blocks
    // in a cloud, or where a cloud cannot be told from a uniform one.
    double standard_error = 0;
    double ci_low = 0, ci_high = 0;
    double degrees_of_freedom = 0;  // of the interval; NaN where there is none
    double p = 0;                   // NaN when `undefined` says why
    double smallest_p = 0;          // that the number of splits allows; NaN without a p
    std::uint64_t exceedances = 0;
    std::uint64_t permutations = 0;  // splits looked at: B, all of them when exact, or fewer when stopped early
    bool exact = false;              // every split was enumerated
    bool stopped_early = false;      // by the adaptive rule
    Alternative alternative = Alternative::two_sided;
    Alignment align = Alignment::householder;
    std::uint64_t seed = 0;
    std::string device;                     // and its instruction set: "cpu (avx512)"
    double seconds = 0;                     // wall time of the test; of the whole call divided by the pairs, for many
    std::string undefined;                  // empty, or why this pair has no p-value
    std::vector<double> null_distribution;  // of T (plain) or t, in the order of the splits; on request
    std::optional<TailEstimate> tail;
    std::optional<double> p_max_t;  // p adjusted over all pairs of the call; on request. NaN when `undefined` says why
};

struct Interval {
    double low = std::numeric_limits<double>::quiet_NaN();
    double high = std::numeric_limits<double>::quiet_NaN();
};

// The interval for the effect at any confidence, which has ci_low and ci_high at that of the options. NaN where the
// result has no standard error. Throws InputError unless 0 < confidence < 1.
[[nodiscard]] Interval confidence_interval(const TestResult& result, double confidence);

// The results of many tests, each made when it is asked for: there may be more of them than memory holds.
struct TestResults {
    TestResults() = default;
    explicit TestResults(std::vector<TestResult> results);  // that are there already

    [[nodiscard]] std::size_t size() const { return p.size(); }

    std::vector<double> p;                                // of each; NaN where its `undefined` says why
    std::vector<double> p_max_t;                          // likewise, where it was asked for; else empty
    std::function<TestResult(std::size_t index)> result;  // may be called from several threads
};

// Tests one pair. Throws InputError for bad options or clouds that have no test (different dimensions, a robust
// statistic that is undefined), Cancelled when stopped.
[[nodiscard]] TestResult test(const Cloud& x, const Cloud& y, const TestOptions& options = {});

struct Pair {
    std::size_t x = 0;  // indices into the clouds
    std::size_t y = 0;
};

// Tests many pairs, sharing splits between pairs of equal sizes and Gram blocks between pairs of one cloud.
// Each result equals that of test() on the pair alone. A pair that has no test does not stop the others: its result
// carries `undefined` and a NaN p. Throws as test() does for everything else.
[[nodiscard]] std::vector<TestResult> test_pairs(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                                 const TestOptions& options = {});

}  // namespace wordbreadth
