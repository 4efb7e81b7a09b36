// What a summary says that is in the plan, whether it was just made or found.
#pragma once

#include "store/plan.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::extraction {

void describe_plan(store::Plan& plan, ExtractSummary& summary);

}  // namespace wordbreadth::extraction
