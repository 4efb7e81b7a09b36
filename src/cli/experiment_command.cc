// wordbreadth experiment: the paper's study on a store, as files and as a page.
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/made_folder.h"
#include "base/output_file.h"
#include "cli/commands.h"
#include "cli/fallback.h"
#include "cli/gap_list.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/watched.h"
#include "report/number.h"
#include "report/study/experiment_page.h"
#include "report/text.h"
#include "wordbreadth/error.h"
#include "wordbreadth/experiment.h"
#include "wordbreadth/limits.h"
#include "wordbreadth/names.h"

namespace wordbreadth::cli {
namespace {

struct Call {
    std::vector<std::string> stores;
    std::string out;
    std::string wordnet = WordNet::debian_folder;
    ExperimentOptions options;
    bool complete = false;
    std::string command;  // as it was given
};

void write_file(const std::string& path, const std::string& content) {
    base::OutputFile file(path);
    file.write(std::as_bytes(std::span(content)));
    file.keep();
}

// The page comes last: where it is, all is.
void write_study(const Experiment& study, const Store& store, const WordNet& wordnet, const Call& call) {
    report::Page page = report::study_page(study, store, wordnet);
    page.command = call.command;
    page.settings.push_back({"wordnet", call.wordnet});
    page.settings.push_back({"version", WORDBREADTH_VERSION});
    std::vector<report::Setting> settings = page.settings;
    settings.push_back({"command", call.command});
    const std::filesystem::path folder(call.out);
    for (const report::StudyFile& file : report::study_files(study, store, wordnet, settings))
        write_file((folder / file.name).string(), file.content);
    report::write_page(page, (folder / "report.html").string());
}

std::string quoted(const std::string& argument) {
    const bool plain = !argument.empty() && argument.find_first_not_of(
                                                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                "0123456789_./,:=+-") == std::string::npos;
    if (plain) return argument;
    std::string text = "'";
    for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

// Every choice that has an influence on the results, defaults too, so that a later version repeats the run.
std::string command_of(const Call& call) {
    const ExperimentOptions& o = call.options;
    const auto list = [](const std::vector<std::size_t>& gaps) {
        std::string text;
        for (const std::size_t gap : gaps) text += (text.empty() ? "" : ",") + std::to_string(gap);
        return text;
    };
    std::string text = "wordbreadth experiment";
    for (const std::string& store : call.stores) text += " " + quoted(store);
    text += " --out " + quoted(call.out) + " --wordnet " + quoted(call.wordnet) + " --gaps " + list(o.gaps);
    if (o.count) text += " --count " + std::to_string(*o.count);
    text += " --alpha " + report::shortest(o.alpha) + " --permutations " + std::to_string(o.permutations) +
            " --additional-gaps " + list(o.additional_gaps);
    if (o.additional_count) text += " --additional-count " + std::to_string(*o.additional_count);
    text += " --additional-alpha " + report::shortest(o.additional_alpha) + " --additional-permutations " +
            std::to_string(o.additional_permutations) + " --additional-rank-by " +
            std::string(name_of(o.additional_by));
    if (o.common_size > 0) text += " --common-size " + std::to_string(o.common_size);
    if (!o.adaptive) text += " --complete";
    return text + " --seed " + std::to_string(o.seed);
}

void check_level(const CLI::App& command, const std::string& name, double alpha) {
    if (!(alpha > 0 && alpha < 1)) reject(command, name, report::shortest(alpha), "a level between 0 and 1");
}

// What can be found wrong is found before the work begins.
void run(Call& call, const CLI::App& command) {
    check_level(command, "--alpha", call.options.alpha);
    check_level(command, "--additional-alpha", call.options.additional_alpha);
    call.options.adaptive = !call.complete;
    call.command = command_of(call);
    const WordNet wordnet(call.wordnet);
    std::vector<Store> stores;
    for (const std::string& folder : call.stores) stores.emplace_back(folder);
    std::vector<const Store*> places;
    for (const Store& store : stores) places.push_back(&store);
    const base::MadeFolder folder(call.out);
    { const base::OutputFile trial((std::filesystem::path(call.out) / "report.html").string()); }

    const Experiment study = watched(call.options.execution, fallback_note(call.options.execution, Format::text),
                                     [&](const Execution& execution) {
                                         ExperimentOptions options = call.options;
                                         options.execution = execution;
                                         return experiment(places, wordnet, options);
                                     });
    write_study(study, stores.front(), wordnet, call);
    print(report::study_text(study, stdout_style()) + "\n" +
          report::printable((std::filesystem::path(call.out) / "report.html").string()) + "\n");
}

void add_count_option(CLI::App& command, const std::string& name, std::optional<std::size_t>& count,
                      const std::string& help) {
    const auto read = [&command, &count, name](const std::string& text) {
        std::size_t number = 0;
        if (!read_number(text, number) || number < 1) reject(command, name, text, "a whole number from 1");
        count = number;
    };
    command.add_option_function<std::string>(name, read, help)->type_name("N");
}

void add_permutations_option(CLI::App& command, const std::string& name, std::uint64_t& permutations) {
    add_whole_number<std::uint64_t>(command, name, permutations, {1, limits::permutations}, "random splits of a test")
        ->default_str(std::to_string(permutations));
}

void add_main_options(CLI::App& command, ExperimentOptions& options) {
    add_gaps_option(command, "--gaps", options.gaps, "of the main experiment, in ranks of breadth")
        ->default_str("1-10");
    add_count_option(command, "--count", options.count, "pairs at each gap; default: 300, or all if fewer");
    add_real_number(command, "--alpha", options.alpha, "level of the main experiment");
    add_permutations_option(command, "--permutations", options.permutations);
}

void add_additional_options(CLI::App& command, ExperimentOptions& options) {
    add_gaps_option(command, "--additional-gaps", options.additional_gaps, "of the additional experiment")
        ->default_str("50,100");
    add_count_option(command, "--additional-count", options.additional_count,
                     "pairs at each of them; default: 500, or all if fewer");
    add_real_number(command, "--additional-alpha", options.additional_alpha, "level of the additional experiment");
    add_permutations_option(command, "--additional-permutations", options.additional_permutations);
    add_choice(command, "--additional-rank-by", options.additional_by, "its ranking: breadth v, or frequency");
}

}  // namespace

void add_experiment_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    ExperimentOptions& options = call->options;
    CLI::App& command = *program.add_subcommand("experiment", "The paper's study on a store: tables, pictures, a page");
    command
        .add_option("STORE", call->stores,
                    "the folder that `wordbreadth extract` made; the wide gaps also of further ones")
        ->required();
    command.add_option("--out", call->out, "folder for report.html and the tables and pictures")
        ->type_name("DIR")
        ->required();
    command.add_option("--wordnet", call->wordnet, "folder of WordNet's files (Debian's package wordnet-base)")
        ->type_name("DIR")
        ->default_str(call->wordnet);
    add_main_options(command, options);
    add_additional_options(command, options);
    add_whole_number<std::size_t>(
        command, "--common-size", options.common_size, {4, limits::rows_of_a_pair},
        "rows to take of each word; default: as many as the smallest cloud that can be halved has");
    command.add_flag("--complete", call->complete,
                     "look at all splits also where it is clear that a test does not reject; changes no rate");
    add_whole_number<std::uint64_t>(command, "--seed", options.seed, {}, "which rows, pairs and splits")
        ->default_str(std::to_string(options.seed));
    add_whole_number<unsigned>(command, "--threads", options.execution.threads, {1, limits::threads},
                               "default: OMP_NUM_THREADS, or else every core; changes no result");
    command.add_option("--device", options.execution.device, "where to run; see `wordbreadth devices`")
        ->type_name("auto|cpu|cuda|reference")
        ->default_str(options.execution.device);
    command.callback([call, &command] { run(*call, command); });
}

}  // namespace wordbreadth::cli
