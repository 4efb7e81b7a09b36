// The paragraphs and the sentences of plain text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "corpus/line_reader.h"
#include "corpus/splitter.h"

namespace wordbreadth::corpus {

// Paragraphs, with lines that were only wrapped joined again.
//
// A blank line ends a paragraph. Whether another line end does is seen from the widths: it was made by wrapping when
// the next line's first word would not have fitted. So a heading keeps its line, a file of one paragraph (or sentence)
// per line keeps them all, and text wrapped at any width becomes whole again.
class Paragraphs {
  public:
    // `lines` outlives this; it gives long lines in pieces.
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
    std::size_t next_ = 0;   // of in_block_
    std::size_t width_ = 0;  // of the widest line of the block
    bool closed_ = true;     // a blank line, or the end of the text, follows the block
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
    std::string text_;          // what was read and not given out
    std::size_t begin_ = 0;     // of the next sentence in it
    std::size_t next_end_ = 0;  // which of splitter_'s ends is its end
    std::vector<std::size_t> ends_;
};

}  // namespace wordbreadth::corpus
