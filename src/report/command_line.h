// How the program is called, or Python's functions, where a report says what to do next. The one file of the library
// that knows the program's options.
#pragma once

#include <string>

#include "report/results.h"
#include "wordbreadth/names.h"
#include "wordbreadth/rates.h"

namespace wordbreadth::report {

// What finishes a store that is not finished.
[[nodiscard]] inline std::string resume_command(const std::string& folder) {
    return "wordbreadth extract --resume --out " + folder;
}

// What puts the parts of a store together.
[[nodiscard]] inline std::string merge_command(const std::string& folder) {
    return "wordbreadth merge " + folder;
}

[[nodiscard]] inline std::string rank_command(const std::string& folder) {
    return "wordbreadth rank " + folder;
}

[[nodiscard]] inline std::string info_command(const std::string& folder) {
    return "wordbreadth info --format json " + folder;
}

// The options that choose a method.
[[nodiscard]] inline std::string options_of(const Method& method, Caller caller) {
    const std::string align(wordbreadth::name_of(method.align)), statistic(wordbreadth::name_of(method.statistic));
    if (caller == Caller::python) return "align='" + align + "', statistic='" + statistic + "'";
    return "--align " + align + " --statistic " + statistic;
}

// The option that keeps words of several tokens, the one for a part of a job, and the one that ranks by frequency in
// the additional experiment.
inline constexpr const char* option_for_subwords = "--subwords mean";
inline constexpr const char* option_for_wordnet = "--wordnet FILE";
inline constexpr const char* option_for_parts = "--part I/N";
inline constexpr const char* option_for_frequency = "--additional-rank-by frequency";

}  // namespace wordbreadth::report
