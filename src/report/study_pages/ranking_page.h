// A ranking of words as a page.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/page/page.h"
#include "wordbreadth/concordance.h"
#include "wordbreadth/rank.h"

namespace wordbreadth::report {

// Usages of some words, by word.
using UsagesOfWords = std::map<std::string, std::vector<ConcordanceLine>>;

// The page, but for the settings of the store and the command that makes it again. Words that have usages open to them.
[[nodiscard]] Page page_of(const Ranking& ranking, const UsagesOfWords& usages);

}  // namespace wordbreadth::report
