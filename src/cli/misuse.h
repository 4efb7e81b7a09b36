// What is wrong with a command line that could not be understood, in our words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "wordbreadth/error.h"

namespace wordbreadth::cli {

// No option or argument takes an empty value: an unset variable of a script must not pass for "all".
void refuse_empty_values(CLI::Option& option);

// In one line, with where to read on.
[[nodiscard]] InputError misuse(const CLI::App& program, const CLI::ParseError& error);

// "unknown command measure; expected breadth, test or devices".
[[nodiscard]] std::string unknown_command(const CLI::App& program, const std::string& name);

// "breadth, test or devices".
[[nodiscard]] std::string command_names(const CLI::App& program);

}  // namespace wordbreadth::cli
