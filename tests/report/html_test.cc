#include "report/page/html.h"

#include <gtest/gtest.h>

namespace wordbreadth::report {
namespace {

TEST(Html, SpecialCharactersBecomeReferences) {
    EXPECT_EQ(escaped("<a href=\"x\">'&'</a>"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
}

TEST(Html, OtherScriptsAndMarksStayAsTheyAre) {
    for (const char* text : {"שלום", "مرحبا", "e\xCC\x81", "銀行", "😀", "a\tb\nc"}) EXPECT_EQ(escaped(text), text);
}

TEST(Html, WhatXmlForbidsBecomesAReplacementCharacter) {
    const std::string replacement = "\xEF\xBF\xBD";
    EXPECT_EQ(escaped(std::string_view("a\0b", 3)), "a" + replacement + "b");
    EXPECT_EQ(escaped("\x07"), replacement);
    EXPECT_EQ(escaped("\x7F"), replacement);
    EXPECT_EQ(escaped("\xC2\x85"), replacement);      // a C1 control
    EXPECT_EQ(escaped("\xEF\xBF\xBF"), replacement);  // U+FFFF
}

TEST(Html, BytesThatAreNotUtf8BecomeReplacementCharacters) {
    EXPECT_EQ(escaped("a\xFFz"), "a\xEF\xBF\xBDz");
    EXPECT_EQ(escaped("\xC3"), "\xEF\xBF\xBD");                         // cut short
    EXPECT_EQ(escaped("\xED\xA0\x80<").find('<'), std::string::npos);   // half a surrogate pair
    EXPECT_EQ(escaped("\xC0\xBCscript").find('<'), std::string::npos);  // '<', in more bytes than it needs
}

TEST(Markup, TextIsEscapedOnce) {
    const Markup text = Markup("1 < 2: ") + word("<b>") + " & " + code("--x");
    EXPECT_EQ(text.html(),
              "1 &lt; 2: <i class=\"word\" dir=\"auto\">&lt;b&gt;</i> &amp; <code "
              "dir=\"auto\">--x</code>");
}

}  // namespace
}  // namespace wordbreadth::report
