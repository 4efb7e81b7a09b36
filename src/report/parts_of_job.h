// What parts of an extraction have made, and their merge.
#pragma once

#include <string>

#include "report/results.h"
#include "wordbreadth/parts.h"

namespace wordbreadth::report {

[[nodiscard]] std::string part_text(const PartSummary& summary, const std::string& folder, const Style& style);
[[nodiscard]] std::string part_json(const PartSummary& summary, const std::string& folder);

[[nodiscard]] std::string merge_text(const MergeSummary& summary, const std::string& folder, const Style& style);
[[nodiscard]] std::string merge_json(const MergeSummary& summary, const std::string& folder);

}  // namespace wordbreadth::report
