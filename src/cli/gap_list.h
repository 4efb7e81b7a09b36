// Gaps as the command line has them: "5", "1-10", "1-10,50,100".
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace wordbreadth::cli {

// Adds the option. Its value is every gap once, in ascending order.
CLI::Option* add_gaps_option(CLI::App& command, const std::string& name, std::vector<std::size_t>& gaps,
                             const std::string& help);

}  // namespace wordbreadth::cli
