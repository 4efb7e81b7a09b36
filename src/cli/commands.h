// The commands. Each adds itself to the program's parser, to be run once the whole command line was understood.
//
// A command prints its outcome once, at its end, so that a call that fails prints nothing on stdout. It reports failure
// by throwing; main turns that into the one line on stderr.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/terminal.h"
#include "report/results.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::cli {

void add_extract_command(CLI::App& program);
void add_info_command(CLI::App& program);
void add_rank_command(CLI::App& program);
void add_triage_command(CLI::App& program);
void add_compare_command(CLI::App& program);
void add_contexts_command(CLI::App& program);
void add_export_command(CLI::App& program);
void add_breadth_command(CLI::App& program);
void add_test_command(CLI::App& program);
void add_pairs_command(CLI::App& program);
void add_calibrate_command(CLI::App& program);
void add_experiment_command(CLI::App& program);
void add_devices_command(CLI::App& program);

// The result as a program reads it: the JSON or the table of these, which describe it.
template <class... Result>
[[nodiscard]] std::string for_programs(Format format, const Result&... result) {
    if (format == Format::json) return report::text_of(report::json_of(result...));
    return report::tsv_of(report::table_of(result...));
}

}  // namespace wordbreadth::cli
