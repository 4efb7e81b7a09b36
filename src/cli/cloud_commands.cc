// wordbreadth breadth, test, pairs, devices: how widely each cloud spreads, whether one is broader than another, many
// such tests at once, and what can run them here.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <functional>
#include <future>
#include <limits>
#include <map>
#include <optional>

#include "cli/commands.h"
#include "cli/parts.h"
#include "wordbreadth/files.h"
#include "wordbreadth/lists.h"
#include "wordbreadth/pair_parts.h"
#include "wordbreadth/session.h"

namespace wordbreadth::cli {
namespace {

using report::CloudBreadth;

// The labels in a file that --blocks named.
std::optional<BlockLabels> read_labels(const std::string& path) {
    if (path.empty()) return std::nullopt;
    return read_block_labels(path);
}

CloudSource open_clouds(const std::string& path, const std::string& layer, const CLI::App& command) {
    CloudSource source = opened(command, [&] { return CloudSource(path, layer); });
    if (const auto store = source.store()) note_layer(command, *store, layer);
    return source;
}

struct BreadthCall {
    std::vector<std::string> files;
    Cut cut;
    std::string labels;
    std::string html;
    bool by_size = false;
    Format format = Format::text;
};

CloudBreadth breadth_of(const NamedCloud& named) {
    if (named.cloud) return {named.name, named.origin, breadth(*named.cloud), {}};
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {named.name, named.origin, {named.rows, named.dimension, none, none, none, none, none}, named.reason};
}

// One cloud in memory at a time.
std::vector<CloudBreadth> breadths(const BreadthCall& call, const Cut& cut, const CLI::App& command) {
    std::vector<CloudBreadth> found;
    Timing* const timing = timing_of(command);
    for (const std::string& where : call.files) {
        const CloudPlace place = place_of(where);
        const CloudSource source = open_clouds(place.path, cut.layer, command);
        const std::vector<std::string> names = place.name.empty() ? source.names() : std::vector{place.name};
        for (const std::string& name : names) {
            const NamedCloud named = timed(timing, "reading clouds", [&] { return source.read(name, cut); });
            found.push_back(timed(timing, "breadths and errors", [&] { return breadth_of(named); }));
        }
    }
    return found;
}

// After all the results were printed: the call did not get all that it asked for. `first`: what is wrong with the first
// of those without one.
[[noreturn]] void report_undefined(std::size_t number, std::size_t all, const std::string& things,
                                   const std::string& what, const std::string& first) {
    throw InputError(report::count(number) + " of " + report::count(all) + " " + things +
                     (number == 1 ? " has no " : " have no ") + what + ": first: " + with_rows_option(first));
}

void report_undefined(const std::vector<CloudBreadth>& found) {
    const auto is_undefined = [](const CloudBreadth& cloud) { return !cloud.undefined.empty(); };
    const auto number = static_cast<std::size_t>(std::ranges::count_if(found, is_undefined));
    if (number == 0) return;
    report_undefined(number, found.size(), "clouds", "breadth", std::ranges::find_if(found, is_undefined)->undefined);
}

void report_undefined(const TestResults& found) {
    const auto is_undefined = [](double p) { return std::isnan(p); };
    const auto number = static_cast<std::size_t>(std::ranges::count_if(found.p, is_undefined));
    if (number == 0) return;
    const auto first = std::ranges::find_if(found.p, is_undefined) - found.p.begin();
    const TestResult result = found.result(static_cast<std::size_t>(first));
    report_undefined(number, found.size(), "pairs", "p-value", result.x + " and " + result.y + ": " + result.undefined);
}

void show_breadths(const BreadthCall& call, const CLI::App& command) {
    require_effect(command, "--seed", call.cut.rows > 0 || call.by_size, "without --common-size or --by-size");
    require_effect(command, "--common-size", !call.by_size, "with --by-size");
    require_effect(command, "--html", call.by_size, "without --by-size");
    const std::optional<BlockLabels> labels = read_labels(call.labels);
    Cut cut = call.cut;
    cut.labels = labels ? &*labels : nullptr;
    if (call.by_size) return show_by_size(call.files, cut, call.html, call.format, command);
    const std::vector<CloudBreadth> found = breadths(call, cut, command);
    print_result(command, [&] {
        const report::Table table = report::table_of(found);
        if (call.format == Format::json) return text_with_provenance({{"results", report::json_of(table)}}, command);
        return call.format == Format::text ? report::text_of(found, stdout_style())
                                           : rows_for_programs(call.format, table);
    });
    report_undefined(found);
}

struct TestCall {
    std::string x, y;
    std::string null_path;
    std::string labels, layer;
    std::size_t common_size = 0;  // 0: all rows
    bool force = false;
    std::optional<double> equivalence;  // within which ratio
    TestOptions options;
    Format format = Format::text;
};

void add_equivalence_option(CLI::App& command, std::optional<double>& ratio) {
    const auto read = [&command, &ratio](const std::string& text) {
        double number = 0;
        if (!read_number(text, number) || !(number > 1) || !std::isfinite(number))
            reject(command, "--equivalence", text, "a ratio above 1, such as 1.1");
        ratio = number;
    };
    command
        .add_option_function<std::string>(
            "--equivalence", read,
            "also ask whether neither is this many times as broad as the other; 1.1: equivalent within 10%")
        ->type_name("RATIO");
}

// Found out before the work.
void check_equivalence(const std::optional<double>& ratio, const TestOptions& options) {
    if (ratio && !(options.confidence > 0.5))
        throw InputError("--equivalence needs a --confidence above 0.5, not " + report::shortest(options.confidence));
}

std::optional<Equivalence> answer_of(const TestResult& result, const std::optional<double>& ratio,
                                     const TestOptions& options) {
    if (!ratio) return {};
    return equivalence(result, *ratio, 1 - options.confidence);
}

void check_null_path(const TestCall& call) {
    const std::filesystem::path path = call.null_path;
    if (path.extension() != ".npy")
        throw InputError("--null " + call.null_path + ": expected a name that ends in .npy");
    std::error_code ignored;
    for (const std::string& input : {call.x, call.y})
        if (std::filesystem::equivalent(path, input, ignored))
            throw InputError("--null " + call.null_path + ": is one of the clouds tested; name another file");
}

std::string text_of(TestResult result, const std::string& forced, const std::optional<Equivalence>& answer,
                    const TestCall& call) {
    if (result.x == result.y) {  // one word in two files, say: "bank is broader than bank" would not do
        result.x = call.x;
        result.y = call.y;
    }
    const report::Style style = stdout_style();
    return report::verdict(result, call.options.confidence, style, answer) +
           style.plain_line(report::forced_note(forced));
}

// Starts the device while clouds are read, so that the first test need not wait for it. What is wrong with the device
// is for the test to say.
std::future<void> start(const Execution& execution) {
    return std::async([execution] {
        try {
            const Session started(execution);
        } catch (const std::exception&) {
        }
    });
}

void run_test(TestCall& call, const CLI::App& command) {
    check_equivalence(call.equivalence, call.options);
    std::optional<report::ResultFile> null_file;
    if (!call.null_path.empty()) {
        check_null_path(call);
        call.options.null_distribution = true;
        null_file.emplace(call.null_path);
    }
    const std::future<void> device = start(call.options.execution);
    ProvenanceAhead provenance(command, call.format);
    const std::optional<BlockLabels> labels = read_labels(call.labels);
    const Cut cut{call.common_size, call.options.seed, takes_blocks(call.options.statistic),
                  labels ? &*labels : nullptr, call.layer};
    const std::array places{call.x, call.y};
    Timing* const timing = timing_of(command);
    std::vector<std::shared_ptr<const Store>> stores;
    const std::vector<Cloud> clouds = timed(timing, "reading clouds", [&] { return clouds_at(places, cut, &stores); });
    const Cloud &x = clouds[0], &y = clouds[1];
    // A file of clouds does not say how they were made, and is taken as it is.
    const bool two_stores = stores[0] && stores[1] && stores[0] != stores[1];
    const std::string forced = two_stores ? forced_differences(*stores[0], *stores[1], call.force) : "";
    if (stores[0]) note_layer(command, *stores[0], call.layer);
    if (stores[1] && stores[1] != stores[0]) note_layer(command, *stores[1], call.layer);
    stores.clear();
    device.wait();
    const bool for_people = call.format == Format::text;
    const TestResult result = watched_with(call.options, for_people, [&](const TestOptions& options) {
        return with_rows_option_in_errors([&] { return test(x, y, options); });
    });
    if (null_file) timed(timing, "writing", [&] { null_file->write_npy(result.null_distribution); });
    const std::optional<Equivalence> answer = answer_of(result, call.equivalence, call.options);
    print_result(command, [&] {
        return for_people ? text_of(result, forced, answer, call)
                          : for_programs(provenance, call.format, result, forced, answer);
    });
}

void show_devices(Format format, const CLI::App& command) {
    const std::vector<Device> found = timed(timing_of(command), "looking at devices", devices);
    print_result(command, [&] {
        const report::Table table = report::table_of(found);
        if (format == Format::json) return report::text_of({{"devices", report::json_of(table)}});
        return format == Format::text ? report::text_of(found, stdout_style()) : rows_for_programs(format, table);
    });
}

struct PairsCall {
    std::string clouds, layer;
    std::string list;
    std::string labels_path;
    std::optional<BlockLabels> labels;  // read from there
    std::optional<Part> part;
    std::string out;  // folder of the parts
    bool all = false;
    GapOptions gap;
    std::size_t common_size = 0;  // 0: all rows; with gaps, as many as the smallest cloud has
    std::optional<std::size_t> top;
    std::optional<double> equivalence;  // within which ratio
    TestOptions options;
    Adjustment adjustment = Adjustment::benjamini_hochberg;
    Format format = Format::text;
};

bool by_gap(const PairsCall& call) {
    return !call.gap.gaps.empty();
}

Cut cut_of(const PairsCall& call) {
    return {call.common_size, call.options.seed, takes_blocks(call.options.statistic),
            call.labels ? &*call.labels : nullptr, call.layer};
}

struct Work {
    std::vector<NamedCloud> clouds;
    std::vector<Pair> pairs;
    GapPairs by_gap;  // instead of the two, with --gap

    // Once: the clouds are given away.
    [[nodiscard]] TestResults test(const TestOptions& options) {
        if (!by_gap.tests.empty()) return TestResults(test_for_rates(by_gap.clouds, by_gap.tests, options));
        TestResults results = test_many_named_pairs(std::move(clouds), pairs, options);
        pairs = {};
        return results;
    }
};

std::vector<NamedCloud> read_clouds(const CloudSource& source, const std::vector<std::string>& names,
                                    const PairsCall& call) {
    const Interrupt interrupt;
    Execution execution = call.options.execution;
    execution.stop = interrupt.token();
    return source.read(names, cut_of(call), execution);
}

Work all_pairs(const PairsCall& call, const CLI::App& command) {
    const CloudSource source = open_clouds(call.clouds, call.layer, command);
    const std::size_t n = source.names().size();
    if (n < 2) throw InputError(call.clouds + ": holds one cloud; --all needs at least 2");
    Work work;
    work.clouds = read_clouds(source, source.names(), call);
    work.pairs.reserve(n * (n - 1) / 2);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) work.pairs.push_back({i, j});
    return work;
}

Work pairs_of_list(const PairsCall& call, const CLI::App& command) {
    const CloudSource source = open_clouds(call.clouds, call.layer, command);
    Work work;
    work.pairs = opened(command, [&] { return listed_pairs(call.list, source); });
    std::vector<std::string> names;
    std::map<std::size_t, std::size_t> places;  // of clouds in the source, among the names
    for (Pair& pair : work.pairs)
        for (std::size_t* const cloud : {&pair.x, &pair.y}) {
            const auto [entry, is_new] = places.try_emplace(*cloud, names.size());
            if (is_new) names.push_back(source.names()[*cloud]);
            *cloud = entry->second;
        }
    work.clouds = read_clouds(source, names, call);
    return work;
}

Work pairs_by_gap(const PairsCall& call, const CLI::App& command) {
    GapOptions options = call.gap;
    options.common_size = call.common_size;
    options.seed = call.options.seed;
    options.execution = call.options.execution;
    options.blocks = takes_blocks(call.options.statistic);
    const Store store = open_store(command, call.clouds, call.layer);
    Work work;
    work.by_gap =
        watched_with(options, false, [&](const GapOptions& completed) { return gap_pairs(store, completed); });
    if (work.by_gap.tests.empty()) throw InputError(call.clouds + ": none of the pairs has rows to test");
    return work;
}

void check_effects(const PairsCall& call, const CLI::App& command) {
    const bool gap = by_gap(call), text = call.format == Format::text && !call.part;
    require_effect(command, "--part", !gap, "with --gap");
    require_effect(command, "--out", call.part.has_value(), "without --part");
    for (const char* const option : {"--top", "--format"})
        require_effect(command, option, !call.part, "with --part; give it to `wordbreadth merge`");
    if (call.part && call.out.empty()) throw InputError("pairs: --part needs a folder, --out DIR" + see_help(command));
    for (const char* const option : {"--count", "--rank-by", "--cross-fit"})
        require_effect(command, option, gap, "without --gap");
    require_effect(command, "--top", !gap, "with --gap");
    if (gap && !call.labels_path.empty())
        reject(command, "--blocks", call.labels_path, "document|none with --gap, whose words are those of a store");
    for (const char* const option : {"--adjust", "--equivalence"})
        require_effect(command, option, !gap || !text, "on the table of --gap; add --format json, tsv or parquet");
    for (const char* const option : {"--confidence", "--alpha"})
        require_effect(command, option, gap || !text,
                       "without --gap, where it sets the level, or --format json, tsv or parquet");
    require_effect(command, "--tail-estimate", !text, "without --format json, tsv or parquet");
    require_effect(command, "--adaptive", call.adjustment != Adjustment::max_t, every_permutation);
}

void write_pairs(const report::TestedPairs& pairs, Format format, const std::function<Provenance()>& provenance) {
    const report::Table table = report::table_of(pairs);
    const Execution& execution = pairs.options.execution;
    const Timing::Stage formatting(execution.timing, "formatting");
    const auto write = [&](std::string_view text) { timed(execution.timing, "writing", [&] { print(text); }); };
    if (format == Format::tsv) return report::write_tsv(table, execution.threads, write);
    if (format == Format::parquet) return report::write_parquet(table, execution.threads, write);
    const report::Json around = report::with_provenance(report::json_without_results(pairs), provenance());
    const auto object = [&](std::size_t index) { return report::json_of(pairs, table, index); };
    report::write_json(around, "results", pairs.results.size(), object, execution.threads, write);
}

void run_part(const PairsCall& call, const CLI::App& command) {
    PairJob job{call.clouds,  call.layer,      call.list,        call.labels_path,         call.common_size,
                call.options, call.adjustment, call.equivalence, whole_provenance(command)};
    const PairPartSummary summary = watched_with(call.options, true, [&](const TestOptions& options) {
        job.test = options;
        return test_pairs_in_part(job, *call.part, call.out);
    });
    print_result(command, [&] { return report::text_of(summary, *call.part, call.out, stdout_style()); });
}

void run_pairs(PairsCall& call, const CLI::App& command) {
    if (int{call.all} + int{by_gap(call)} + int{!call.list.empty()} != 1)
        throw InputError("pairs: expected one of --pairs FILE.tsv, --all and --gap" + see_help(command));
    check_effects(call, command);
    check_equivalence(call.equivalence, call.options);
    if (call.part) return run_part(call, command);
    const std::future<void> device = start(call.options.execution);
    ProvenanceAhead provenance(command, call.format);
    call.labels = read_labels(call.labels_path);
    Work work = by_gap(call) ? pairs_by_gap(call, command)
                : call.all   ? all_pairs(call, command)
                             : pairs_of_list(call, command);
    device.wait();
    const bool for_people = call.format == Format::text;
    const auto start = std::chrono::steady_clock::now();
    TestResults results = watched_with(call.options, for_people, [&](TestOptions options) {
        options.max_t = call.adjustment == Adjustment::max_t;
        return work.test(options);
    });
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    std::vector<double> adjusted =
        timed(timing_of(command), "adjusting p", [&] { return adjusted_p(results, call.adjustment); });
    const report::TestedPairs pairs{std::move(results),
                                    call.options,
                                    call.adjustment,
                                    std::move(adjusted),
                                    spent.count(),
                                    call.common_size,
                                    by_gap(call) ? &work.by_gap : nullptr,
                                    call.gap,
                                    call.equivalence};
    print_pairs(
        pairs, call.format, call.top, [&] { return provenance.take(); }, command);
}

void add_gap_options(CLI::App& command, GapOptions& gap) {
    const Group group(command, "Pairs by rank gap, of a store");
    add_gaps_option(command, "--gap", gap.gaps, "sample pairs this many ranks apart");
    add_number(command, "--count", gap.count, {1}, "pairs at each gap; default: 300, or all if fewer");
    add_choice(command, "--rank-by", gap.by, "the ranking: breadth v, or frequency in the corpus");
    command.add_flag("--cross-fit", gap.cross_fit, "rank on one half of each word's rows, test on the other");
}

}  // namespace

void print_pairs(const report::TestedPairs& pairs, Format format, const std::optional<std::size_t>& top,
                 const std::function<Provenance()>& provenance, const CLI::App& command) {
    if (format == Format::text)
        print_result(command,
                     [&] { return report::text_of(pairs, top.value_or(pairs.results.size()), stdout_style()); });
    else
        write_pairs(pairs, format, provenance);
    report_undefined(pairs.results);
}

void add_breadth_command(CLI::App& program) {
    const auto call = std::make_shared<BreadthCall>();
    CLI::App& command =
        *program.add_subcommand("breadth", "The breadth of clouds, with its standard error and the paper's v");
    command
        .add_option("FILE", call->files,
                    "a store, or .npy, .npz or .safetensors (all its clouds); or STORE:word, FILE:name (one of them)")
        ->required();
    add_layer_option(command, call->cut.layer);
    add_number(command, "--common-size", call->cut.rows, {2, limits::rows_of_a_pair},
               "rows to take from each cloud, since v depends on their number; default: all");
    command.add_flag("--by-size", call->by_size,
                     "how many rows are enough? The breadth of one cloud and its interval by the number of rows");
    add_number_with_default(command, "--seed", call->cut.seed, {}, "which rows, with --common-size or --by-size");
    const auto take_blocks = [call = call.get()](const std::string& what) {
        call->cut.blocks = what != "none";
        if (what != "none" && what != "document") call->labels = what;
    };
    add_blocks_option(command, true, take_blocks,
                      "document: breadth and its error from pairs of rows from different documents; none: from all "
                      "pairs; FILE.tsv: a cloud and the label of its next row per line; default: document where a "
                      "store knows its documents, else none");
    add_html_option(command, call->html);
    command.get_option("--html")->description("with --by-size, also write a self-contained HTML page");
    add_format_option(command, call->format);
    command.callback([call, &command] { show_breadths(*call, command); });
}

void add_test_command(CLI::App& program) {
    const auto call = std::make_shared<TestCall>();
    CLI::App& command = *program.add_subcommand("test", "Is cloud X broader than cloud Y? A permutation test");
    command.add_option("X", call->x, "a cloud: STORE:word, FILE.npy, FILE.npz:name or FILE.safetensors:name")
        ->required();
    command.add_option("Y", call->y, "the cloud to compare it with")->required();
    add_layer_option(command, call->layer);
    add_number(command, "--common-size", call->common_size, {2, limits::rows_of_a_pair / 2},
               "rows to take from each cloud; default: all");
    add_force_option(command, call->force);
    add_equivalence_option(command, call->equivalence);
    add_test_options(command, call->options, &call->labels);
    command.get_option("--seed")->description("which random permutations, and which rows with --common-size");
    add_format_option(command, call->format);
    add_text(command, "--null", call->null_path, "FILE.npy",
             "write the statistic of every permutation to this .npy (float64)");
    command.callback([call, &command] {
        call->options.execution.timing = timing_of(command);
        run_test(*call, command);
    });
}

void add_devices_command(CLI::App& program) {
    const auto format = std::make_shared<Format>(Format::text);
    CLI::App& command = *program.add_subcommand("devices", "List the devices that can run the test");
    add_format_option(command, *format);
    command.callback([format, &command] { show_devices(*format, command); });
}

void add_pairs_command(CLI::App& program) {
    const auto call = std::make_shared<PairsCall>();
    CLI::App& command = *program.add_subcommand("pairs", "Test many pairs of clouds, adjusted for their number");
    command.add_option("CLOUDS", call->clouds, "a store, or a file of named clouds: .npz or .safetensors")->required();
    add_layer_option(command, call->layer);
    add_text(command, "--pairs", call->list, "FILE.tsv", "the pairs: two cloud names per line, separated by a tab");
    command.add_flag("--all", call->all, "every pair of clouds in it");
    add_gap_options(command, call->gap);
    add_number(command, "--common-size", call->common_size, {2, limits::rows_of_a_pair / 2},
               "rows to take from each cloud; default: all; with --gap, as many as the smallest has");
    add_number(command, "--top", call->top, {1},
               "pairs to show, smallest p first; default: all; json, tsv and parquet always have all");
    add_adjust_option(command, call->adjustment);
    add_equivalence_option(command, call->equivalence);
    add_test_options(command, call->options, &call->labels_path);
    command.get_option("--seed")->description(
        "which random permutations, and which rows and pairs where some are drawn");
    add_format_option(command, call->format);
    const Group group(command, "Parts, which run anywhere");
    add_part_option(command, call->part, "only part I of N, into --out; `wordbreadth merge DIR` joins them");
    add_text(command, "--out", call->out, "DIR", "the folder that all parts write to");
    command.callback([call, &command] {
        call->options.execution.timing = timing_of(command);
        run_pairs(*call, command);
    });
}

}  // namespace wordbreadth::cli
