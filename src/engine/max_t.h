// p-values adjusted by Westfall and Young's step-down maxima, over all tests of a family.
//
// Tests of one shape, that is with as many rows (blocks) in each cloud, have the same splits: of them a draw keeps the
// dependence. Between shapes it does not: each shape takes its splits in another order (FamilyPart::shift), so that the
// splits of a draw are independent of each other. A family of one shape is enumerated where its tests are; with several
// shapes all splits are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/backend.h"
#include "engine/pair_tests.h"
#include "permutation/step_down.h"
#include "wordbreadth/cloud.h"
#include "wordbreadth/test.h"

namespace wordbreadth::engine {

// The scale of the statistic of each pair: its root mean square over some splits, drawn, that no test looks at (1 where
// that is no number). It makes statistics of clouds with many documents and with few comparable.
[[nodiscard]] std::vector<double> scales_of(Backend& backend, std::span<const TestPair> pairs,
                                            std::span<const TestResult> results, const TestOptions& options);

class MaxT {
  public:
    // Of a whole family, with the scale of each statistic. Results without a p-value are no part of it.
    MaxT(std::span<const TestResult> results, std::span<const double> scales, const TestOptions& options);

    // The tests by place in the results, as they have to be added: the least extreme first.
    [[nodiscard]] std::vector<std::size_t> order() const;

    // Units of work that adding all tests reports.
    [[nodiscard]] double work() const;

    // Adds the next tests of the order, whose clouds these are.
    void add(Backend& backend, std::span<const TestPair> pairs, bool keep, base::Monitor& monitor);

    // One per result, once all tests were added: never below the test's own p; NaN where there is no test.
    [[nodiscard]] std::vector<double> p() const;

  private:
    struct Member {
        std::size_t place;  // in the results
        Statistic statistic;
        std::size_t n, m, d;  // rows, or blocks where those are permuted
        double observed, p, scale;

        [[nodiscard]] bool is_like(const Member& other) const {
            return statistic == other.statistic && n == other.n && m == other.m && d == other.d;
        }
    };

    void choose_splits();
    [[nodiscard]] permutation::Splits splits_of(const Member& member) const;

    TestOptions options_;
    std::size_t results_;
    std::vector<Member> members_;                              // by rank
    std::vector<std::pair<std::size_t, std::size_t>> shapes_;  // (n, m), each once, ascending
    bool enumerated_ = false;
    std::uint64_t draws_ = 0;
    std::size_t added_ = 0;
    std::optional<permutation::StepDown> steps_;
};

// As run_tests(), and where the options ask for it with all pairs as a family.
[[nodiscard]] std::vector<TestResult> run_family(Backend& backend, std::span<const TestPair> pairs,
                                                 const TestOptions& options, bool keep);

// For studies whose clouds are not in memory all at once. The clouds of some tests, and a pair of them for each:
struct FamilyClouds {
    std::vector<Cloud> clouds;
    std::vector<Pair> pairs;
};
using ReadClouds = std::function<FamilyClouds(std::span<const std::size_t> places)>;

// The adjusted p of each result. Reads the clouds of `at_a_time` tests at once, by their places in the results.
[[nodiscard]] std::vector<double> max_t(std::span<const TestResult> results, std::span<const double> scales,
                                        const TestOptions& options, std::size_t at_a_time, const ReadClouds& read);

// The tests themselves: as test_pairs(), but each by itself, on a backend of its own. Adds the scales of their
// statistics to `scales` where the options ask for maxT.
[[nodiscard]] std::vector<TestResult> test_each(std::span<const Cloud> clouds, std::span<const Pair> pairs,
                                                const TestOptions& options, std::vector<double>& scales);

}  // namespace wordbreadth::engine
