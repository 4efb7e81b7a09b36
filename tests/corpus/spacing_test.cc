#include "corpus/plain_text.h"

#include <gtest/gtest.h>

namespace wordbreadth::corpus {
namespace {

TEST(Spacing, PunctuationStandsAtItsWord) {
    EXPECT_FALSE(words_want_space("bank", ","));
    EXPECT_FALSE(words_want_space("(", "bank"));
    EXPECT_FALSE(words_want_space("bank", "'s"));
    EXPECT_FALSE(words_want_space("did", "n't"));
    EXPECT_FALSE(words_want_space("$", "5"));
    EXPECT_TRUE(words_want_space(",", "bank"));
    EXPECT_TRUE(words_want_space("bank", "("));
    EXPECT_TRUE(words_want_space("bank", "'"));
    EXPECT_TRUE(words_want_space("the", "bank"));
}

TEST(Spacing, JapaneseAndChineseHaveNoSpacesButKoreanHas) {
    EXPECT_FALSE(words_want_space("川", "の"));
    EXPECT_FALSE(words_want_space("银行", "，"));
    EXPECT_TRUE(words_want_space("강", "은행"));
    EXPECT_TRUE(words_want_space("川", "river"));
}

TEST(Spacing, ColumnsAreThoseOfATerminal) {
    EXPECT_EQ(columns_of("bank"), 4U);
    EXPECT_EQ(columns_of("café “x”"), 8U);
    EXPECT_EQ(columns_of("川岸"), 4U);
}

}  // namespace
}  // namespace wordbreadth::corpus
