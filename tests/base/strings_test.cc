#include "base/strings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

namespace wordbreadth::base {
namespace {

using Texts = std::vector<std::string>;

TEST(Strings, AreJoinedWithNothingBeforeTheFirst) {
    EXPECT_EQ(joined(Texts{}), "");
    EXPECT_EQ(joined(Texts{"", "a", ""}, "+"), "+a+");
    EXPECT_EQ(joined(std::map<std::string, int>{{"a", 1}, {"b", 2}}, "; ", &std::pair<const std::string, int>::first),
              "a; b");
    EXPECT_EQ(joined(Texts{"a", "b\n"}, ", ", in_quotes), R"("a", "b\x0a")");
}

TEST(Strings, AreListedUpToAFew) {
    EXPECT_EQ(listed({"a", "b"}, 2), R"("a", "b")");
    EXPECT_EQ(listed({"a", "b", "c"}, 2), R"("a", "b" and 1 more)");
}

TEST(Strings, OneIsNotAPlural) {
    EXPECT_EQ(count_of(0, "field"), "0 fields");
    EXPECT_EQ(count_of(1, "field"), "1 field");
}

TEST(Strings, OnlyAWholeNumberThatFitsIsOne) {
    EXPECT_EQ(number_in<std::uint8_t>("255"), 255);
    for (const char* text : {"", " 1", "1 ", "-1", "+1", "256", "0x1", "1.0"})
        EXPECT_EQ(number_in<std::uint8_t>(text), std::nullopt) << text;
}

TEST(Strings, CutsALongQuoteBetweenCharacters) {
    EXPECT_EQ(in_quotes(std::string(79, 'x') + "é"), "\"" + std::string(79, 'x') + "...\"");
}

TEST(Strings, OnlyAsciiLettersAreLowered) {
    EXPECT_EQ(ascii_lower("AZ[É"), "az[É");
    EXPECT_TRUE(is_ascii("~\x7F"));
    EXPECT_FALSE(is_ascii("é"));
}

}  // namespace
}  // namespace wordbreadth::base
