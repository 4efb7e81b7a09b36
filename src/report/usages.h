// Usages for other programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "wordbreadth/concordance.h"

namespace wordbreadth::report {

// {"word": ..., "frequency": ..., "rows": ..., "results": [...]}, the usages in the order given.
[[nodiscard]] nlohmann::ordered_json json_of(const StoredWord& word, std::span<const ConcordanceLine> usages);

[[nodiscard]] std::string tsv_of(std::span<const ConcordanceLine> usages);

}  // namespace wordbreadth::report
