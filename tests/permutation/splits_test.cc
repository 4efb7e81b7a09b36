#include "permutation/splits.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

namespace wordbreadth::permutation {
namespace {

std::string text_of(const Splits& splits, std::uint64_t b) {
    std::vector<std::uint8_t> mask(splits.N);
    splits.write(b, mask);
    std::string text;
    for (const std::uint8_t taken : mask) text += taken ? '1' : '0';
    return text;
}

TEST(Splits, DrawnOnesAreTheMethodsKnownAnswers) {
    const Splits small{10, 4, 1000, 7, false};
    EXPECT_EQ(text_of(small, 1), "0010000111");
    EXPECT_EQ(text_of(small, 2), "1100100001");
    EXPECT_EQ(text_of(small, 3), "1111000000");
    EXPECT_EQ(text_of(small, 4), "1000101001");
    EXPECT_EQ(text_of(small, 5), "1000011010");
    const Splits large{13, 6, std::uint64_t{1} << 40, (std::uint64_t{1} << 33) + 5, false};
    EXPECT_EQ(text_of(large, 1), "0101000010111");
    EXPECT_EQ(text_of(large, 2), "1110100010001");
    EXPECT_EQ(text_of(large, (std::uint64_t{1} << 32) + 3), "0010111100010");
}

TEST(Splits, EnumeratedOnesAreAllDifferentAndStartWithTheObserved) {
    const Splits splits = Splits::plan(3, 4, 35, 0);
    ASSERT_TRUE(splits.enumerated);
    ASSERT_EQ(splits.count, 35U);
    EXPECT_EQ(text_of(splits, 1), "1110000");
    std::set<std::string> seen;
    for (std::uint64_t b = 1; b <= splits.count; ++b) seen.insert(text_of(splits, b));
    EXPECT_EQ(seen.size(), 35U);
}

TEST(Splits, AreEnumeratedOnlyWhenThereAreNoMoreThanAskedFor) {
    EXPECT_TRUE(Splits::plan(3, 4, 35, 0).enumerated);
    EXPECT_FALSE(Splits::plan(3, 4, 34, 0).enumerated);
    EXPECT_EQ(Splits::plan(3, 4, 34, 0).count, 34U);
}

TEST(Splits, TheirNumberSaturates) {
    EXPECT_EQ(number_of_splits(7, 3), 35U);
    EXPECT_EQ(number_of_splits(60, 30), 118264581564861424U);
    EXPECT_EQ(number_of_splits(1000, 500), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(number_of_splits(1000000, 1), 1000000U);
}

}  // namespace
}  // namespace wordbreadth::permutation
