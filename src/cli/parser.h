// What CLI11 prints about the command line, in our words: help that fits 80 columns, and one line about a mistake.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "wordbreadth/error.h"

namespace wordbreadth::cli {

class HelpFormatter : public CLI::Formatter {
  public:
    HelpFormatter();

    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
    std::string make_usage(const CLI::App* app, std::string name) const override;
    std::string make_option(const CLI::Option* option, bool positional) const override;
    std::string make_option_opts(const CLI::Option* option) const override;
    std::string make_option_desc(const CLI::Option* option) const override;
    std::string make_subcommand(const CLI::App* command) const override;
};

// `wordbreadth help [COMMAND]`.
void add_help_command(CLI::App& program);

// No option or argument takes an empty value: an unset variable of a script must not pass for "all".
void refuse_empty_values(CLI::Option& option);

// In one line, with where to read on.
[[nodiscard]] InputError misuse(const CLI::App& program, const CLI::ParseError& error);

// "unknown command measure; expected breadth, test or devices".
[[nodiscard]] std::string unknown_command(const CLI::App& program, const std::string& name);

// "breadth, test or devices".
[[nodiscard]] std::string command_names(const CLI::App& program);

}  // namespace wordbreadth::cli
