// The sentence around an occurrence, and orders in which people read many of them.
#pragma once

#include <string>
#include <vector>

#include "study/usages.h"
#include "wordbreadth/names.h"

namespace wordbreadth {

// The parts of a sentence: what is left of the word, the word as it stands there, what is right of it.
struct Context {
    std::string left, node, right;
};

// Places past the end of the text are its end.
[[nodiscard]] Context context_of(const store::Occurrence& occurrence);

enum class ContextOrder {
    corpus,     // as the corpus has them
    left,       // by the words to the left, the nearest first
    right,      // by the words to the right
    influence,  // what makes the word broadest first
};

[[nodiscard]] constexpr auto names_of(ContextOrder) {
    using enum ContextOrder;
    return std::to_array<Named<ContextOrder>>(
        {{corpus, "corpus"}, {left, "left"}, {right, "right"}, {influence, "influence"}});
}

// Words are compared without case and punctuation; characters of scripts without spaces (Chinese, Japanese, Thai) each
// count as a word. Equal usages stay as they were.
void sort_usages(std::vector<Usage>& usages, ContextOrder order);

}  // namespace wordbreadth
