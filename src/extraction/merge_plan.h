// The plan of a store from its parts.
#pragma once

#include <cstdint>
#include <string>

#include "wordbreadth/extract.h"
#include "wordbreadth/test.h"

namespace wordbreadth::extraction {

struct MergedPlan {
    std::uint64_t parts = 0;
    std::uint64_t decided_anew = 0;  // sentences that are a copy in the plan and not in their part, or the other way
    ExtractSummary summary;
};

// Writes the plan of the parts in the store's folder, and leaves them. Words are merged as they are read, part by part
// in their order: memory grows with the words and rows that are kept and, where copies are looked for, with different
// sentences, as in one pass. Throws InputError, naming the part, when one is missing, damaged or of another plan.
[[nodiscard]] MergedPlan merge_plan(const std::string& folder, const Execution& execution);

}  // namespace wordbreadth::extraction
