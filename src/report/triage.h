// A triage of words as text, JSON, tab-separated values and a page.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/page/page.h"
#include "wordbreadth/triage.h"

namespace wordbreadth::report {

// All candidates, those that need attention first.
[[nodiscard]] Table table_of(const Triage& triage);

// The first and the last `ends` candidates, or all when there are no more; the occurrences of the first few; then how
// it was made, and the words that were missing or left out.
[[nodiscard]] std::string text_of(const Triage& triage, std::size_t ends, const Style& style);

// {"references": [...], "missing": [...], "missing_because": [...], "settings": {...}, "results": [...], "left_out":
// [...]}.
[[nodiscard]] nlohmann::ordered_json json_of(const Triage& triage);

// The page, but for the settings of the store and the command that makes it again.
[[nodiscard]] Page page_of(const Triage& triage);

// Which references a candidate is broader than, in few words: "all", "none", "hand, day", "all but hand".
[[nodiscard]] std::string broader_than(const Triage& triage, const Candidate& candidate);

}  // namespace wordbreadth::report
