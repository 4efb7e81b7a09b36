// What an extraction did, in words.
#pragma once

#include <string>

#include "report/style.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::report {

[[nodiscard]] std::string extraction_text(const ExtractSummary& summary, const std::string& folder, const Style& style);
[[nodiscard]] std::string extraction_json(const ExtractSummary& summary, const std::string& folder);

}  // namespace wordbreadth::report
