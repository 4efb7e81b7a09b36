#include "report/table/text.h"

#include <gtest/gtest.h>

namespace wordbreadth::report {
namespace {

TEST(Text, WidthIsThatOfATerminal) {
    EXPECT_EQ(display_width(""), 0U);
    EXPECT_EQ(display_width("bank"), 4U);
    EXPECT_EQ(display_width("Fußgänger"), 9U);
    EXPECT_EQ(display_width("银行"), 4U);
    EXPECT_EQ(display_width("e\u0301"), 1U);  // e and a combining accent
    EXPECT_EQ(display_width("\xff\xfe"), 2U);
}

TEST(Text, PrintableLeavesNothingThatATerminalObeys) {
    EXPECT_EQ(printable("bank 银行"), "bank 银行");
    EXPECT_EQ(printable("a\tb\nc\rd"), "a\\tb\\nc\\rd");
    EXPECT_EQ(printable("\x1b[31mred"), "\\x1b[31mred");
    EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");  // CSI as one character
    EXPECT_EQ(printable("bad \xff"), "bad \\xff");
    EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
}

TEST(Text, ClippedKeepsBothEnds) {
    EXPECT_EQ(clipped("abcdefghij", 10), "abcdefghij");
    EXPECT_EQ(clipped("abcdefghij", 5), "ab…ij");
    EXPECT_EQ(clipped("abcdefghij", 4), "ab…j");
    EXPECT_EQ(clipped("abcdefghij", 1), "…");
}

TEST(Text, ClippedNeverExceedsTheWidth) {
    for (std::size_t width = 1; width < 14; ++width)
        EXPECT_LE(display_width(clipped("银行银行银行e\u0301", width)), width);
}

TEST(Text, WrappedBreaksBetweenWords) {
    EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
    EXPECT_EQ(wrapped("extraordinary one", 5), (std::vector<std::string>{"extraordinary", "one"}));
    EXPECT_TRUE(wrapped("", 5).empty());
}

TEST(Text, FoldedLeavesTextAloneWithoutAWidth) {
    EXPECT_EQ(folded("one two three", 0), "one two three");
    EXPECT_EQ(folded("one two three", 7), "one two\nthree");
}

}  // namespace
}  // namespace wordbreadth::report
