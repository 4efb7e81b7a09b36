// wordbreadth merge: joins what the parts of a job have made, whatever kind of job it is.
#include "cli/parts.h"
#include "report/parts_of_job.h"
#include "wordbreadth/pair_parts.h"

namespace wordbreadth::cli {
namespace {

struct MergeCall {
    std::string folder;
    Execution execution;
    std::optional<std::size_t> top;
    Format format = Format::text;
};

void merge_extraction(const MergeCall& call, const CLI::App& command) {
    require_effect(command, "--top", false, "on a store");
    if (call.format != Format::text && call.format != Format::json)
        reject(command, "--format", std::string(name_of(call.format)), "text or json for a store");
    const MergeSummary summary = watched(call.execution, "", [&](Execution execution) {
        execution.timing = timing_of(command);
        return merge_store(call.folder, execution);
    });
    print_result(command, [&] {
        return call.format == Format::json ? report::merge_json(summary, call.folder)
                                           : report::merge_text(summary, call.folder, stdout_style());
    });
}

// Each kind of job knows its folders.
void merge(const MergeCall& call, const CLI::App& command) {
    if (has_pair_parts(call.folder)) return merge_pairs(call.folder, call.format, call.top, call.execution, command);
    if (can_merge_store(call.folder)) return merge_extraction(call, command);
    throw InputError(call.folder + ": holds nothing to merge; expected a folder that a command with --part wrote to" +
                     see_help(command));
}

}  // namespace

CLI::Option* add_part_option(CLI::App& command, std::optional<Part>& part, const std::string& help) {
    const auto read = [&command, &part](const std::string& text) {
        const std::size_t slash = text.find('/');
        Part given;
        const bool is_good = slash != std::string::npos && read_number(text.substr(0, slash), given.number) &&
                             read_number(text.substr(slash + 1), given.of) && given.number >= 1 &&
                             given.number <= given.of && given.of <= most_parts;
        if (!is_good) reject(command, "--part", text, "a part and their number, from 1/N to N/N, such as 3/8");
        part = given;
    };
    return command.add_option_function<std::string>("--part", read, help)->type_name("I/N");
}

void add_merge_command(CLI::App& program) {
    const auto call = std::make_shared<MergeCall>();
    CLI::App& command = *program.add_subcommand("merge", "Join what the parts of a job have made (--part)");
    command.add_option("FOLDER", call->folder, "the folder that the parts wrote to: a store, or DIR of `pairs`")
        ->required();
    add_number(command, "--top", call->top, {1},
               "of pairs: those to show, smallest p first; default: all; json, tsv and parquet always have all");
    add_format_option(command, call->format);
    add_threads_option(command, call->execution.threads);
    command.callback([call, &command] { merge(*call, command); });
}

}  // namespace wordbreadth::cli
