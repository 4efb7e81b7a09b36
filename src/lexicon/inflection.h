// Takes the inflection off a single word.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lexicon/dictionary.h"

namespace wordbreadth::lexicon {

// What the rules make of a word, in the order in which they are tried; most of it is no word.
[[nodiscard]] std::vector<std::string> stripped(PartOfSpeech part, std::string_view word);

// The first exception, or else the first result of the rules that the dictionary has.
[[nodiscard]] std::optional<std::string> base_of_word(const Dictionary& dictionary, std::string_view word);

}  // namespace wordbreadth::lexicon
