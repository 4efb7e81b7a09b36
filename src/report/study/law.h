// The meaning-frequency law of a store, in words.
#pragma once

#include <string>

#include "wordbreadth/experiment.h"

namespace wordbreadth::report {

// Over bins and over single words; where there are too few bins for R², it says so.
[[nodiscard]] std::string law_sentence(const FrequencyLaw& law);

}  // namespace wordbreadth::report
