// --html: a page that a command writes beside what it prints.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/files.h"
#include "report/page/page.h"

namespace wordbreadth::cli {

// Adds --html FILE to the command.
void add_html_option(CLI::App& command, std::string& path);

class HtmlReport {
  public:
    // Nothing is written where `path` is empty. Throws InputError, before any work is done, when the name does not end
    // in .html or the folder cannot be written to.
    explicit HtmlReport(const std::string& path);

    [[nodiscard]] bool wanted() const { return file_.has_value(); }

    // Writes the page, with the program's version and the command line at its foot. Once, and only where it is wanted.
    void write(report::Page page, const CLI::App& command);

    // "report: FILE", for the end of what people read; empty where none is wanted.
    [[nodiscard]] std::string note() const;

  private:
    std::string path_;
    std::optional<report::ResultFile> file_;
};

void append(std::vector<report::Setting>& settings, const std::vector<report::Setting>& more);

// An argument as a shell reads it back.
[[nodiscard]] std::string quoted(const std::string& word);

// The command line that was understood, ready for a shell: "wordbreadth rank store --top 5".
[[nodiscard]] std::string command_line(const CLI::App& command);

}  // namespace wordbreadth::cli
