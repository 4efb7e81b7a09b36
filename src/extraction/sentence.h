// A sentence that outlives the reader's next one, with what the corpus itself says of its words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/selection.h"

namespace wordbreadth::extraction {

struct KeptSentence {
    // text[begin, end), in bytes, and what it counts as: nothing when it is not asked for.
    struct Word {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::string type;
    };

    std::uint64_t number = 0;
    std::uint64_t document = 0;
    std::string text;
    std::vector<Word> words;    // that the corpus has marked
    bool words_are_all = true;  // of the text: else nothing else in it is asked for (dwug)
    std::string label;          // of a text that is taken whole

    // Takes what is needed of `sentence`.
    void assign(const corpus::Sentence& sentence, const corpus::Selection& selection);
};

}  // namespace wordbreadth::extraction
