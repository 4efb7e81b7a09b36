// Westfall and Young's step-down maxima (1993): p-values of a family of tests, adjusted by how large the largest of
// their statistics gets when labels are permuted.
//
// A statistic is measured in units of its test's scale, so that those of different tests can be compared. A draw is one
// split of each test. The tests are ranked by their observed statistics, the most extreme first: 0, 1,
// ... A draw attains rank j when the statistic of some test from rank j on is at least as extreme as the one observed
// at j. The more draws do, the larger the p-value of j; it is never below that of a rank before it.
//
// Tests are added from the last rank to the first. Then all that is to be kept of a draw is one number: the first rank
// whose observed statistic was met so far. A statistic that cannot lower it need not be known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "permutation/splits.h"
#include "wordbreadth/test.h"

namespace wordbreadth::permutation {

class StepDown {
  public:
    // `scores`: the observed statistics in units of their scales, the most extreme first; `draws` fit into memory.
    StepDown(std::span<const double> scores, Alternative alternative, std::uint64_t draws);

    [[nodiscard]] std::size_t tests() const { return scores_.size(); }
    [[nodiscard]] std::uint64_t draws() const { return attained_.size(); }

    // By draw, from 0: the first rank attained by the tests added so far, or tests().
    [[nodiscard]] std::span<std::uint32_t> attained() { return attained_; }

    // What the statistic of a test with this scale is compared with at a rank.
    [[nodiscard]] Exceedance at(std::uint32_t rank, double scale) const {
        return {scores_[rank] * scale, alternative_};
    }

    // What becomes of an attained rank when the statistic of the test of rank `rank` is added in that draw.
    [[nodiscard]] std::uint32_t lowered(std::uint32_t attained, std::uint32_t rank, double scale,
                                        double statistic) const;

    // Adds draws that attain a rank, once its test and all after it were added. May be called from several threads.
    void count(std::uint32_t rank, std::uint64_t draws);

    [[nodiscard]] std::span<const std::uint64_t> counts() const { return counts_; }  // by rank

    // By rank. `enumerated`: the draws are all there are, the observed one among them.
    [[nodiscard]] std::vector<double> p(bool enumerated) const;

  private:
    std::vector<double> scores_;
    Alternative alternative_;
    std::vector<std::uint32_t> attained_;
    std::vector<std::uint64_t> counts_;
};

// The first of the ranks 0 .. last whose observed statistic is met; last + 1 when none is. `is_met(rank)` holds from
// some rank on.
template <class IsMet>
[[nodiscard]] std::uint32_t first_met(std::uint32_t last, const IsMet& is_met) {
    std::uint32_t low = 0, high = last + 1;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (is_met(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

}  // namespace wordbreadth::permutation
