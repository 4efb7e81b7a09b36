// Plain text: its paragraphs, its sentences, and where spaces belong between pieces that came without them.
#pragma once

#include <unicode/brkiter.h>
#include <unicode/unistr.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "corpus/source.h"

namespace wordbreadth::corpus {

// Whether a space belongs between the end of one line and the start of the next: not in Japanese and Chinese, and not
// after the hyphen of a divided word.
[[nodiscard]] bool lines_want_space(std::string_view before, std::string_view after);

// Whether a space belongs between two words of a corpus that does not say so: not before a comma, nor after an opening
// bracket.
[[nodiscard]] bool words_want_space(std::string_view before, std::string_view after);

// Columns that the text takes on a terminal: two for a Chinese, Japanese or Korean character.
[[nodiscard]] std::size_t columns_of(std::string_view text);

// Paragraphs, with lines that were only wrapped joined again.
//
// A blank line ends a paragraph. Whether another line end does is seen from the widths: it was made by wrapping when
// the next line's first word would not have fitted. So a heading keeps its line, a file of one paragraph (or sentence)
// per line keeps them all, and text wrapped at any width becomes whole again. Lines broken by hand are narrower than
// they could be (in Perl's manuals one of five that go on): they are joined where the next begins with a small letter
// and nothing ends before it.
class Paragraphs {
  public:
    // `lines` outlives this, and returns long lines in pieces.
    explicit Paragraphs(LineReader& lines) : lines_(lines) {}

    // Appends the next paragraph to `text`, or a piece of it when it is long; `ends` says whether the paragraph ends
    // there. False, and nothing appended, at the end of the text.
    [[nodiscard]] bool next(std::string& text, bool& ends);

  private:
    struct Line {
        std::size_t begin;  // in block_
        std::size_t end;
        std::size_t columns;  // with its indentation, which is not in block_
        bool whole;           // else the next piece of the same line follows
    };

    [[nodiscard]] std::string_view text_of(const Line& line) const {
        return std::string_view(block_).substr(line.begin, line.end - line.begin);
    }
    bool fill();
    void start_block();
    void add_line();
    [[nodiscard]] bool is_wrapped(std::size_t line) const;

    LineReader& lines_;
    std::string block_;  // lines with no blank one between them
    std::vector<Line> in_block_;
    std::size_t next_ = 0;      // of in_block_
    std::size_t width_ = 0;     // of the widest line of the block
    bool closed_ = true;        // a blank line, or the end of the text, follows the block
    bool opens_ = true;         // the next line begins a paragraph
    std::int32_t opening_ = 0;  // the character that the paragraph begins with
};

// Splits running text into sentences: the rules of Unicode (UAX 29, by ICU), less the breaks after abbreviations and
// before lower case.
//
// Measured on 2026-11-15, on cases that were in view when the rules were written: on the hard ones that segtok and
// syntok keep as tests F1 is 0.91 and 0.94 (ICU alone: 0.82 and 0.87; with ICU's own lists of abbreviations 0.84 and
// 0.87, since the English one has "By." but no "Dr."); on the Debian handbook 4,268 ends are those that BlingFire
// finds, 11 are not.
class Splitter {
  public:
    Splitter();

    // Where the sentences of `text` end, in bytes: ascending, the last at its size; white space between two sentences
    // belongs to the first. Nothing for empty text. Stays until the next call.
    [[nodiscard]] const std::vector<std::size_t>& split(std::string_view text);

  private:
    // ASCII, which ICU takes ten times as long for.
    void split_plain(std::string_view text);
    void split_by_icu(std::string_view text);
    [[nodiscard]] bool breaks(std::string_view text, std::size_t stop, std::size_t at) const;
    void add_break(std::string_view text, std::size_t at);
    [[nodiscard]] std::int32_t kind_of(char c) const { return kinds_[static_cast<unsigned char>(c)]; }

    std::array<std::int32_t, 256> kinds_{};  // of bytes: ICU's USentenceBreak
    std::unique_ptr<icu::BreakIterator> iterator_;
    icu::UnicodeString utf16_;
    std::vector<std::size_t> ends_;
};

// Sentences, in constant memory however long lines, paragraphs and sentences are.
class RawSentences {
  public:
    // `splitter` and `source` outlive this.
    RawSentences(base::Bytes& source, Splitter& splitter);

    // The next sentence, without white space at its ends, never empty; one longer than limits::sentence_bytes comes in
    // pieces. False at the end. The sentence stays until the next call.
    [[nodiscard]] bool next(std::string_view& sentence);

  private:
    bool refill();
    std::string_view take();

    LineReader lines_;
    Paragraphs paragraphs_;
    Splitter& splitter_;
    std::string text_;          // what was read and not returned
    std::size_t begin_ = 0;     // of the next sentence in it
    std::size_t next_end_ = 0;  // index in ends_ of its end
    std::vector<std::size_t> ends_;
};

}  // namespace wordbreadth::corpus
