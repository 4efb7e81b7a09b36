// Options that several commands share. Their defaults are those of the structs they fill: one place to edit.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "report/names.h"
#include "wordbreadth/test.h"

namespace wordbreadth::cli {

enum class Format { text, json, tsv };
[[nodiscard]] std::span<const report::Named<Format>> names_of(Format);

void add_format_option(CLI::App& command, Format& format);

// How to test, and where to run it: what `test` and `pairs` have in common.
void add_test_options(CLI::App& command, TestOptions& options);

// --adjust, of `pairs`.
void add_adjust_option(CLI::App& command, Adjustment& adjustment);

// "; see `wordbreadth test --help`", the end of messages about the command line.
[[nodiscard]] std::string see_help(const CLI::App& command);

}  // namespace wordbreadth::cli
