// What a summary says that is in the plan, whether it was just made or found.
#pragma once

#include <cstddef>
#include <string_view>

#include "store/plan.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::extraction {

// A setting that is a number. Throws InputError, naming the store, when it is none.
[[nodiscard]] std::size_t number_from(const store::Plan& plan, std::string_view text);

void describe_plan(store::Plan& plan, ExtractSummary& summary);

}  // namespace wordbreadth::extraction
