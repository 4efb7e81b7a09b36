// Clouds of two stores in one test: their breadths can only be compared if the vectors were made in the same way.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "wordbreadth/store.h"

namespace wordbreadth::cli {

// --force.
void add_force_option(CLI::App& command, bool& force);

// What differs (see study/comparable.h); empty where nothing does. Throws InputError, with both values, when something
// does and it was not forced, or when the dimensions differ.
[[nodiscard]] std::string forced_differences(const Store& a, const Store& b, bool force);

// The same for two paths. A file of clouds does not say how they were made, and is taken as it is.
[[nodiscard]] std::string forced_differences(const std::string& a, const std::string& b, bool force);

}  // namespace wordbreadth::cli
