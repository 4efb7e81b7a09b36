// Function words of English, which stand at the broad end of every ranking.
#pragma once

#include <span>
#include <string_view>

namespace wordbreadth {

// In lower case and byte order: articles, pronouns, prepositions, conjunctions, auxiliaries, and the commonest adverbs
// of degree and negation.
[[nodiscard]] std::span<const std::string_view> english_stop_words();

}  // namespace wordbreadth
