#include "corpus/plain_text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "corpus/source.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::corpus {
namespace {

using Texts = std::vector<std::string>;

Texts paragraphs_of(std::string_view text) {
    const std::string where = "memory";
    MemoryBytes bytes(where, text);
    LineReader lines(bytes, limits::sentence_bytes, LineReader::Long::in_pieces);
    Paragraphs paragraphs(lines);
    Texts found;
    std::string piece;
    bool ends = true;
    for (bool started = false; paragraphs.next(piece, ends); started = !ends) {
        EXPECT_LE(piece.size(), 3 * limits::sentence_bytes);
        if (started) {
            found.back() += piece;
        } else {
            found.push_back(piece);
        }
        piece.clear();
    }
    EXPECT_TRUE(ends);
    return found;
}

// Greedy, as editors do it.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indentation) {
    std::istringstream words(text);
    std::string out;
    std::string line = indentation;
    for (std::string word; words >> word;) {
        if (line.size() > indentation.size() && line.size() + 1 + word.size() > width) {
            out += line + "\n";
            line = indentation;
        }
        line += (line.size() > indentation.size() ? " " : "") + word;
    }
    return out + line + "\n";
}

std::string many_words(int count) {
    std::string text = "Start";
    for (int i = 1; i < count; ++i) text += " " + std::string(1 + (i * 7) % 11, static_cast<char>('a' + i % 26));
    return text;
}

TEST(Paragraphs, BlankLinesSeparateThem) {
    EXPECT_EQ(paragraphs_of("One.\n\nTwo.\n \t\n\nThree."), (Texts{"One.", "Two.", "Three."}));
    EXPECT_EQ(paragraphs_of("\n\n"), (Texts{}));
    EXPECT_EQ(paragraphs_of(""), (Texts{}));
}

TEST(Paragraphs, TextWrappedAtAnyWidthBecomesWholeAgain) {
    const std::string text = many_words(400);
    for (const std::size_t width : {50U, 65U, 72U, 80U, 100U, 119U}) {
        for (const char* indentation : {"", "    "}) {
            EXPECT_EQ(paragraphs_of(wrapped(text, width, indentation)), (Texts{text})) << width;
        }
    }
}

TEST(Paragraphs, AHeadingKeepsItsLine) {
    const std::string text = many_words(60);
    EXPECT_EQ(paragraphs_of("CHAPTER I\n" + wrapped(text, 72, "")), (Texts{"CHAPTER I", text}));
}

TEST(Paragraphs, OneParagraphALineStaysSo) {
    const Texts lines{many_words(80), "A short one", many_words(50), "Another"};
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    EXPECT_EQ(paragraphs_of(text), lines);
}

TEST(Paragraphs, ShortLinesAreNotWrappedText) {
    EXPECT_EQ(paragraphs_of("bread\nmilk and butter\neggs"), (Texts{"bread", "milk and butter", "eggs"}));
}

TEST(Paragraphs, LinesBrokenByHandAreJoinedWhereASentenceGoesOn) {
    EXPECT_EQ(paragraphs_of("Certain constructs, of which there are\nmany (as you\nwill see), are described here.\n"
                            "A new line\nbegins here, and it says nothing else of interest."),
              (Texts{"Certain constructs, of which there are many (as you will see), are described here.",
                     "A new line begins here, and it says nothing else of interest."}));
}

TEST(Paragraphs, AnAddressOfAnyLengthLeavesTheOtherLinesJoined) {
    const std::string text = many_words(60), address = "https://example.org/" + std::string(150, 'x');
    EXPECT_EQ(paragraphs_of(wrapped(text + " " + address + " " + text, 72, "")),
              (Texts{text + " " + address + " " + text}));
}

TEST(Paragraphs, ListsOfSmallLettersKeepTheirLines) {
    const Texts list{"These are the commands:", "list the files in a folder", "remove",
                     "copy a file from one folder to another, or to itself"};
    EXPECT_EQ(paragraphs_of(list[0] + "\n" + list[1] + "\n" + list[2] + "\n" + list[3]), list);
}

TEST(Paragraphs, JapaneseLinesAreJoinedWithoutASpace) {
    const std::string line = "川の岸は緑だったので我々はそこに座って";
    EXPECT_EQ(paragraphs_of(line + line + "\n" + line), (Texts{line + line + line}));
}

TEST(Paragraphs, ADividedWordIsJoinedAtItsHyphen) {
    const std::string line = "This line is quite long, and at its very end stands a well-";
    EXPECT_EQ(paragraphs_of(line + "\nknown word."), (Texts{line + "known word."}));
}

TEST(Paragraphs, LinesAndParagraphsOfAnyLengthAreWholeAndUseLittleMemory) {
    const std::string one_line = many_words(100000);
    EXPECT_EQ(paragraphs_of("Short.\n" + one_line + "\nEnd."), (Texts{"Short.", one_line, "End."}));
    EXPECT_EQ(paragraphs_of(wrapped(one_line, 72, "")), (Texts{one_line}));
    const std::string one_word(300000, 'x');
    EXPECT_EQ(paragraphs_of(one_word), (Texts{one_word}));
}

}  // namespace
}  // namespace wordbreadth::corpus
