// wordbreadth calibrate: how far tests on a store can be trusted.
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "report/calibration.h"
#include "report/files.h"
#include "wordbreadth/calibrate.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::cli {
namespace {

struct Call {
    std::string store;
    std::string svg;
    CalibrateOptions options;
    bool complete = false;  // no adaptive stopping
    Format format = Format::text;
};

std::string rendered(const Calibration& calibration, Format format) {
    if (format == Format::json) return report::text_of(report::json_of(calibration));
    if (format == Format::tsv) return report::tsv_of(report::rates_table(calibration));
    return report::text_of(calibration, stdout_style());
}

void run(Call& call) {
    call.options.adaptive = !call.complete;
    const Store store(call.store);
    std::optional<report::ResultFile> picture;
    if (!call.svg.empty()) picture.emplace(call.svg);
    const Calibration calibration = watched_with(
        call.options, call.format, [&](const CalibrateOptions& options) { return calibrate(store, options); });
    if (picture) picture->write(svg_of(report::rates_plot(calibration, report::main_alpha(calibration))).file());
    print(rendered(calibration, call.format));
}

void add_alphas_option(CLI::App& command, std::vector<double>& alphas) {
    const auto read = [&command, &alphas](const std::vector<std::string>& texts) {
        alphas.clear();
        for (const std::string& text : texts) {
            double alpha = 0;
            if (!read_number(text, alpha) || !(alpha > 0 && alpha < 1))
                reject(command, "--alpha", text, "levels between 0 and 1, such as 0.01,0.05");
            alphas.push_back(alpha);
        }
    };
    command.add_option_function<std::vector<std::string>>("--alpha", read, "the levels to look at")
        ->delimiter(',')
        ->type_name("A,A,...")
        ->default_str("0.01,0.05,0.1");
}

}  // namespace

void add_calibrate_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    CalibrateOptions& options = call->options;
    CLI::App& command = *program.add_subcommand("calibrate", "Measure the false positive rates of the test on a store");
    add_store_argument(command, call->store);
    add_alphas_option(command, options.alphas);
    add_number_with_default<std::size_t>(command, "--count", options.count, {1, limits::archive_entries},
                                         "tests of each kind; more make the intervals narrower");
    add_rate_options(command, options.permutations, call->complete, options.seed, "which rows, words and permutations");
    add_whole_number<std::size_t>(command, "--common-size", options.common_size, {10, limits::rows_of_a_pair},
                                  "rows to take from each word; default: as many as the smallest cloud has");
    command.add_option("--svg", call->svg, "write the picture to this file")->type_name("FILE.svg");
    add_format_option(command, call->format);
    add_threads_option(command, options.execution.threads);
    add_device_option(command, options.execution.device, {"auto", "cpu", "cuda", "reference"},
                      "where to run; see `wordbreadth devices`");
    command.callback([call] { run(*call); });
}

}  // namespace wordbreadth::cli
