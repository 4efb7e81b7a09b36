// Verbs with a preposition: look_up, ask_for_it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lexicon/dictionary.h"

namespace wordbreadth::lexicon {

// Whether a word after the first is a preposition.
[[nodiscard]] bool has_preposition(std::string_view form);

// The base form of a verb of several words, the first of which is inflected and perhaps, as a noun, the last:
// "looked_up", "asks_for_troubles". Nothing when there is none in the dictionary.
[[nodiscard]] std::optional<std::string> base_of_phrasal_verb(const Dictionary& verbs, const Dictionary& nouns,
                                                              std::string_view form);

}  // namespace wordbreadth::lexicon
