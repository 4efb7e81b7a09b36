// wordbreadth contexts: the occurrences behind a word's cloud.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "report/concordance.h"
#include "report/table/number.h"
#include "report/table/text.h"
#include "wordbreadth/concordance.h"
#include "wordbreadth/error.h"

namespace wordbreadth::cli {
namespace {

constexpr std::size_t shown_to_people = 20;
constexpr std::size_t width_of_a_file = 100;
constexpr std::size_t narrowest = 40;

struct Call {
    std::string store, word;
    ConcordanceOrder order = ConcordanceOrder::corpus;
    std::size_t count = 0;  // 0: 20 for people, all for programs
    std::uint64_t seed = 0;
    std::size_t width = 0;  // 0: the terminal's
    Format format = Format::text;
};

std::vector<ConcordanceLine> lines_of(const Store& store, const Call& call) {
    const std::size_t fallback = call.format == Format::text ? shown_to_people : 0;
    return concordance(store, call.word, {call.order, call.count > 0 ? call.count : fallback, call.seed});
}

std::string summary(const StoredWord& word, const std::vector<ConcordanceLine>& usages, const Call& call) {
    const std::size_t shown = usages.size();
    const std::string documents = report::shared_document(usages);
    std::string text = report::count(shown) + " of the " + report::count(word.rows) + " rows of " +
                       report::printable(word.word) + ", which the corpus has " + report::count(word.frequency) +
                       (word.frequency == 1 ? " time" : " times");
    if (!documents.empty()) text += "; " + documents;
    if (call.order == ConcordanceOrder::influence) return text + "; before each, by how much log v falls without it";
    if (shown < word.rows)
        text += "; seed " + std::to_string(call.seed) + ", --count " + std::to_string(word.rows) + " shows all";
    return text;
}

std::string text_of(const StoredWord& word, const std::vector<ConcordanceLine>& usages, const Call& call) {
    report::ConcordanceLook look;
    look.style = stdout_style();
    look.influence = call.order == ConcordanceOrder::influence;
    const std::size_t available = look.style.width > 0 ? look.style.width : width_of_a_file;
    look.width = std::max(call.width > 0 ? call.width : available, narrowest);
    return report::concordance(usages, look) + "\n" +
           look.style.dim(report::folded(summary(word, usages, call), look.style.width)) + "\n";
}

void run(const Call& call, const CLI::App& command) {
    require_effect(command, "--width", call.format == Format::text, "with --format json or tsv");
    require_effect(command, "--seed", call.order != ConcordanceOrder::influence, "with --sort influence");
    const Store store(call.store);
    const StoredWord& word = store.words()[store.find(call.word)];
    const std::vector<ConcordanceLine> shown = lines_of(store, call);
    switch (call.format) {
        case Format::text:
            return print(text_of(word, shown, call));
        case Format::json:
            return print(report::text_of(report::json_of(word, shown)));
        case Format::tsv:
            return print(report::tsv_of(report::table_of(shown)));
    }
}

}  // namespace

void add_contexts_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    CLI::App& command = *program.add_subcommand("contexts", "A concordance of the occurrences behind a cloud");
    add_store_argument(command, call->store);
    command.add_option("WORD", call->word, "one of its words")->required();
    add_choice(command, "--sort", call->order,
               "in the order of the corpus, by the words to the left or to the right, by influence (what makes the "
               "word broadest first), or spread: far from each other, so that a few stand for all");
    add_whole_number<std::size_t>(
        command, "--count", call->count, {1},
        "how many: a sample, or the first ones by influence or spread; default: 20 as text, else all");
    add_number_with_default<std::uint64_t>(command, "--seed", call->seed, {}, "which sample");
    add_whole_number<std::size_t>(command, "--width", call->width, {narrowest, 10'000},
                                  "columns of a line, as text; default: the terminal's, or 100");
    add_format_option(command, call->format);
    command.callback([call, &command] { run(*call, command); });
}

}  // namespace wordbreadth::cli
