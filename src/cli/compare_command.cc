// wordbreadth compare: the words of one store against those of another.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.h"
#include "cli/html_report.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/word_study_options.h"
#include "report/compare.h"
#include "report/test.h"
#include "report/word_study.h"
#include "wordbreadth/error.h"

namespace wordbreadth::cli {
namespace {

struct Call : WordStudyCall {
    std::string store_a, store_b, names;
};

std::string folder_name(const std::string& path) {
    const std::filesystem::path normal = (std::filesystem::path(path) / ".").lexically_normal().parent_path();
    const std::string name = normal.filename().string();
    return name.empty() || name.starts_with('.') ? path : name;
}

// What was asked for, else the names of the folders, or their paths where the names are the same.
report::StoreNames names_of(const Call& call) {
    if (call.names.empty()) {
        report::StoreNames names{folder_name(call.store_a), folder_name(call.store_b)};
        return names.a == names.b ? report::StoreNames{call.store_a, call.store_b} : names;
    }
    const std::size_t comma = call.names.find(',');
    const bool two = comma != std::string::npos && comma > 0 && comma + 1 < call.names.size() &&
                     call.names.find(',', comma + 1) == std::string::npos;
    if (!two) throw InputError("--names " + call.names + ": expected two names separated by a comma");
    return {call.names.substr(0, comma), call.names.substr(comma + 1)};
}

std::string rendered(const Comparison& comparison, const report::StoreNames& names, const Call& call) {
    if (call.format == Format::json) return report::text_of(report::json_of(comparison, names));
    if (call.format == Format::tsv) return report::tsv_of(report::table_of(comparison));
    return report::text_of(comparison, names, call.shown(comparison.words.size()), stdout_style());
}

// How the vectors were made is said once where it is the same.
void add_origins(report::Page& page, const Store& a, const Store& b, const report::StoreNames& names,
                 bool same_vectors) {
    append(page.settings, report::origin_of(a, names.a + ": "));
    append(page.settings, report::origin_of(b, names.b + ": "));
    append(page.settings, report::vectors_of(a, same_vectors ? "" : names.a + ": "));
    if (!same_vectors) append(page.settings, report::vectors_of(b, names.b + ": "));
}

void run(Call& call, const CLI::App& command) {
    check_effects(call, command);
    require_effect(command, "--confidence", call.format != Format::text || !call.html.empty(),
                   "without --format json or tsv, or --html");
    const report::StoreNames names = names_of(call);
    HtmlReport html(call.html);
    const Store a(call.store_a), b(call.store_b);
    const std::string forced = forced_differences(a, b, call.options.force);
    const Comparison found =
        watched_study(call, [&](const WordStudyOptions& options) { return compare(a, b, options); });
    if (html.wanted()) {
        report::Page page = report::page_of(found, names);
        add_origins(page, a, b, names, forced.empty());
        if (!forced.empty()) page.subtitle += "; " + report::forced_note(forced);
        html.write(std::move(page), command);
    }
    print(rendered(found, names, call) + (call.format == Format::text ? html.note() : ""));
}

}  // namespace

void add_compare_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    call->options.test = options_of_many_tests(Alternative::two_sided);
    CLI::App& command =
        *program.add_subcommand("compare", "Test every word that two stores share: where is it broader?");
    command.add_option("STORE_A", call->store_a, "a folder that `wordbreadth extract` made")->required();
    command.add_option("STORE_B", call->store_b, "another, of the same model, layers and kind of words")->required();
    command.add_option("--names", call->names, "what to call the two; default: the names of the folders")
        ->type_name("A,B");
    add_force_option(command, call->options.force);
    add_word_study_options(command, *call,
                           "rows to take from every cloud; words with fewer are left out; default: both clouds of a "
                           "word are cut to the size of the smaller");
    command.callback([call, &command] { run(*call, command); });
}

}  // namespace wordbreadth::cli
