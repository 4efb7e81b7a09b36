#include "study/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wordbreadth {
namespace {

using Rows = std::vector<std::size_t>;

// From a program in another language that was written after the description in sample.h.
TEST(SampleRows, GivesTheKnownAnswers) {
    EXPECT_EQ(study::row_priority("bank", 0, 0), 4463440526721289640U);
    EXPECT_EQ(study::row_priority("bank", (1ULL << 32) + 5, (1ULL << 33) + 7), 5450770003077814512U);
    EXPECT_EQ(study::row_priority("日本", 3, 1), 2028778417887596025U);
    EXPECT_EQ(study::sample_rows("bank", 20, 6, 0), (Rows{0, 1, 4, 5, 10, 18}));
    EXPECT_EQ(study::sample_rows("bank", 20, 6, 1), (Rows{5, 9, 10, 15, 16, 18}));
    EXPECT_EQ(study::sample_rows("river", 20, 6, 0), (Rows{4, 9, 13, 15, 16, 18}));
}

TEST(SampleRows, TakesAllWhereThereAreNoMore) {
    EXPECT_EQ(study::sample_rows("bank", 3, 3, 5), (Rows{0, 1, 2}));
    EXPECT_EQ(study::sample_rows("bank", 3, 9, 5), (Rows{0, 1, 2}));
    EXPECT_EQ(study::sample_rows("bank", 0, 9, 5), Rows{});
}

TEST(SampleRows, OfASmallerSizeIsASubset) {
    const Rows large = study::sample_rows("bank", 100, 40, 3), small = study::sample_rows("bank", 100, 17, 3);
    EXPECT_EQ(small.size(), 17U);
    EXPECT_TRUE(std::ranges::includes(large, small));
}

TEST(SampleRows, TakesEveryRowEquallyOften) {
    std::vector<int> taken(10);
    for (std::uint64_t seed = 0; seed < 2000; ++seed)
        for (const std::size_t row : study::sample_rows("bank", 10, 3, seed)) ++taken[row];
    for (const int times : taken) EXPECT_NEAR(times, 600, 5 * 20.5);  // five standard deviations
}

}  // namespace
}  // namespace wordbreadth
