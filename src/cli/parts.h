// Options and commands of jobs that are done in parts.
#pragma once

#include <optional>
#include <string>

#include "cli/commands.h"
#include "wordbreadth/parts.h"

namespace wordbreadth::cli {

void add_merge_command(CLI::App& program);

// --part I/N, counted from 1.
CLI::Option* add_part_option(CLI::App& command, std::optional<Part>& part, const std::string& help);

}  // namespace wordbreadth::cli
