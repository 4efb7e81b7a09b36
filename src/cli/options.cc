// Options that several commands share.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

#include "cli/commands.h"
#include "wordbreadth/layers.h"
#include "wordbreadth/version.h"

namespace wordbreadth::cli {
namespace {

void add_method_options(CLI::App& command, TestOptions& options, std::string* labels) {
    const Group group(command, "The test");
    add_choice(command, "--align", options.align, "reflect X onto Y's mean direction first, or not");
    add_choice(command, "--statistic", options.statistic,
               "plain: the log ratio of breadths; robust: debiased and studentised, for clouds that differ in shape; "
               "blocks: robust, and whole documents are permuted; auto: blocks where documents are known, else plain");
    const auto take_blocks = [&options, labels](const std::string& what) {
        options.statistic = what == "none" ? Statistic::plain : Statistic::blocks;
        if (labels != nullptr && what != "none" && what != "document") *labels = what;
    };
    add_blocks_option(command, labels != nullptr, take_blocks,
                      std::string("document: permute whole documents, whose rows resemble each other; none: rows, as "
                                  "the paper does") +
                          (labels != nullptr ? "; FILE.tsv: a cloud and the label of its next row per line" : "") +
                          "; default: document where a store knows its documents, else none")
        ->excludes("--statistic");
    add_choice(command, "--alternative", options.alternative, "greater: X broader than Y; less: X narrower");
    add_number_with_default(command, "--permutations", options.permutations, {1, limits::permutations},
                            "random permutations; all are enumerated if there are no more");
    add_number_with_default(command, "--seed", options.seed, {}, "seed of the permutations");
    add_number_with_default(command, "--adaptive", options.adaptive, {},
                            "stop after N permutations as extreme as the observed clouds; 0: never");
    add_share(command, "--confidence", options.confidence,
              "confidence level of the interval; the test's level is 1 minus it");
    command.add_flag("--tail-estimate", options.tail_estimate,
                     "with few exceedances, also estimate p from the tail of the permutation distribution");
}

// --alpha, for those who think of the test's level and not of the interval's confidence. Studies have one of their own.
void add_level_option(CLI::App& command, TestOptions& options) {
    if (command.get_option_no_throw("--alpha") != nullptr) return;
    const Group group(command, "The test");
    const auto read = [&command, &options](const std::string& text) {
        double alpha = 0;
        if (!read_number(text, alpha) || !(alpha > 0 && alpha < 1))
            reject(command, "--alpha", text, "a level between 0 and 1, such as 0.01");
        options.confidence = 1 - alpha;
    };
    command
        .add_option_function<std::string>("--alpha", read,
                                          "level of the test: the same as a --confidence of 1 minus it")
        ->type_name("SHARE")
        ->excludes("--confidence");
}

// None of these changes a result, but for the device that exists to show what the paper's algorithm does.
void add_test_execution_options(CLI::App& command, Execution& execution) {
    const Group group(command, "Where to run (changes no result)");
    add_device_option(
        command, execution.device, {"auto", "cpu", "cuda", "cuda-paper", "reference"},
        "see `wordbreadth devices`; cuda is all GPUs, cuda:1 only the second; cuda-paper alone is approximate: its "
        "counts may differ");
    add_threads_option(command, execution.threads);
    command.get_option("--threads")->description("default: OMP_NUM_THREADS, or else every core");
    add_text(command, "--instruction-set", execution.instruction_set, "NAME",
             "force one of those that `wordbreadth devices` lists; default: the best");
}

// Reads "5" or "1-10" into `gaps`. False when it is neither.
bool read_gaps(const std::string& text, std::set<std::size_t>& gaps) {
    constexpr std::size_t widest = 1'000'000;
    std::size_t first = 0, last = 0;
    if (!read_range(text, first, last) || first < 1 || last > widest || last - first > 1000) return false;
    for (std::size_t gap = first; gap <= last; ++gap) gaps.insert(gap);
    return true;
}

}  // namespace

Timing* timing_of(const CLI::App& command) {
    return dynamic_cast<const Program&>(*command.get_parent()).timing;
}

std::string see_help(const CLI::App& command) {
    const std::string parent = command.get_parent() != nullptr ? command.get_parent()->get_name() + " " : "";
    return "; see `" + parent + command.get_name() + " --help`";
}

void reject(const CLI::App& command, const std::string& name, const std::string& text, const std::string& expected) {
    throw InputError(name + " " + (text.empty() ? "''" : text) + ": expected " + expected + see_help(command));
}

void require_effect(const CLI::App& command, const std::string& option, bool has_effect, const std::string& reason) {
    const CLI::Option* const found = command.get_option_no_throw(option);
    if (!has_effect && found != nullptr && found->count() > 0)
        throw InputError(command.get_name() + ": " + option + " has no effect " + reason + see_help(command));
}

std::string plain_decimal(const std::string& text) {
    constexpr std::size_t largest = 40;  // more than any number we take has digits
    const std::size_t e = text.find_first_of("eE");
    if (e == std::string::npos) return text;
    const std::string mantissa = text.substr(0, e);
    const std::string power = text.substr(text.find('+', e) == e + 1 ? e + 2 : e + 1);
    std::size_t exponent = 0;
    if (power.find_first_not_of("0123456789") != std::string::npos || !read_number(power, exponent)) return text;
    const std::size_t point = mantissa.find('.');
    const std::string whole = mantissa.substr(0, point);
    const std::string decimals = point == std::string::npos ? "" : mantissa.substr(point + 1);
    const bool exact = !whole.empty() && exponent <= largest && decimals.size() <= exponent &&
                       decimals.empty() == (point == std::string::npos);
    return exact ? whole + decimals + std::string(exponent - decimals.size(), '0') : text;
}

CLI::Option* add_share(CLI::App& command, const std::string& name, double& value, const std::string& help) {
    const auto read = [&command, &value, name](const std::string& text) {
        double number = 0;
        if (!read_number(text, number) || !(number > 0 && number < 1))
            reject(command, name, text, "a number between 0 and 1, such as " + report::shortest(value));
        value = number;
    };
    return command.add_option_function<std::string>(name, read, help)
        ->type_name("SHARE")
        ->default_str(report::shortest(value));
}

CLI::Option* add_name(CLI::App& command, const std::string& name, const std::vector<std::string>& known,
                      const std::string& fallback, const std::function<void(const std::string&)>& take,
                      const std::string& help) {
    std::string all = known.front();
    for (std::size_t i = 1; i < known.size(); ++i) all += "|" + known[i];
    const auto read = [&command, name, known, all, take](const std::string& text) {
        if (std::ranges::find(known, text) == known.end())
            reject(command, name, text, all + report::suggestion(text, known));
        take(text);
    };
    return command.add_option_function<std::string>(name, read, help)->type_name(all)->default_str(fallback);
}

CLI::Option* add_blocks_option(CLI::App& command, bool accepts_file,
                               const std::function<void(const std::string&)>& take, const std::string& help) {
    const std::string all = accepts_file ? "document|none|FILE.tsv" : "document|none";
    const auto read = [&command, accepts_file, take, all](const std::string& text) {
        const std::vector<std::string> known = {"document", "none"};
        std::error_code ignored;
        if (std::ranges::find(known, text) == known.end() && !(accepts_file && std::filesystem::exists(text, ignored)))
            reject(command, "--blocks", text, all + report::suggestion(text, known));
        take(text);
    };
    return command.add_option_function<std::string>("--blocks", read, help)->type_name(all);
}

std::string with_rows_option(const std::string& message) {
    return message.find("permute rows") == std::string::npos ? message : message + " (--blocks none)";
}

CLI::Option* add_gaps_option(CLI::App& command, const std::string& name, std::vector<std::size_t>& gaps,
                             const std::string& help) {
    const auto read = [&command, &gaps, name](const std::vector<std::string>& texts) {
        std::set<std::size_t> found;
        for (const std::string& text : texts)
            if (!read_gaps(text, found)) reject(command, name, text, "ranks apart, such as 1-10 or 50,100");
        gaps.assign(found.begin(), found.end());
    };
    return command.add_option_function<std::vector<std::string>>(name, read, help)->delimiter(',')->type_name("G-G");
}

void add_format_option(CLI::App& command, Format& format) {
    const auto check = [](const std::string& text) {
        if (text == "parquet" && stdout_is_a_terminal())
            throw InputError(
                "--format parquet: standard output is a terminal, which cannot show binary files; add > FILE.parquet");
    };
    add_choice(command, "--format", format, "how to print the result")->each(check);
}

void add_json_option(CLI::App& command, bool& json) {
    add_name(
        command, "--format", {"text", "json"}, "text", [&json](const std::string& text) { json = text == "json"; },
        "how to print the result");
}

void add_store_argument(CLI::App& command, std::string& store) {
    command.add_option("STORE", store, "the folder that `wordbreadth extract` made")->required();
}

void add_layer_option(CLI::App& command, std::string& layer) {
    // Whatever the store calls it: that of an imported one may be "last", or "2,4".
    const auto read = [&layer](const std::string& text) {
        const auto found = layers_in(text);
        layer = found ? text_of(*found) : text;
    };
    command
        .add_option_function<std::string>("--layer", read,
                                          "of a store with several layers, take this one; default: the layer " +
                                              std::string(default_layer_text) + ", where it has that")
        ->type_name("K");
}

Store open_store(const CLI::App& command, const std::string& folder, const std::string& layer) {
    Store store = opened(command, [&] { return Store(folder, layer); });
    note_layer(command, store, layer);
    return store;
}

void note_layer(const CLI::App& command, const Store& store, const std::string& asked) {
    if (!asked.empty() || store.layers().size() == 1) return;
    Defaults& found = dynamic_cast<const Program&>(*command.get_parent()).found_defaults;
    if (std::string& layer = found.try_emplace("--layer", store.layer()).first->second; layer != store.layer())
        layer.clear();
    std::string all;
    for (const std::string& layer : store.layers()) all += (all.empty() ? "" : ", ") + layer;
    const std::string note = "wordbreadth: note: " + report::printable(store.folder()) + ": layer " + store.layer() +
                             " of " + all + ", the default; --layer takes another\n";
    std::fputs(note.c_str(), stderr);
}

void add_threads_option(CLI::App& command, unsigned& threads) {
    add_number(command, "--threads", threads, {1, limits::threads},
               "default: OMP_NUM_THREADS, or else every core; changes no result");
}

// Whether there is a GPU of that number is for the library to say.
void add_device_option(CLI::App& command, std::string& device, const std::vector<std::string>& known,
                       const std::string& help) {
    std::string all;
    for (const std::string& name : known) all += (all.empty() ? "" : "|") + name + (name == "cuda" ? "|cuda:N" : "");
    const auto read = [&command, &device, known, all](const std::string& text) {
        unsigned gpu = 0;
        const bool is_gpu = text.starts_with("cuda:") && read_number(text.substr(5), gpu);
        if (!is_gpu && std::ranges::find(known, text) == known.end())
            reject(command, "--device", text, all + report::suggestion(text, known));
        device = text;
    };
    command.add_option_function<std::string>("--device", read, help)->type_name(all)->default_str(device);
}

void add_execution_options(CLI::App& command, Execution& execution) {
    add_threads_option(command, execution.threads);
    add_device_option(command, execution.device, {"auto", "cpu", "cuda", "reference"},
                      "where to run; see `wordbreadth devices`; cuda is all GPUs, cuda:1 only the second");
}

void add_test_options(CLI::App& command, TestOptions& options, std::string* labels) {
    add_method_options(command, options, labels);
    add_level_option(command, options);
    add_test_execution_options(command, options.execution);
}

void add_rate_options(CLI::App& command, std::uint64_t& permutations, bool& complete, std::uint64_t& seed,
                      const std::string& what_the_seed_decides) {
    add_number_with_default(command, "--permutations", permutations, {1, limits::permutations},
                            "random permutations per test");
    command.add_flag("--complete", complete,
                     "run all permutations even where a test clearly does not reject; changes no rate");
    add_number_with_default(command, "--seed", seed, {}, what_the_seed_decides);
}

void add_adjust_option(CLI::App& command, Adjustment& adjustment) {
    add_choice(
        command, "--adjust", adjustment,
        "for the number of pairs: false discovery rate (bh, by), family-wise error (holm, or maxT, which sees how "
        "tests depend on each other)");
}

void add_force_option(CLI::App& command, bool& force) {
    command.add_flag("--force", force, "even if the two stores were made differently; the result says so");
}

std::string forced_differences(const Store& a, const Store& b, bool force) {
    std::string found = differences(a, b);
    if (!found.empty() && !force)
        throw InputError(a.folder() + " and " + b.folder() + ": different " + found +
                         "; extract both corpora with the same settings, or compare them anyway with --force");
    require_comparable(a, b, force);
    return found;
}

void add_html_option(CLI::App& command, std::string& path) {
    add_text(command, "--html", path, "FILE.html", "also write a self-contained HTML page");
}

HtmlReport::HtmlReport(const std::string& path) : path_(path) {
    if (path.empty()) return;
    if (!path.ends_with(".html")) throw InputError("--html " + path + ": expected a name that ends in .html");
    file_.emplace(path);
}

void HtmlReport::write(report::Page page, const std::vector<std::vector<report::Setting>>& settings,
                       const CLI::App& command) {
    for (const auto& part : settings) page.settings.insert(page.settings.end(), part.begin(), part.end());
    page.settings.push_back({"wordbreadth", std::string(version())});
    page.provenance = provenance_of(command);
    page.command = command_line(page.provenance.command);
    Timing* const timing = timing_of(command);
    const std::string text = timed(timing, "drawing the page", [&] { return report::html_of(page); });
    timed(timing, "writing", [&] { file_->write(text); });
}

std::string HtmlReport::note() const {
    return wanted() ? "report: " + report::printable(path_) + "\n" : "";
}

std::string command_line(const std::vector<std::string>& arguments) {
    std::string line = "wordbreadth";
    for (const std::string& argument : arguments) line += " " + quoted(argument);
    return line;
}

std::string quoted(const std::string& word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
}

}  // namespace wordbreadth::cli
