// wordbreadth experiment: the paper's study on a store, as files and as a page.
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/html_report.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "report/experiment.h"
#include "report/table/number.h"
#include "wordbreadth/error.h"
#include "wordbreadth/experiment.h"
#include "wordbreadth/limits.h"
#include "wordbreadth/version.h"

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
    const report::StudyFolder folder(call.out);

    const Experiment study = watched_with(call.options, Format::text, [&](const ExperimentOptions& options) {
        return experiment(places, wordnet, options);
    });
    folder.write(study, stores.front(), wordnet, {call.command, call.wordnet, std::string(version())});
    print(report::study_text(study, stdout_style()) + "\n" + report::printable(folder.page_path()) + "\n");
}

void add_main_options(CLI::App& command, ExperimentOptions& options) {
    add_gaps_option(command, "--gaps", options.gaps, "of the main experiment, in ranks of breadth")
        ->default_str("1-10");
    add_whole_number<std::size_t>(command, "--count", options.count, {1},
                                  "pairs at each gap; default: 300, or all if fewer");
    add_real_number(command, "--alpha", options.alpha, "level of the main experiment");
}

void add_additional_options(CLI::App& command, ExperimentOptions& options) {
    add_gaps_option(command, "--additional-gaps", options.additional_gaps, "of the additional experiment")
        ->default_str("50,100");
    add_whole_number<std::size_t>(command, "--additional-count", options.additional_count, {1},
                                  "pairs at each of them; default: 500, or all if fewer");
    add_real_number(command, "--additional-alpha", options.additional_alpha, "level of the additional experiment");
    add_number_with_default<std::uint64_t>(command, "--additional-permutations", options.additional_permutations,
                                           {1, limits::permutations}, "random permutations per test");
    add_choice(command, "--additional-rank-by", options.additional_by, "its ranking: breadth v, or frequency");
}

}  // namespace

void add_experiment_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    ExperimentOptions& options = call->options;
    CLI::App& command = *program.add_subcommand("experiment", "The paper's study on a store: tables, pictures, a page");
    command
        .add_option("STORE", call->stores,
                    "the folder that `wordbreadth extract` made; further ones take part in the wide gaps")
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
        "rows to take from each word; default: as many as the smallest cloud that can be halved has");
    add_rate_options(command, options.permutations, call->complete, options.seed, "which rows, pairs and permutations");
    add_threads_option(command, options.execution.threads);
    add_device_option(command, options.execution.device, {"auto", "cpu", "cuda", "reference"},
                      "where to run; see `wordbreadth devices`");
    command.callback([call, &command] { run(*call, command); });
}

}  // namespace wordbreadth::cli
