// wordbreadth calibrate and experiment: how far tests on a store can be trusted, and the paper's study on it.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "cli/commands.h"
#include "wordbreadth/lists.h"
#include "wordbreadth/paper.h"
#include "wordbreadth/version.h"

namespace wordbreadth::cli {
namespace {

struct CalibrateCall {
    std::string store, layer;
    std::string wordnet = WordNet::debian_folder;
    std::string svg, html;
    CalibrateOptions options;
    bool complete = false;  // no adaptive stopping
    Format format = Format::text;
};

// Null where nobody asked for one and there is none.
std::optional<WordNet> open_wordnet(const CalibrateCall& call, const CLI::App& command) {
    std::error_code ignored;
    const bool asked = command.get_option("--wordnet")->count() > 0;
    if (!asked && !std::filesystem::exists(call.wordnet, ignored)) return std::nullopt;
    return opened(command, [&] { return WordNet(call.wordnet); });
}

// Of a store with several layers, where none is named: what changes from one to the next.
void run_layers(CalibrateCall& call, const CLI::App& command) {
    for (const char* const option : {"--power", "--common-size", "--complete"})
        require_effect(command, option, false, "on layers; add --layer to calibrate one of them");
    HtmlReport html(call.html);
    std::optional<report::ResultFile> picture;
    if (!call.svg.empty()) picture.emplace(call.svg);
    const std::optional<WordNet> wordnet = open_wordnet(call, command);
    LayerStudyOptions options;
    options.count = call.options.count;
    const auto distance = [](double alpha) { return std::abs(alpha - 0.05); };
    options.alpha = *std::ranges::min_element(call.options.alphas, {}, distance);
    if (command.get_option("--permutations")->count() > 0) options.permutations = call.options.permutations;
    options.seed = call.options.seed;
    options.documents = call.options.documents;
    options.execution = call.options.execution;
    const bool for_people = call.format == Format::text;
    const LayerStudy study = watched_with(options, for_people, [&](const LayerStudyOptions& completed) {
        return study_layers(call.store, wordnet ? &*wordnet : nullptr, completed);
    });
    if (picture) picture->write(report::figure_of(study).file());
    if (html.wanted()) {
        const Store store(call.store, study.layers[study.reference].layer);
        html.write(report::page_of(study), {report::origin_of(store), report::vectors_of(study, store)}, command);
    }
    print_result(command, [&] {
        if (!for_people) return for_programs(command, call.format, study);
        const report::Style style = stdout_style();
        return report::text_of(study, style) +
               style.dim_line("--layer K measures how far tests at one of the layers can be trusted.") + html.note();
    });
}

void run_calibrate(CalibrateCall& call, const CLI::App& command) {
    if (call.layer.empty() && opened(command, [&] { return describe_store(call.store, 0).layers.size(); }) > 1)
        return run_layers(call, command);
    require_effect(command, "--wordnet", false, "on one layer");
    call.options.adaptive = !call.complete;
    HtmlReport html(call.html);
    const Store store = open_store(command, call.store, call.layer);
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
    command
        .add_option_function<std::vector<std::string>>("--alpha", read,
                                                       "the levels to look at; of several layers, the one nearest to "
                                                       "0.05")
        ->delimiter(',')
        ->type_name("A,A,...")
        ->default_str("0.01,0.05,0.1");
}

struct ExperimentCall {
    std::vector<std::string> stores;
    std::string layer, out;
    std::vector<std::string> wordnets = {WordNet::debian_folder};
    std::string words;  // a file
    bool paper = false;
    ExperimentOptions options;
    bool complete = false;
};

// What was not given is as in the paper.
void take_papers_settings(ExperimentCall& call, const CLI::App& command) {
    const ExperimentOptions papers = paper::settings();
    ExperimentOptions& options = call.options;
    const auto take = [&](const char* name, auto ExperimentOptions::*member) {
        if (command.get_option(name)->count() == 0) options.*member = papers.*member;
    };
    take("--gaps", &ExperimentOptions::gaps);
    take("--count", &ExperimentOptions::count);
    take("--alpha", &ExperimentOptions::alpha);
    take("--alternative", &ExperimentOptions::alternative);
    take("--additional-gaps", &ExperimentOptions::additional_gaps);
    take("--additional-count", &ExperimentOptions::additional_count);
    take("--additional-alpha", &ExperimentOptions::additional_alpha);
    take("--additional-permutations", &ExperimentOptions::additional_permutations);
    take("--additional-rank-by", &ExperimentOptions::additional_by);
    take("--halves", &ExperimentOptions::own_halves);
    take("--blocks", &ExperimentOptions::blocks);
}

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
    text += " --out " + quoted(call.out);
    if (!call.layer.empty()) text += " --layer " + call.layer;
    for (const std::string& wordnet : call.wordnets) text += " --wordnet " + quoted(wordnet);
    text += " --gaps " + list(o.gaps);
    if (o.count) text += " --count " + std::to_string(*o.count);
    text += " --alpha " + report::shortest(o.alpha) + " --permutations " + std::to_string(o.permutations) +
            " --additional-gaps " + list(o.additional_gaps);
    if (o.additional_count) text += " --additional-count " + std::to_string(*o.additional_count);
    text += " --additional-alpha " + report::shortest(o.additional_alpha) + " --additional-permutations " +
            std::to_string(o.additional_permutations) + " --additional-rank-by " +
            std::string(name_of(o.additional_by)) + " --alternative " + std::string(name_of(o.alternative)) +
            " --halves " + (o.own_halves ? "own" : "common");
    if (!call.words.empty()) text += " --words " + quoted(call.words);
    if (!o.pair.empty()) text += " --pair " + quoted(o.pair[0] + "," + o.pair[1]);
    if (o.common_size > 0) text += " --common-size " + std::to_string(o.common_size);
    if (!o.adaptive) text += " --complete";
    if (!o.blocks) text += " --blocks none";
    if (o.execution.device == "cuda-paper") text += " --device cuda-paper";  // of all devices the one with other counts
    return text + " --seed " + std::to_string(o.seed);
}

// --pair A,B
void add_pair_option(CLI::App& command, std::vector<std::string>& pair) {
    const auto read = [&command, &pair](const std::string& text) {
        const std::size_t comma = text.find(',');
        pair = {text.substr(0, comma), comma == std::string::npos ? "" : text.substr(comma + 1)};
        if (pair[0].empty() || pair[1].empty() || pair[0] == pair[1])
            reject(command, "--pair", text, "two different words with a comma between them, such as articulate,triple");
    };
    command
        .add_option_function<std::string>(
            "--pair", read, "two words to plot (default: the paper's, or those that alignment changes most)")
        ->type_name("A,B");
}

// The default layer is a choice, too, unless the stores have different ones.
void take_layer(ExperimentCall& call, const std::vector<Store>& stores) {
    const auto has_several = [](const Store& store) { return store.layers().size() > 1; };
    const auto is_as_the_first = [&](const Store& store) { return store.layer() == stores.front().layer(); };
    if (std::ranges::any_of(stores, has_several) && std::ranges::all_of(stores, is_as_the_first))
        call.layer = stores.front().layer();
}

// Who asks for the test that permutes documents is told where there is none; by default it is left out there.
void require_documents(const ExperimentCall& call, const CLI::App& command, const std::vector<Store>& stores) {
    if (command.get_option("--blocks")->count() == 0 || !call.options.blocks) return;
    require_effect(command, "--blocks", call.options.execution.device != "cuda-paper",
                   "on cuda-paper, which permutes occurrences only");
    for (const Store& store : stores)
        if (opened(command, [&] { return store.documents(0); }).empty())
            throw InputError("--blocks document: " + store.folder() +
                             " has a single document; without --blocks, documents are permuted in the stores that have "
                             "several");
}

// What can be found wrong is found before the work begins.
void run_experiment(ExperimentCall& call, const CLI::App& command) {
    if (is_store(call.out)) reject(command, "--out", call.out, "a folder that is not a store");
    call.options.adaptive = !call.complete;
    if (call.paper) take_papers_settings(call, command);
    if (!call.words.empty()) call.options.words = opened(command, [&] { return read_word_list(call.words); });
    std::vector<WordNet> wordnets;
    std::vector<const WordNet*> lexicons;
    for (const std::string& path : call.wordnets) opened(command, [&] { wordnets.emplace_back(path); });
    for (const WordNet& wordnet : wordnets) lexicons.push_back(&wordnet);
    std::vector<Store> stores;
    for (const std::string& folder : call.stores) stores.push_back(open_store(command, folder, call.layer));
    take_layer(call, stores);
    require_documents(call, command, stores);
    std::vector<const Store*> places;
    for (const Store& store : stores) places.push_back(&store);
    const report::StudyFolder folder(call.out, call.stores);

    const std::vector<Experiment> studies = watched_with(
        call.options, true, [&](const ExperimentOptions& options) { return experiment(places, lexicons, options); });
    timed(timing_of(command), "drawing the page", [&] {
        folder.write(studies, places, lexicons,
                     {command_of(call), call.wordnets, std::string(version()), provenance_of(command)});
    });
    print(report::study_text(studies, stdout_style()) + report::printable(folder.page_path()) + "\n");
}

}  // namespace

void add_calibrate_command(CLI::App& program) {
    const auto call = std::make_shared<CalibrateCall>();
    CalibrateOptions& options = call->options;
    CLI::App& command =
        *program.add_subcommand("calibrate", "Measure how far tests on a store can be trusted: level, power, size");
    add_store_argument(command, call->store);
    add_layer_option(command, call->layer);
    command.get_option("--layer")->description(
        "of a store with several layers, calibrate this one; default: show what changes from layer to layer");
    add_text(command, "--wordnet", call->wordnet, "DIR",
             "of several layers: the folder of WordNet's files, whose senses are compared with breadth")
        ->default_str(call->wordnet);
    add_alphas_option(command, options.alphas);
    add_number_with_default(command, "--count", options.count, {1, limits::archive_entries},
                            "tests of each kind; more make the intervals narrower");
    add_rate_options(command, options.permutations, call->complete, options.seed, "which rows, words and permutations");
    command.get_option("--permutations")
        ->description("random permutations per test; of several layers " +
                      std::to_string(LayerStudyOptions{}.permutations) + " unless given");
    add_number(command, "--common-size", options.common_size, {10, limits::rows_of_a_pair},
               "rows to take from each word; default: as many as the smallest cloud has");
    add_name(
        command, "--blocks", {"document", "none"}, "document",
        [&options](const std::string& what) { options.documents = what == "document"; },
        "document: also halves of whole documents, and the test that permutes documents, where they are known; none: "
        "rows only");
    command.add_flag("--power", options.power,
                     "also how often a known difference is found, and clouds of different shapes");
    add_text(command, "--svg", call->svg, "FILE.svg",
             "write the figure to this file; with --power, that of detection rates");
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
    CLI::App& command = *program.add_subcommand("experiment", "The paper's study on a store: tables, figures, a page");
    command
        .add_option("STORE", call->stores,
                    "the folders that `wordbreadth extract` made; each has a page, the wide gaps show them all")
        ->required();
    add_layer_option(command, call->layer);
    add_text(command, "--out", call->out, "DIR", "folder for report.html and the tables and figures")->required();
    command.add_flag("--paper", call->paper,
                     "take from the paper what is not given: one-sided tests, frequency ranks at the additional gaps, "
                     "halves of all rows, no blocks");
    add_text(command, "--wordnet", call->wordnets, "PATH",
             "folder of WordNet's files (Debian's package wordnet-base), or a wordnet as LMF or tab file; may be "
             "repeated: each store takes the one that has most of its words")
        ->default_str(call->wordnets.front())
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    add_text(command, "--words", call->words, "FILE",
             "words to look at one by one: split halves, senses; one per line (default: the paper's)");
    add_pair_option(command, options.pair);
    add_gaps_option(command, "--gaps", options.gaps, "of the main experiment, in ranks of breadth")
        ->default_str("1-10");
    add_number(command, "--count", options.count, {1}, "pairs at each gap; default: 300, or all if fewer");
    add_share(command, "--alpha", options.alpha, "level of the main experiment");
    add_gaps_option(command, "--additional-gaps", options.additional_gaps, "of the additional experiment")
        ->default_str("50,100");
    add_number(command, "--additional-count", options.additional_count, {1},
               "pairs at each of them; default: 500, or all if fewer");
    add_share(command, "--additional-alpha", options.additional_alpha, "level of the additional experiment");
    add_number_with_default(command, "--additional-permutations", options.additional_permutations,
                            {1, limits::permutations}, "random permutations per test");
    add_choice(command, "--additional-rank-by", options.additional_by, "its ranking: breadth v, or frequency");
    add_name(
        command, "--alternative", {"greater", "two-sided"}, "two-sided",
        [&options](const std::string& what) {
            options.alternative = what == "greater" ? Alternative::greater : Alternative::two_sided;
        },
        "of the tests of pairs; greater: X, the word of the better rank, is broader");
    add_name(
        command, "--halves", {"common", "own"}, "common",
        [&options](const std::string& what) { options.own_halves = what == "own"; },
        "split halves of as many rows of every word, or of all that a word has");
    add_number(command, "--common-size", options.common_size, {4, limits::rows_of_a_pair},
               "rows to take from each word; default: as many as the smallest cloud that can be halved has");
    add_rate_options(command, options.permutations, call->complete, options.seed, "which rows, pairs and permutations");
    add_blocks_option(
        command, false, [&options](const std::string& what) { options.blocks = what == "document"; },
        "document: pairs are also tested by permuting whole documents; none: occurrences only, as the paper does; "
        "default: document where a store knows its documents");
    add_threads_option(command, options.execution.threads);
    add_device_option(
        command, options.execution.device, {"auto", "cpu", "cuda", "cuda-paper", "reference"},
        "where to run; see `wordbreadth devices`; cuda-paper has the plain tests only, and is approximate");
    command.callback([call, &command] {
        call->options.execution.timing = timing_of(command);
        run_experiment(*call, command);
    });
}

}  // namespace wordbreadth::cli
