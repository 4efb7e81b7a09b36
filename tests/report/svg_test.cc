#include "report/figures/figures.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/xml.h"

namespace wordbreadth::report {
namespace {

TEST(Svg, CoordinatesHaveNoNeedlessDigits) {
    EXPECT_EQ(coordinate(12), "12");
    EXPECT_EQ(coordinate(0.5), "0.5");
    EXPECT_EQ(coordinate(1.0 / 3), "0.33");
    EXPECT_EQ(coordinate(-0.001), "0");
}

Svg example(const std::string& text) {
    Canvas canvas;
    canvas.open("panel");
    canvas.text("label", 1, 2, Anchor::middle, text);
    canvas.close();
    return {text, text, {100, 50, canvas.body()}};
}

TEST(Svg, FilesAreWellFormedWhateverTheText) {
    for (const char* text : {"plain", "<b>&\"'", "]]>", "\x01\xFF", "שלום", "</title><script>"}) {
        EXPECT_EQ(xml_fault(example(text).file()), "") << text;
        EXPECT_EQ(xml_fault("<figure>" + example(text).markup() + "</figure>"), "") << text;
    }
}

TEST(Svg, OnlyFilesBringTheirOwnStyles) {
    EXPECT_NE(example("x").file().find("<style>"), std::string::npos);
    EXPECT_NE(example("x").file().find("prefers-color-scheme: dark"), std::string::npos);
    EXPECT_EQ(example("x").markup().find("style"), std::string::npos);
}

TEST(Svg, SaysWhatItShows) {
    EXPECT_NE(example("a <title>").file().find("<title>a &lt;title&gt;</title>"), std::string::npos);
    EXPECT_NE(example("a desc").markup().find("<desc>a desc</desc>"), std::string::npos);
}

TEST(Svg, WidthsFollowTheLetters) {
    EXPECT_LT(text_width("illicit", 13), text_width("mammoth", 13));
    EXPECT_GT(text_width("銀行", 13), text_width("ab", 13));
    EXPECT_EQ(text_width("", 13), 0);
}

}  // namespace
}  // namespace wordbreadth::report
