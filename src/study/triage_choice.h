// Which words of a store a triage is about.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "study/triage.h"

namespace wordbreadth {

struct TriageChoice {
    std::vector<std::size_t> references;  // places in the store's words, as listed, each once
    std::vector<std::size_t> candidates;  // the same, ascending
    std::vector<LeftOut> missing;         // references that the store does not have
    std::vector<LeftOut> left_out;        // candidates that are none
};

// Throws InputError, naming the list, when the store has no reference or no candidate.
[[nodiscard]] TriageChoice choose_words(const store::CloudStore& store, const TriageWords& words);

}  // namespace wordbreadth
