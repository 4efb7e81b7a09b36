// A ranking of words as text, JSON and tab-separated values.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/style.h"
#include "study/rank.h"

namespace wordbreadth::report {

// A table of the first and the last `ends` words, or of all when there are no more; then what was left out.
[[nodiscard]] std::string ranking_table(const Ranking& ranking, std::size_t ends, const Style& style);

// {"by": ..., "common_size": ..., "results": [...], "left_out": [...]}.
[[nodiscard]] nlohmann::ordered_json json_of(const Ranking& ranking);

[[nodiscard]] std::string tsv_of(const Ranking& ranking);

}  // namespace wordbreadth::report
