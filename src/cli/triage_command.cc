// wordbreadth triage: which words need a lexicographer's attention.
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.h"
#include "cli/html_report.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/word_study_options.h"
#include "report/triage.h"
#include "report/word_study.h"
#include "wordbreadth/lists.h"

namespace wordbreadth::cli {
namespace {

struct Call : WordStudyCall {
    std::string store, references, candidates;
};

TriageWords words_of(const Call& call) {
    TriageWords words;
    words.references = read_word_list(call.references);
    words.references_from = call.references;
    words.candidates_from = call.candidates;
    if (!call.candidates.empty()) words.candidates = read_word_list(call.candidates);
    return words;
}

std::string rendered(const Triage& triage, const Call& call) {
    if (call.format == Format::json) return report::text_of(report::json_of(triage));
    if (call.format == Format::tsv) return report::tsv_of(report::table_of(triage));
    return report::text_of(triage, call.shown(triage.candidates.size()), stdout_style());
}

void run(Call& call, const CLI::App& command) {
    check_effects(call, command);
    HtmlReport html(call.html);
    const TriageWords words = words_of(call);
    const Store store(call.store);
    const Triage found =
        watched_study(call, [&](const WordStudyOptions& options) { return triage(store, words, options); });
    if (html.wanted()) {
        report::Page page = report::page_of(found);
        append(page.settings, report::origin_of(store));
        append(page.settings, report::vectors_of(store));
        html.write(std::move(page), command);
    }
    print(rendered(found, call) + (call.format == Format::text ? html.note() : ""));
}

}  // namespace

void add_triage_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    call->options.test = options_of_many_tests(Alternative::greater);
    call->occurrences_in_text = true;
    CLI::App& command = *program.add_subcommand("triage", "Find words that are broader than reference words");
    add_store_argument(command, call->store);
    command.add_option("--reference", call->references, "the reference words, one per line")
        ->type_name("FILE")
        ->required();
    command.add_option("--candidates", call->candidates, "the words to triage, one per line; default: all others")
        ->type_name("FILE");
    add_word_study_options(command, *call,
                           "rows to take from each word, since v depends on their number; words with fewer are left "
                           "out; default: as many as the smallest cloud has");
    command.remove_option(command.get_option("--confidence"));  // no interval is shown
    command.callback([call, &command] { run(*call, command); });
}

}  // namespace wordbreadth::cli
