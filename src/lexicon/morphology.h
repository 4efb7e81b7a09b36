// From a form of a word to its base forms, in the way of the `wn` program (WordNet's manual calls it morphy).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lexicon/dictionary.h"

namespace wordbreadth::lexicon {

// The base forms of `form`, which is in lower case with _ for spaces, where they differ from it: all that the list of
// exceptions gives, or else the first that the rules lead to and the dictionary has. Of a collocation the rules are
// tried on the whole, then on each part; of a verb with a preposition on the verb. `nouns` may be `dictionary` itself.
// A base form from the list of exceptions need not be in the dictionary.
[[nodiscard]] std::vector<std::string> base_forms(const Dictionary& dictionary, const Dictionary& nouns,
                                                  std::string_view form);

}  // namespace wordbreadth::lexicon
