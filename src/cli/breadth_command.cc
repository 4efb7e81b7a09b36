// wordbreadth breadth: how widely each cloud spreads.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "report/breadth.h"
#include "report/table/number.h"
#include "wordbreadth/breadth.h"
#include "wordbreadth/cloud_source.h"
#include "wordbreadth/error.h"
#include "wordbreadth/files.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::cli {
namespace {

using report::CloudBreadth;

struct Call {
    std::vector<std::string> files;
    Cut cut;
    Format format = Format::text;
};

CloudBreadth breadth_of(const NamedCloud& named) {
    if (named.cloud) return {named.name, named.origin, breadth(*named.cloud), {}};
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {named.name, named.origin, {named.rows, named.dimension, none, none, none, none, none}, named.reason};
}

// One cloud in memory at a time.
std::vector<CloudBreadth> breadths(const Call& call) {
    std::vector<CloudBreadth> found;
    for (const std::string& where : call.files) {
        const CloudPlace place = place_of(where);
        const CloudSource source(place.path);
        const std::vector<std::string> names = place.name.empty() ? source.names() : std::vector{place.name};
        for (const std::string& name : names) found.push_back(breadth_of(source.read(name, call.cut)));
    }
    return found;
}

std::string rendered(const std::vector<CloudBreadth>& found, Format format) {
    const report::Table table = report::table_of(found);
    if (format == Format::json) return report::text_of({{"results", report::json_of(table)}});
    if (format == Format::tsv) return report::tsv_of(table);
    return report::text_of(found, stdout_style());
}

// After all the results were printed: the call did not get all that it asked for.
void report_undefined(const std::vector<CloudBreadth>& found) {
    const auto is_undefined = [](const CloudBreadth& cloud) { return !cloud.undefined.empty(); };
    const auto first = std::ranges::find_if(found, is_undefined);
    if (first == found.end()) return;
    const auto number = static_cast<std::uint64_t>(std::ranges::count_if(found, is_undefined));
    throw InputError(report::count(number) + " of " + report::count(found.size()) +
                     (number == 1 ? " clouds has" : " clouds have") + " no breadth: first: " + first->undefined);
}

void run(const Call& call, const CLI::App& command) {
    require_effect(command, "--seed", call.cut.rows > 0, "without --common-size");
    const std::vector<CloudBreadth> found = breadths(call);
    print(rendered(found, call.format));
    report_undefined(found);
}

}  // namespace

void add_breadth_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    CLI::App& command = *program.add_subcommand("breadth", "The breadth v of clouds, with r and kappa");
    command
        .add_option("FILE", call->files,
                    "a store, or .npy, .npz or .safetensors (all its clouds); or STORE:word, FILE:name (one of them)")
        ->required();
    add_whole_number<std::size_t>(command, "--common-size", call->cut.rows, {2, limits::rows_of_a_pair},
                                  "rows to take from each cloud, since v depends on their number; default: all");
    add_number_with_default<std::uint64_t>(command, "--seed", call->cut.seed, {}, "which rows, with --common-size");
    add_format_option(command, call->format);
    command.callback([call, &command] { run(*call, command); });
}

}  // namespace wordbreadth::cli
