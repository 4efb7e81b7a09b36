// What the methods that studies compare are called.
#pragma once

#include <string>

#include "wordbreadth/rates.h"

namespace wordbreadth::report {

[[nodiscard]] std::string name_of(const Method& method);  // for people: householder, robust
[[nodiscard]] std::string key_of(const Method& method);   // for programs: householder_robust
[[nodiscard]] std::string options_of(
    const Method& method);  // for the command line: --align householder --statistic robust

}  // namespace wordbreadth::report
