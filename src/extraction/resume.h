// Whether a call that resumes a store fits its plan. Nothing that a call says may be ignored.
#pragma once

#include <string>

#include "extraction/model.h"
#include "store/plan.h"
#include "wordbreadth/extract.h"

namespace wordbreadth::extraction {

// Throws InputError, naming both values, when the call states a setting that is not the plan's: see
// ExtractOptions::stated. The model is compared by require_same_model.
void require_same(store::Plan& plan, const ExtractOptions& options);

// The folder of the plan's model. Throws InputError, saying how to name another, when it is not there any more.
[[nodiscard]] std::string planned_model(store::Plan& plan);

// Throws InputError, naming both, unless `sha256`, of the model in `folder`, is that of the plan's model.
void require_same_model(store::Plan& plan, const std::string& folder, const std::string& sha256);

// Throws InputError unless the model computes in the plan's precision here: the rows of one store are alike.
void require_same_precision(store::Plan& plan, const ModelRecord& model);

}  // namespace wordbreadth::extraction
