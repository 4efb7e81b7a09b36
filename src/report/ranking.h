// A ranking of words as text, JSON, tab-separated values and a page.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/page/page.h"
#include "wordbreadth/concordance.h"
#include "wordbreadth/rank.h"

namespace wordbreadth::report {

// Occurrences of some words, by word.
using UsagesOfWords = std::map<std::string, std::vector<ConcordanceLine>>;

// All words, or those of a neighbourhood, which has a column more: whether a word was named.
[[nodiscard]] Table table_of(const Ranking& ranking);
[[nodiscard]] Table table_of(const Ranking& ranking, const Neighbourhood& part);

// The first and the last `ends` words, or all when there are no more; then what was left out. Of a neighbourhood, its
// words, with an arrow before those that were named.
[[nodiscard]] std::string text_of(const Ranking& ranking, std::size_t ends, const Style& style);
[[nodiscard]] std::string text_of(const Ranking& ranking, const Neighbourhood& part, const Style& style);

// {"by": ..., "common_size": ..., "words": ..., "filtered": [...], "results": [...], "left_out": [...]}.
[[nodiscard]] nlohmann::ordered_json json_of(const Ranking& ranking);
[[nodiscard]] nlohmann::ordered_json json_of(const Ranking& ranking, const Neighbourhood& part);

// The page, but for the settings of the store and the command that makes it again. Words that have occurrences open to
// them.
[[nodiscard]] Page page_of(const Ranking& ranking, const UsagesOfWords& usages);

}  // namespace wordbreadth::report
