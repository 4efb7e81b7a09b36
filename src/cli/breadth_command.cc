// wordbreadth breadth: how widely each cloud spreads.
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/clouds.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "report/json.h"
#include "report/tables.h"
#include "report/tsv.h"
#include "wordbreadth/breadth.h"

namespace wordbreadth::cli {
namespace {

struct Call {
    std::vector<std::string> files;
    Format format = Format::text;
};

void run(const Call& call) {
    std::vector<report::CloudBreadth> found;
    for (const std::string& file : call.files)
        for (const Cloud& cloud : clouds_at(file)) found.push_back({cloud.name(), cloud.origin(), breadth(cloud)});
    switch (call.format) {
        case Format::text:
            return print(report::breadth_table(found, stdout_style()));
        case Format::json:
            return print(report::text_of(report::json_of(found)));
        case Format::tsv:
            return print(report::tsv_of(found));
    }
}

}  // namespace

void add_breadth_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    CLI::App& command = *program.add_subcommand("breadth", "The breadth v of clouds, with r and kappa");
    command
        .add_option("FILE", call->files,
                    "a store, or .npy, .npz or .safetensors (all its clouds); or STORE:word, FILE:name (one of them)")
        ->required();
    add_format_option(command, call->format);
    command.callback([call] { run(*call); });
}

}  // namespace wordbreadth::cli
