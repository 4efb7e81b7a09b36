// wordbreadth test: is one cloud broader than another?
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "report/files.h"
#include "report/test.h"
#include "wordbreadth/cloud_source.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::cli {
namespace {

struct Call {
    std::string x, y;
    std::string null_path;
    std::size_t common_size = 0;  // 0: all rows
    bool force = false;
    TestOptions options;
    Format format = Format::text;
};

void check_null_path(const Call& call) {
    const std::filesystem::path path = call.null_path;
    if (path.extension() != ".npy")
        throw InputError("--null " + call.null_path + ": expected a name that ends in .npy");
    std::error_code ignored;
    for (const std::string& input : {call.x, call.y})
        if (std::filesystem::equivalent(path, input, ignored))
            throw InputError("--null " + call.null_path + ": is one of the clouds tested; name another file");
}

std::string rendered(TestResult result, const std::string& forced, const Call& call) {
    if (call.format == Format::json) return report::text_of(report::json_of(result, forced));
    if (call.format == Format::tsv) return report::tsv_of(report::table_of(result, forced));
    if (result.x == result.y) {  // one word in two files, say: "bank is broader than bank" would not do
        result.x = call.x;
        result.y = call.y;
    }
    const report::Style style = stdout_style();
    return report::verdict(result, call.options.confidence, style) + style.plain_line(report::forced_note(forced));
}

void run(Call& call) {
    std::optional<report::ResultFile> null_file;
    if (!call.null_path.empty()) {
        check_null_path(call);
        call.options.null_distribution = true;
        null_file.emplace(call.null_path);
    }
    const Cut cut{call.common_size, call.options.seed};
    const Cloud x = cloud_at(call.x, cut);
    const Cloud y = cloud_at(call.y, cut);
    const std::string forced = forced_differences(x.origin(), y.origin(), call.force);
    const TestResult result =
        watched_with(call.options, call.format, [&](const TestOptions& options) { return test(x, y, options); });
    if (null_file) null_file->write_npy(result.null_distribution);
    print(rendered(result, forced, call));
}

}  // namespace

void add_test_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    CLI::App& command = *program.add_subcommand("test", "Is cloud X broader than cloud Y? A permutation test");
    command.add_option("X", call->x, "a cloud: STORE:word, FILE.npy, FILE.npz:name or FILE.safetensors:name")
        ->required();
    command.add_option("Y", call->y, "the cloud to compare it with")->required();
    add_whole_number<std::size_t>(command, "--common-size", call->common_size, {2, limits::rows_of_a_pair / 2},
                                  "rows to take from each cloud; default: all");
    add_force_option(command, call->force);
    add_test_options(command, call->options);
    command.get_option("--seed")->description("which random permutations, and which rows with --common-size");
    add_format_option(command, call->format);
    command.add_option("--null", call->null_path, "write the statistic of every permutation to this .npy (float64)")
        ->type_name("FILE.npy");
    command.callback([call] { run(*call); });
}

}  // namespace wordbreadth::cli
