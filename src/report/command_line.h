// How the program is called, where a report says what to do next. The one file of the library that knows its options.
#pragma once

#include <string>

#include "wordbreadth/rates.h"

namespace wordbreadth::report {

// What finishes a store that is not finished.
[[nodiscard]] std::string resume_command(const std::string& folder);

[[nodiscard]] std::string rank_command(const std::string& folder);
[[nodiscard]] std::string info_command(const std::string& folder);

// The options that choose a method.
[[nodiscard]] std::string options_of(const Method& method);

// The option that keeps words of several tokens, and the one that ranks by frequency in the additional experiment.
inline constexpr const char* option_for_subwords = "--subwords mean";
inline constexpr const char* option_for_frequency = "--additional-rank-by frequency";

}  // namespace wordbreadth::report
