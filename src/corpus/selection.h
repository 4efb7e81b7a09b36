// Which words of an annotated corpus are asked for, and what they count as.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"

namespace wordbreadth::corpus {

struct Selection {
    bool by_lemma = false;                     // a word counts as its lemma, not as it is written
    std::vector<std::string> parts_of_speech;  // any of these; all words when there is none
};

// Whether `found` is the part of speech `wanted`, or a finer one of it: "nn-tl" is an "nn", "名詞-普通名詞-一般" a
// "名詞".
[[nodiscard]] bool is_part_of_speech(std::string_view found, std::string_view wanted);

// What the word counts as; nothing when it is not asked for, or its lemma is not known but needed.
[[nodiscard]] std::optional<std::string_view> type_of(const Sentence& sentence, const Word& word,
                                                      const Selection& selection);

// Throws InputError, naming a file, when the selection asks for what its format does not tell.
void require_annotations(const Reader& reader, const Selection& selection);

}  // namespace wordbreadth::corpus
