#include "report/results.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report/table/text.h"
#include "support/text.h"

namespace wordbreadth::report {
namespace {

ConcordanceLine usage(const std::string& text, std::uint64_t start, std::uint64_t end,
                      const std::string& document = "doc", double influence = 0.5) {
    return {{0, document, 0, text, start, end}, influence};
}

std::vector<std::string> lines_of(const std::vector<ConcordanceLine>& usages, const ConcordanceLook& look) {
    return wordbreadth::lines_of(concordance(usages, look));
}

std::size_t column_of(const std::string& line, const std::string& part) {
    return display_width(line.substr(0, line.find(part)));
}

TEST(Concordance, AlignsTheLinesOnTheWord) {
    EXPECT_EQ(concordance(std::vector{usage("At the bank today.", 7, 11), usage("bank", 0, 4, "other")}, {}),
              "At the bank today.  doc\n"
              "       bank         other\n");
}

TEST(Concordance, AlignsByWhatTheTerminalShows) {
    const auto lines = lines_of({usage("日本の銀行は大きい", 3, 5), usage("the e\u0301 bank", 7, 11, "doc two")}, {});
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(column_of(lines[0], "銀行"), column_of(lines[1], "bank"));
    EXPECT_EQ(column_of(lines[0], "doc"), column_of(lines[1], "doc"));
}

TEST(Concordance, CutsWhatIsFarFromTheWord) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += "word ";
    text += "bank";
    for (int i = 0; i < 60; ++i) text += " 銀行";
    for (const std::size_t width : {40U, 41U, 80U, 121U}) {
        ConcordanceLook look;
        look.width = width;
        look.influence = true;
        const auto lines = lines_of({usage(text, 300, 304, "a document with a long name"), usage("bank", 0, 4)}, look);
        for (const std::string& line : lines) EXPECT_LE(display_width(line), width) << line;
        EXPECT_NE(lines[0].find("…"), std::string::npos);
        EXPECT_NE(lines[0].find(" bank "), std::string::npos);
        EXPECT_EQ(column_of(lines[0], " bank") + 1, column_of(lines[1], "bank"));
    }
}

TEST(Concordance, PutsABrokenSentenceOnOneLine) {
    EXPECT_EQ(concordance(std::vector{usage("a\r\n\tbank\nof \x1b[31m", 4, 8, "")}, {}), "a bank of \\x1b[31m\n");
}

TEST(Concordance, GivesATextWithoutContextTheWholeLine) {
    ConcordanceLook look;
    look.width = 60;
    const auto lines = lines_of({usage(std::string(200, 'x'), 0, 200)}, look);
    EXPECT_EQ(display_width(lines[0]), 60U);
}

TEST(Concordance, ShowsTheInfluenceWhereAsked) {
    ConcordanceLook look;
    look.influence = true;
    const std::vector<ConcordanceLine> usages = {usage("bank", 0, 4, "", 0.01234), usage("bank", 0, 4, "", -0.5),
                                                 usage("bank", 0, 4, "", std::nan("")),
                                                 usage("bank", 0, 4, "", HUGE_VAL)};
    EXPECT_EQ(concordance(usages, look),
              "+0.0123  bank\n"
              "-0.5000  bank\n"
              "      -  bank\n"
              "   +inf  bank\n");
}

TEST(Concordance, SetsOffWordAndDocumentOnATerminal) {
    ConcordanceLook look;
    look.style.colour = true;
    EXPECT_EQ(concordance(std::vector{usage("a bank", 2, 6), usage("a bank", 2, 6, "x")}, look),
              "a \x1b[1mbank\x1b[0m  \x1b[2mdoc\x1b[0m\n"
              "a \x1b[1mbank\x1b[0m  \x1b[2mx\x1b[0m\n");
}

TEST(Concordance, ShowsWhatTellsDocumentsApart) {
    const std::vector<ConcordanceLine> usages = {
        usage("a bank", 2, 6, "build/demo/corpus/genesis-of-the-king-james.txt"),
        usage("a bank", 2, 6, "build/demo/corpus/numbers-of-the-king-james.txt")};
    EXPECT_EQ(concordance(usages, {}),
              "a bank  genesis-of-the-…\n"
              "a bank  numbers-of-the-…\n");
    EXPECT_EQ(shared_document(usages), "from documents in build/demo/corpus/");
}

TEST(Concordance, HasNoDocumentsWhereThereIsOne) {
    const std::vector<ConcordanceLine> usages = {usage("a bank", 2, 6, "a\x1b/b.txt"),
                                                 usage("bank", 0, 4, "a\x1b/b.txt")};
    EXPECT_EQ(concordance(usages, {}), "a bank\n  bank\n");
    EXPECT_EQ(shared_document(usages), "all from a\\x1b/b.txt");
    EXPECT_EQ(shared_document(std::vector{usage("a bank", 2, 6, "a"), usage("bank", 0, 4, "b")}), "");
}

TEST(Clipped, CutsAtTheSideAskedFor) {
    EXPECT_EQ(clipped_end("abcdef", 4), "abc…");
    EXPECT_EQ(clipped_start("abcdef", 4), "…def");
    EXPECT_EQ(clipped_end("日本語", 4), "日…");
    EXPECT_EQ(clipped_start("日本語", 4), "…語");
    EXPECT_EQ(clipped_start("abc\u0301d", 2), "…d");
    EXPECT_EQ(clipped_start("abe\u0301", 2), "…e\u0301");
    EXPECT_EQ(clipped_start("abc", 3), "abc");
    EXPECT_EQ(clipped_end("abc", 1), "…");
    EXPECT_EQ(clipped_start("abc", 1), "…");
}

}  // namespace
}  // namespace wordbreadth::report
