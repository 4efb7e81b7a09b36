// Puts a sentence together from the words of an annotated corpus.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"

namespace wordbreadth::corpus {

class SentenceBuilder {
  public:
    void clear();

    // A space before what comes next, unless nothing stands before it.
    void add_space() { space_ = true; }

    // Text that is no word of its own. White space at its ends becomes a space.
    void add_text(std::string_view text);

    // A word that is not empty; white space at its ends becomes a space beside it.
    void add_word(std::string_view surface, std::string_view lemma, std::string_view part_of_speech);

    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] bool empty() const { return text_.empty(); }

    // The text is as long as a sentence may become: finish it, and go on with the rest as with a new one.
    [[nodiscard]] bool full() const;

    // Points `sentence` at what was put together, which stays until clear().
    void finish(Sentence& sentence);

  private:
    struct Annotation {  // in annotations_
        std::size_t begin;
        std::size_t lemma_end;
        std::size_t end;
    };
    void append(std::string_view text);

    std::string text_;
    std::string annotations_;  // lemmas and parts of speech, one after the other
    std::vector<Annotation> of_words_;
    std::vector<Word> words_;
    bool space_ = false;
};

}  // namespace wordbreadth::corpus
