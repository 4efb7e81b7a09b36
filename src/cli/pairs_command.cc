// wordbreadth pairs: many tests at once, adjusted for their number.
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "report/pairs.h"
#include "report/table/number.h"
#include "wordbreadth/adjust.h"
#include "wordbreadth/cloud_source.h"
#include "wordbreadth/error.h"
#include "wordbreadth/gap_pairs.h"
#include "wordbreadth/limits.h"
#include "wordbreadth/lists.h"
#include "wordbreadth/rates.h"
#include "wordbreadth/store.h"

namespace wordbreadth::cli {
namespace {

struct Call {
    std::string clouds;
    std::string list;
    bool all = false;
    GapOptions gap;
    std::size_t common_size = 0;  // 0: all rows; with gaps, as many as the smallest cloud has
    std::optional<std::size_t> top;
    TestOptions options;
    Adjustment adjustment = Adjustment::benjamini_hochberg;
    Format format = Format::text;
};

bool by_gap(const Call& call) {
    return !call.gap.gaps.empty();
}

Cut cut_of(const Call& call) {
    return {call.common_size, call.options.seed};
}

struct Work {
    std::vector<NamedCloud> clouds;
    std::vector<Pair> pairs;
    GapPairs by_gap;  // instead of the two, with --gap

    // Once: the clouds are given away.
    [[nodiscard]] std::vector<TestResult> test(const TestOptions& options) {
        if (by_gap.tests.empty()) return test_named_pairs(std::move(clouds), pairs, options);
        return test_for_rates(by_gap.clouds, by_gap.tests, options);
    }
};

Work all_pairs(const Call& call) {
    const CloudSource source(call.clouds);
    const std::size_t n = source.names().size();
    if (n < 2) throw InputError(call.clouds + ": holds one cloud; --all needs at least 2");
    Work work;
    for (const std::string& name : source.names()) work.clouds.push_back(source.read(name, cut_of(call)));
    work.pairs.reserve(n * (n - 1) / 2);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) work.pairs.push_back({i, j});
    return work;
}

// Finds unknown names before any cloud is read, while the line is known.
void check_names(const CloudSource& source, const Call& call, const std::vector<NamedPair>& pairs) {
    for (const NamedPair& pair : pairs)
        for (const std::string& name : {pair.x, pair.y}) {
            if (std::ranges::binary_search(source.names(), name)) continue;
            try {
                (void)source.read(name);  // which says why it is not there
            } catch (const InputError& error) {
                throw InputError(call.list + ":" + std::to_string(pair.line) + ": " + error.what());
            }
        }
}

Work listed_pairs(const Call& call) {
    const std::vector<NamedPair> named = read_pair_list(call.list);
    const CloudSource source(call.clouds);
    check_names(source, call, named);
    Work work;
    std::map<std::string, std::size_t> places;
    const auto place_of = [&](const std::string& name) {
        const auto [entry, is_new] = places.try_emplace(name, work.clouds.size());
        if (is_new) work.clouds.push_back(source.read(name, cut_of(call)));
        return entry->second;
    };
    for (const NamedPair& pair : named) {
        const std::size_t x = place_of(pair.x);
        work.pairs.push_back({x, place_of(pair.y)});
    }
    return work;
}

Work pairs_by_gap(const Call& call) {
    GapOptions options = call.gap;
    options.common_size = call.common_size;
    options.seed = call.options.seed;
    options.execution = call.options.execution;
    const Store store(call.clouds);
    Work work;
    work.by_gap = watched(options.execution, "", [&](const Execution& execution) {
        options.execution = execution;
        return gap_pairs(store, options);
    });
    if (work.by_gap.tests.empty()) throw InputError(call.clouds + ": none of the pairs has rows to test");
    return work;
}

std::vector<double> adjusted(const std::vector<TestResult>& results, Adjustment method) {
    std::vector<double> p;
    p.reserve(results.size());
    for (const TestResult& result : results) p.push_back(result.p);
    return adjust(p, method);
}

std::string rendered(const report::TestedPairs& pairs, const Call& call) {
    if (call.format == Format::json) return report::text_of(report::json_of(pairs));
    if (call.format == Format::tsv) return report::tsv_of(report::table_of(pairs));
    return report::text_of(pairs, call.top.value_or(pairs.results.size()), stdout_style());
}

// After all the results were printed: the call did not get all that it asked for.
void report_undefined(const std::vector<TestResult>& results) {
    const auto is_undefined = [](const TestResult& result) { return !result.undefined.empty(); };
    const auto first = std::find_if(results.begin(), results.end(), is_undefined);
    if (first == results.end()) return;
    const auto number = static_cast<std::uint64_t>(std::count_if(first, results.end(), is_undefined));
    throw InputError(report::count(number) + " of " + report::count(results.size()) +
                     (number == 1 ? " pairs has" : " pairs have") + " no p-value: first: " + first->x + " and " +
                     first->y + ": " + first->undefined);
}

void check_effects(const Call& call, const CLI::App& command) {
    const bool gap = by_gap(call), text = call.format == Format::text;
    for (const char* const option : {"--count", "--rank-by", "--cross-fit"})
        require_effect(command, option, gap, "without --gap");
    require_effect(command, "--top", !gap, "with --gap");
    require_effect(command, "--adjust", !gap || !text, "on the table of --gap; add --format json or tsv");
    require_effect(command, "--confidence", gap || !text,
                   "without --gap, where it sets the level, or --format json or tsv");
    require_effect(command, "--tail-estimate", !text, "without --format json or tsv");
}

void run(const Call& call, const CLI::App& command) {
    if (int{call.all} + int{by_gap(call)} + int{!call.list.empty()} != 1)
        throw InputError("pairs: expected one of --pairs FILE.tsv, --all and --gap" + see_help(command));
    check_effects(call, command);
    Work work = by_gap(call) ? pairs_by_gap(call) : call.all ? all_pairs(call) : listed_pairs(call);
    const auto start = std::chrono::steady_clock::now();
    const std::vector<TestResult> results =
        watched_with(call.options, call.format, [&](const TestOptions& options) { return work.test(options); });
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    print(rendered({results, call.options, call.adjustment, adjusted(results, call.adjustment), spent.count(),
                    call.common_size, by_gap(call) ? &work.by_gap : nullptr, call.gap},
                   call));
    report_undefined(results);
}

void add_gap_options(CLI::App& command, GapOptions& gap) {
    const std::string group = "Pairs by rank gap, of a store";
    add_gaps_option(command, "--gap", gap.gaps, "sample pairs this many ranks apart")->group(group);
    add_whole_number<std::size_t>(command, "--count", gap.count, {1},
                                  "pairs at each gap; default: 300, or all if fewer")
        ->group(group);
    add_choice(command, "--rank-by", gap.by, "the ranking: breadth v, or frequency in the corpus")->group(group);
    command.add_flag("--cross-fit", gap.cross_fit, "rank on one half of each word's rows, test on the other")
        ->group(group);
}

}  // namespace

void add_pairs_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    CLI::App& command = *program.add_subcommand("pairs", "Test many pairs of clouds, adjusted for their number");
    command.add_option("CLOUDS", call->clouds, "a store, or a file of named clouds: .npz or .safetensors")->required();
    command.add_option("--pairs", call->list, "the pairs: two cloud names per line, separated by a tab")
        ->type_name("FILE.tsv");
    command.add_flag("--all", call->all, "every pair of clouds in it");
    add_gap_options(command, call->gap);
    add_whole_number<std::size_t>(
        command, "--common-size", call->common_size, {2, limits::rows_of_a_pair / 2},
        "rows to take from each cloud; default: all; with --gap, as many as the smallest has");
    add_whole_number<std::size_t>(command, "--top", call->top, {1},
                                  "pairs to show, smallest p first; default: all; json and tsv always have all");
    add_adjust_option(command, call->adjustment);
    add_test_options(command, call->options);
    command.get_option("--seed")->description(
        "which random permutations, and which rows and pairs where some are drawn");
    add_format_option(command, call->format);
    command.callback([call, &command] { run(*call, command); });
}

}  // namespace wordbreadth::cli
