// The sentences of plain text, in constant memory however long its lines, paragraphs and sentences are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "corpus/line_reader.h"
#include "corpus/paragraphs.h"
#include "corpus/splitter.h"

namespace wordbreadth::corpus {

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
