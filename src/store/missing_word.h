// What a store says of a word that it does not have.
#pragma once

#include <string>

#include "store/plan.h"

namespace wordbreadth::store {

// The reason, where the store knows it: what was recorded of the word when it was asked for and not found often enough,
// or a word that it may be a misspelling of. "too rare: 12 usable of 40 needed", did you mean "object"?, or nothing.
[[nodiscard]] std::string why_missing(Plan& plan, const std::string& word);

// Throws InputError with the reason; where there is none, with the settings that decide which words are in the store.
[[noreturn]] void fail_missing_word(Plan& plan, const std::string& word);

}  // namespace wordbreadth::store
