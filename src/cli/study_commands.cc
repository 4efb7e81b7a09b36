// wordbreadth calibrate and experiment: how far tests on a store can be trusted, and the paper's study on it.
#include <optional>

#include "cli/commands.h"
#include "wordbreadth/version.h"

namespace wordbreadth::cli {
namespace {

struct CalibrateCall {
    std::string store;
    std::string svg, html;
    CalibrateOptions options;
    bool complete = false;  // no adaptive stopping
    Format format = Format::text;
};

void run_calibrate(CalibrateCall& call, const CLI::App& command) {
    call.options.adaptive = !call.complete;
    HtmlReport html(call.html);
    const Store store = opened(command, [&] { return Store(call.store); });
    std::optional<report::ResultFile> picture;
    if (!call.svg.empty()) picture.emplace(call.svg);
    const bool for_people = call.format == Format::text;
    const Calibration calibration = watched_with(
        call.options, for_people, [&](const CalibrateOptions& options) { return calibrate(store, options); });
    if (picture) picture->write(report::figure_of(calibration).file());
    if (html.wanted())
        html.write(report::page_of(calibration), {report::origin_of(store), report::vectors_of(store)}, command);
    print_result(command, [&] {
        return for_people ? report::text_of(calibration, stdout_style()) + html.note()
                          : for_programs(command, call.format, calibration);
    });
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

struct ExperimentCall {
    std::vector<std::string> stores;
    std::string out;
    std::string wordnet = WordNet::debian_folder;
    ExperimentOptions options;
    bool complete = false;
};

// Every choice that has an influence on the results, defaults too, so that a later version repeats the run.
std::string command_of(const ExperimentCall& call) {
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
    if (!o.blocks) text += " --blocks none";
    return text + " --seed " + std::to_string(o.seed);
}

void check_level(const CLI::App& command, const std::string& name, double alpha) {
    if (!(alpha > 0 && alpha < 1)) reject(command, name, report::shortest(alpha), "a level between 0 and 1");
}

// What can be found wrong is found before the work begins.
void run_experiment(ExperimentCall& call, const CLI::App& command) {
    check_level(command, "--alpha", call.options.alpha);
    check_level(command, "--additional-alpha", call.options.additional_alpha);
    call.options.adaptive = !call.complete;
    const WordNet wordnet = opened(command, [&] { return WordNet(call.wordnet); });
    std::vector<Store> stores;
    for (const std::string& folder : call.stores) opened(command, [&] { stores.emplace_back(folder); });
    std::vector<const Store*> places;
    for (const Store& store : stores) places.push_back(&store);
    const report::StudyFolder folder(call.out);

    const Experiment study = watched_with(
        call.options, true, [&](const ExperimentOptions& options) { return experiment(places, wordnet, options); });
    timed(timing_of(command), "drawing the page", [&] {
        folder.write(study, stores.front(), wordnet,
                     {command_of(call), call.wordnet, std::string(version()), provenance_of(command)});
    });
    print(report::study_text(study, stdout_style()) + "\n" + report::printable(folder.page_path()) + "\n");
}

}  // namespace

void add_calibrate_command(CLI::App& program) {
    const auto call = std::make_shared<CalibrateCall>();
    CalibrateOptions& options = call->options;
    CLI::App& command =
        *program.add_subcommand("calibrate", "Measure how far tests on a store can be trusted: level, power, size");
    add_store_argument(command, call->store);
    add_alphas_option(command, options.alphas);
    add_number_with_default(command, "--count", options.count, {1, limits::archive_entries},
                            "tests of each kind; more make the intervals narrower");
    add_rate_options(command, options.permutations, call->complete, options.seed, "which rows, words and permutations");
    add_number(command, "--common-size", options.common_size, {10, limits::rows_of_a_pair},
               "rows to take from each word; default: as many as the smallest cloud has");
    add_name(
        command, "--blocks", {"document", "none"}, "document",
        [&options](const std::string& what) { options.documents = what == "document"; },
        "document: also halves of whole documents, and the test that permutes documents, where they are known; none: "
        "rows only");
    command.add_flag("--power", options.power,
                     "also how often a known difference is found, and clouds of unlike shapes");
    add_text(command, "--svg", call->svg, "FILE.svg", "write the picture to this file; with --power that of the power");
    add_html_option(command, call->html);
    add_format_option(command, call->format);
    add_execution_options(command, options.execution);
    command.callback([call, &command] {
        call->options.execution.timing = timing_of(command);
        run_calibrate(*call, command);
    });
}

void add_experiment_command(CLI::App& program) {
    const auto call = std::make_shared<ExperimentCall>();
    ExperimentOptions& options = call->options;
    CLI::App& command = *program.add_subcommand("experiment", "The paper's study on a store: tables, pictures, a page");
    command
        .add_option("STORE", call->stores,
                    "the folder that `wordbreadth extract` made; further ones take part in the wide gaps")
        ->required();
    add_text(command, "--out", call->out, "DIR", "folder for report.html and the tables and pictures")->required();
    add_text(command, "--wordnet", call->wordnet, "DIR", "folder of WordNet's files (Debian's package wordnet-base)")
        ->default_str(call->wordnet);
    add_gaps_option(command, "--gaps", options.gaps, "of the main experiment, in ranks of breadth")
        ->default_str("1-10");
    add_number(command, "--count", options.count, {1}, "pairs at each gap; default: 300, or all if fewer");
    add_real_number(command, "--alpha", options.alpha, "level of the main experiment");
    add_gaps_option(command, "--additional-gaps", options.additional_gaps, "of the additional experiment")
        ->default_str("50,100");
    add_number(command, "--additional-count", options.additional_count, {1},
               "pairs at each of them; default: 500, or all if fewer");
    add_real_number(command, "--additional-alpha", options.additional_alpha, "level of the additional experiment");
    add_number_with_default(command, "--additional-permutations", options.additional_permutations,
                            {1, limits::permutations}, "random permutations per test");
    add_choice(command, "--additional-rank-by", options.additional_by, "its ranking: breadth v, or frequency");
    add_number(command, "--common-size", options.common_size, {4, limits::rows_of_a_pair},
               "rows to take from each word; default: as many as the smallest cloud that can be halved has");
    add_rate_options(command, options.permutations, call->complete, options.seed, "which rows, pairs and permutations");
    add_blocks_option(
        command, false, [&options](const std::string& what) { options.blocks = what == "document"; },
        "document: pairs are also tested by permuting whole documents; none: occurrences only, as the paper does; "
        "default: document where a store knows its documents");
    add_execution_options(command, options.execution);
    command.callback([call, &command] {
        call->options.execution.timing = timing_of(command);
        run_experiment(*call, command);
    });
}

}  // namespace wordbreadth::cli
