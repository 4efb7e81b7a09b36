// wordbreadth calibrate: how far tests on a store can be trusted.
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "base/output_file.h"
#include "cli/commands.h"
#include "cli/fallback.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/watched.h"
#include "report/json.h"
#include "report/study/calibration.h"
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

void draw(base::OutputFile& file, const Calibration& calibration) {
    const std::string svg = svg_of(report::rates_plot(calibration, report::main_alpha(calibration))).file();
    file.write(std::as_bytes(std::span(svg)));
    file.keep();
}

void run(Call& call) {
    call.options.adaptive = !call.complete;
    const Store store(call.store);
    std::optional<base::OutputFile> picture;
    if (!call.svg.empty()) picture.emplace(call.svg);
    Execution& execution = call.options.execution;
    const Calibration calibration =
        watched(execution, fallback_note(execution, call.format), [&](const Execution& watched_execution) {
            CalibrateOptions options = call.options;
            options.execution = watched_execution;
            return calibrate(store, options);
        });
    if (picture) draw(*picture, calibration);
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
    CLI::App& command = *program.add_subcommand("calibrate", "How far tests on a store can be trusted");
    command.add_option("STORE", call->store, "the folder that `wordbreadth extract` made")->required();
    add_alphas_option(command, options.alphas);
    add_whole_number<std::size_t>(command, "--count", options.count, {1, limits::archive_entries},
                                  "tests of each kind; more make the intervals narrower")
        ->default_str(std::to_string(options.count));
    add_whole_number<std::uint64_t>(command, "--permutations", options.permutations, {1, limits::permutations},
                                    "random splits of a test")
        ->default_str(std::to_string(options.permutations));
    command.add_flag("--complete", call->complete,
                     "look at all splits also where it is clear that a test does not reject; changes no rate");
    add_whole_number<std::size_t>(command, "--common-size", options.common_size, {10, limits::rows_of_a_pair},
                                  "rows to take of each word; default: as many as the smallest cloud has");
    add_whole_number<std::uint64_t>(command, "--seed", options.seed, {}, "which rows, words and splits")
        ->default_str(std::to_string(options.seed));
    command.add_option("--svg", call->svg, "write the picture to this file")->type_name("FILE.svg");
    add_format_option(command, call->format);
    add_whole_number<unsigned>(command, "--threads", options.execution.threads, {1, limits::threads},
                               "default: OMP_NUM_THREADS, or else every core; changes no result");
    command.add_option("--device", options.execution.device, "where to run; see `wordbreadth devices`")
        ->type_name("auto|cpu|cuda|reference")
        ->default_str(options.execution.device);
    command.callback([call] { run(*call); });
}

}  // namespace wordbreadth::cli
