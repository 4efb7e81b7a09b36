// What methods are called, and what a misspelt name may stand for; the names of choices are in wordbreadth/names.h.
#pragma once

#include <string>
#include <vector>

#include "wordbreadth/names.h"
#include "wordbreadth/rates.h"

namespace wordbreadth::report {

// " (did you mean seed?)", " (did you mean calibrate or compare?)", of names that begin with `text`, or else are
// close to it; "" where there are none.
[[nodiscard]] std::string suggestion(const std::string& text, const std::vector<std::string>& known);

// The methods that studies compare.
[[nodiscard]] std::string name_of(const Method& method);  // for people: householder, robust
[[nodiscard]] std::string key_of(const Method& method);   // for programs: householder_robust

}  // namespace wordbreadth::report
