// wordbreadth pairs: many tests at once, adjusted for their number.
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/fallback.h"
#include "cli/options.h"
#include "cli/pair_list.h"
#include "cli/terminal.h"
#include "cli/watched.h"
#include "report/json.h"
#include "report/number.h"
#include "report/tables.h"
#include "report/text.h"
#include "report/tsv.h"
#include "report/verdict.h"
#include "store/array_file.h"
#include "store/names.h"
#include "wordbreadth/adjust.h"
#include "wordbreadth/error.h"
#include "wordbreadth/files.h"

namespace wordbreadth::cli {
namespace {

struct Call {
    std::string clouds;
    std::string list;
    bool all = false;
    TestOptions options;
    Adjustment adjustment = Adjustment::benjamini_hochberg;
    Format format = Format::text;
};

struct Work {
    std::vector<Cloud> clouds;
    std::vector<Pair> pairs;
};

Work all_pairs(const std::string& path) {
    Work work{load_clouds(path), {}};
    const std::size_t n = work.clouds.size();
    if (n < 2) throw InputError(path + ": holds one cloud; --all needs at least 2");
    work.pairs.reserve(n * (n - 1) / 2);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) work.pairs.push_back({i, j});
    return work;
}

// Finds unknown names before any cloud is read, while the line is known.
void check_names(const Call& call, const std::vector<NamedPair>& pairs) {
    const std::vector<std::string> known = store::open_array_file(call.clouds)->names();  // in byte order
    const auto check = [&](const std::string& name, std::size_t line) {
        if (std::binary_search(known.begin(), known.end(), name)) return;
        try {
            store::fail_missing(call.clouds, name, known);
        } catch (const InputError& error) {
            throw InputError(call.list + ":" + std::to_string(line) + ": " + error.what());
        }
    };
    for (const NamedPair& pair : pairs) {
        check(pair.x, pair.line);
        check(pair.y, pair.line);
    }
}

Work listed_pairs(const Call& call) {
    const std::vector<NamedPair> named = read_pair_list(call.list);
    check_names(call, named);
    std::vector<std::string> names;
    std::map<std::string, std::size_t> places;
    const auto place_of = [&](const std::string& name) {
        const auto [entry, is_new] = places.try_emplace(name, names.size());
        if (is_new) names.push_back(name);
        return entry->second;
    };
    Work work;
    for (const NamedPair& pair : named) {
        const std::size_t x = place_of(pair.x);
        work.pairs.push_back({x, place_of(pair.y)});
    }
    work.clouds = load_clouds(call.clouds, names);
    return work;
}

std::vector<double> adjusted(const std::vector<TestResult>& results, Adjustment method) {
    std::vector<double> p;
    p.reserve(results.size());
    for (const TestResult& result : results) p.push_back(result.p);
    return adjust(p, method);
}

std::string text_of(const std::vector<TestResult>& results, const std::vector<double>& q, const Call& call,
                    double seconds) {
    const report::Style style = stdout_style();
    const std::string pairs = report::count(results.size()) + (results.size() == 1 ? " pair" : " pairs");
    const std::string method = pairs + ", at most " + report::count(call.options.permutations) + " splits each; " +
                               report::method_of(results.front()) + ", " + report::duration(seconds);
    return report::pairs_table(results, q, call.adjustment, style) + "\n" +
           style.dim(report::folded(method, style.width)) + "\n";
}

std::string rendered(const std::vector<TestResult>& results, const Call& call, double seconds) {
    const std::vector<double> q = adjusted(results, call.adjustment);
    if (call.format == Format::json) return report::text_of(report::json_of(results, q, seconds));
    if (call.format == Format::tsv) return report::tsv_of(results, q);
    return text_of(results, q, call, seconds);
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

void run(const Call& call, const CLI::App& command) {
    if (call.all != call.list.empty())
        throw InputError("pairs: expected either --pairs FILE.tsv or --all" + see_help(command));
    const Work work = call.all ? all_pairs(call.clouds) : listed_pairs(call);
    const auto start = std::chrono::steady_clock::now();
    const std::vector<TestResult> results =
        watched(call.options, fallback_note(call.options.execution, call.format),
                [&](const TestOptions& options) { return test_pairs(work.clouds, work.pairs, options); });
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    print(rendered(results, call, spent.count()));
    report_undefined(results);
}

}  // namespace

void add_pairs_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    CLI::App& command = *program.add_subcommand("pairs", "Test many pairs of clouds, adjusted for their number");
    command.add_option("CLOUDS", call->clouds, "a file of named clouds: .npz or .safetensors")->required();
    command.add_option("--pairs", call->list, "the pairs: two cloud names a line, a tab between them")
        ->type_name("FILE.tsv");
    command.add_flag("--all", call->all, "every pair of clouds in the file");
    add_adjust_option(command, call->adjustment);
    add_test_options(command, call->options);
    add_format_option(command, call->format);
    command.callback([call, &command] { run(*call, command); });
}

}  // namespace wordbreadth::cli
