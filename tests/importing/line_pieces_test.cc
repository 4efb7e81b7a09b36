// All lines of a file are in its pieces, each in one, whatever their lengths.
#include "importing/line_pieces.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "support/errors.h"
#include "support/temporary.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::importing {
namespace {

constexpr std::size_t piece = 1024 * 1024;

void expect_lines(const std::string& content, const std::vector<std::string>& expected) {
    const TemporaryFolder folder;
    folder.add("x", content);
    const LinePieces pieces(folder.path() + "/x");
    Lines lines;
    std::vector<std::string> found;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
        pieces.read(k, lines);
        for (const std::string_view line : lines.lines) {
            ASSERT_EQ(content.substr(lines.start_of(line), line.size()), line);
            if (found.size() % 100'000 == 0) {
                EXPECT_EQ(pieces.line_at(lines.start_of(line)), found.size() + 1);
            }
            found.emplace_back(line);
        }
    }
    EXPECT_EQ(found, expected);
}

TEST(LinePieces, LinesOfAnyLengthAreFoundOnce) {
    std::mt19937_64 random(1);
    for (const std::size_t longest : {std::size_t{2}, std::size_t{5000}, piece / 3, 3 * piece}) {
        std::string content;
        std::vector<std::string> lines;
        while (content.size() < 4 * piece) {
            lines.emplace_back(random() % longest, static_cast<char>('a' + random() % 26));
            content += lines.back() + "\n";
        }
        expect_lines(content, lines);
        lines.emplace_back("the last");
        expect_lines(content + lines.back(), lines);
    }
}

TEST(LinePieces, ALineMayEndWhereAPieceDoes) {
    for (const std::size_t size : {piece - 2, piece - 1, piece, piece + 1, 2 * piece - 1, 2 * piece}) {
        const std::string line(size, 'x');
        expect_lines(line, {line});
        expect_lines(line + "\n", {line});
        expect_lines(line + "\ny", {line, "y"});
        expect_lines(line + "\n\ny\n", {line, "", "y"});
    }
}

TEST(LinePieces, AnEmptyFileHasNone) {
    expect_lines("", {});
    expect_lines("\n", {""});
}

TEST(LinePieces, WhatIsAppendedLaterIsNotRead) {
    const TemporaryFolder folder;
    folder.add("x", "one\ntwo\nthr");
    const LinePieces pieces(folder.path() + "/x");
    folder.add("x", "one\ntwo\nthree\nfour\n");
    Lines lines;
    pieces.read(0, lines);
    EXPECT_EQ(lines.lines, (std::vector<std::string_view>{"one", "two", "thr"}));
}

TEST(LinePieces, ALineAtTheLimitIsReadAndOneByteMoreRefused) {
    const TemporaryFolder folder;
    const std::string line(limits::record_bytes, 'x');
    expect_lines("a\n" + line + "\nb", {"a", line, "b"});
    folder.add("x", "a\n" + line + "x\nb");
    const LinePieces pieces(folder.path() + "/x");
    Lines lines;
    EXPECT_EQ(error_of([&] { pieces.read(0, lines); }),
              folder.path() + "/x:2: is longer than 16777216 bytes; expected a line per vector");
}

}  // namespace
}  // namespace wordbreadth::importing
