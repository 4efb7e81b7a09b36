// Options that several commands share. Their defaults are those of the structs they fill: one place to edit.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/option_kinds.h"
#include "wordbreadth/names.h"
#include "wordbreadth/test.h"

namespace wordbreadth::cli {

enum class Format { text, json, tsv };
[[nodiscard]] constexpr auto names_of(Format) {
    return std::to_array<Named<Format>>({{Format::text, "text"}, {Format::json, "json"}, {Format::tsv, "tsv"}});
}

void add_format_option(CLI::App& command, Format& format);

// For what is no table: --format text|json, the flag whether it is JSON.
void add_json_option(CLI::App& command, bool& json);

// How to test, and where to run it: what `test` and `pairs` have in common.
void add_test_options(CLI::App& command, TestOptions& options);

// --adjust, of `pairs`.
void add_adjust_option(CLI::App& command, Adjustment& adjustment);

}  // namespace wordbreadth::cli
