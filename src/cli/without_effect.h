// An option that would change nothing is an error: who gave it expected something of it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/option_kinds.h"

namespace wordbreadth::cli {

// Throws InputError when the option was given although it has no effect, for the reason given: "without --gap".
inline void require_effect(const CLI::App& command, const std::string& option, bool has_effect,
                           const std::string& reason) {
    const CLI::Option* const found = command.get_option_no_throw(option);
    if (!has_effect && found != nullptr && found->count() > 0)
        throw InputError(command.get_name() + ": " + option + " has no effect " + reason + see_help(command));
}

}  // namespace wordbreadth::cli
