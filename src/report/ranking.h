// A ranking of words as text, JSON and tab-separated values.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/style.h"
#include "wordbreadth/rank.h"

namespace wordbreadth::report {

// A table of the first and the last `ends` words, or of all when there are no more; then what was left out.
[[nodiscard]] std::string ranking_table(const Ranking& ranking, std::size_t ends, const Style& style);

// The same of a neighbourhood, an arrow before the words that were named.
[[nodiscard]] std::string ranking_table(const Ranking& ranking, const Neighbourhood& part, const Style& style);

// {"by": ..., "common_size": ..., "words": ..., "filtered": [...], "results": [...], "left_out": [...]}; of a
// neighbourhood only its words, each with "named".
[[nodiscard]] nlohmann::ordered_json json_of(const Ranking& ranking);
[[nodiscard]] nlohmann::ordered_json json_of(const Ranking& ranking, const Neighbourhood& part);

[[nodiscard]] std::string tsv_of(const Ranking& ranking);
[[nodiscard]] std::string tsv_of(const Ranking& ranking, const Neighbourhood& part);

}  // namespace wordbreadth::report
