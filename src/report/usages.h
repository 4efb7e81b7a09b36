// Usages for other programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "study/usages.h"

namespace wordbreadth::report {

// {"word": ..., "frequency": ..., "rows": ..., "results": [...]}, the usages in the order given.
[[nodiscard]] nlohmann::ordered_json json_of(const store::StoredWord& word, std::span<const Usage> usages);

[[nodiscard]] std::string tsv_of(std::span<const Usage> usages);

}  // namespace wordbreadth::report
