#include "corpus/source.h"

#include <gtest/gtest.h>

#include "support/corpus_testing.h"

namespace wordbreadth::corpus {
namespace {

struct Piece {
    std::string text;
    std::uint64_t number;
    bool ends;
    bool operator==(const Piece&) const = default;
};

std::vector<Piece> pieces_of(std::string_view text, std::size_t longest, LineReader::Long treatment) {
    const std::string where = "memory";
    MemoryBytes bytes(where, text);
    LineReader reader(bytes, longest, treatment);
    std::vector<Piece> pieces;
    while (reader.next()) pieces.push_back({std::string(reader.line()), reader.number(), reader.ends()});
    return pieces;
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    for (const Piece& piece : pieces_of(text, 100, LineReader::Long::refused)) lines.push_back(piece.text);
    return lines;
}

using Lines = std::vector<std::string>;

TEST(LineReader, LinesEndWithLineFeedsOrBoth) {
    EXPECT_EQ(lines_of("a\nb\r\n\nc"), (Lines{"a", "b", "", "c"}));
    EXPECT_EQ(lines_of("a\n"), (Lines{"a"}));
    EXPECT_EQ(lines_of(""), (Lines{}));
    EXPECT_EQ(lines_of("\n"), (Lines{""}));
}

TEST(LineReader, AByteOrderMarkIsDroppedAtTheStartOnly) {
    EXPECT_EQ(lines_of("\xEF\xBB\xBF"
                       "a\n\xEF\xBB\xBF"
                       "b"),
              (Lines{"a",
                     "\xEF\xBB\xBF"
                     "b"}));
}

TEST(LineReader, LinesOfAnyLengthAroundTheBufferAreWhole) {
    for (const std::size_t length : {65535U, 65536U, 65537U, 131072U, 200000U}) {
        const std::string text = std::string(length, 'x') + "\n" + std::string(length, 'y');
        const auto pieces = pieces_of(text, 1 << 20, LineReader::Long::refused);
        ASSERT_EQ(pieces.size(), 2U);
        EXPECT_EQ(pieces[0].text, std::string(length, 'x'));
        EXPECT_EQ(pieces[1].text, std::string(length, 'y'));
    }
}

TEST(LineReader, ALineAtTheLimitIsAcceptedAndOnePastItIsNot) {
    EXPECT_EQ(lines_of(std::string(100, 'x') + "\n"), (Lines{std::string(100, 'x')}));
    EXPECT_EQ(lines_of(std::string(100, 'x')), (Lines{std::string(100, 'x')}));
    for (const char* end : {"\n", ""}) {
        const std::string text = "a\n" + std::string(101, 'x') + end;
        EXPECT_EQ(error_of([&] { (void)lines_of(text); }),
                  "memory:2: is longer than the 100 bytes accepted for a line");
    }
}

TEST(LineReader, PiecesOfALongLineAreItsText) {
    const auto pieces = pieces_of("aa bb cc dd\ne", 6, LineReader::Long::in_pieces);
    EXPECT_EQ(pieces, (std::vector<Piece>{{"aa bb ", 1, false}, {"cc dd", 1, true}, {"e", 2, true}}));
}

TEST(LineReader, PiecesWithoutWhiteSpaceAreCutBetweenCharacters) {
    const auto pieces = pieces_of("日本語\n", 7, LineReader::Long::in_pieces);
    EXPECT_EQ(pieces, (std::vector<Piece>{{"日本", 1, false}, {"語", 1, true}}));
}

}  // namespace
}  // namespace wordbreadth::corpus
