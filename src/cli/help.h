// Help that fits 80 columns: CLI11's own, with the descriptions wrapped.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

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

}  // namespace wordbreadth::cli
