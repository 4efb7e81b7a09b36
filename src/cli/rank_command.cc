// wordbreadth rank: the words of a store from broad to narrow.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/html_report.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "report/ranking.h"
#include "report/word_study.h"
#include "wordbreadth/concordance.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"
#include "wordbreadth/lists.h"
#include "wordbreadth/rank.h"

namespace wordbreadth::cli {
namespace {

struct Call {
    std::string store, html;
    std::vector<std::string> named;
    std::string words, stop_words;  // a file; the latter also "english"
    RankOptions options;
    std::size_t top = 20;
    std::size_t neighbours = 3;
    bool all = false;
    Format format = Format::text;
};

void check(const Call& call, const CLI::App& command) {
    const WordFilter& filter = call.options.filter;
    if (filter.min_frequency > filter.max_frequency)
        throw InputError("rank: --min-frequency " + std::to_string(filter.min_frequency) +
                         " is more than --max-frequency " + std::to_string(filter.max_frequency) +
                         "; no word can have both" + see_help(command));
    const bool only_named = !call.named.empty();
    require_effect(command, "--all", !only_named, "where words are named");
    require_effect(command, "--neighbours", only_named, "where no word is named");
    require_effect(command, "--top", !only_named || !call.html.empty(), "where words are named");
    require_effect(command, "--top", !call.all || !call.html.empty(), "with --all");
}

void read_lists(Call& call) {
    WordFilter& filter = call.options.filter;
    if (!call.words.empty()) filter.words = read_word_list(call.words);
    const auto english = english_stop_words();
    if (call.stop_words == "english")
        filter.stop_words.assign(english.begin(), english.end());
    else if (!call.stop_words.empty())
        filter.stop_words = read_word_list(call.stop_words);
}

std::string rendered(const Ranking& ranking, const Call& call) {
    if (call.format == Format::json) return report::text_of(report::json_of(ranking));
    if (call.format == Format::tsv) return report::tsv_of(report::table_of(ranking));
    return report::text_of(ranking, call.all ? ranking.words.size() : call.top, stdout_style());
}

std::string rendered(const Ranking& ranking, const Neighbourhood& part, Format format) {
    if (format == Format::json) return report::text_of(report::json_of(ranking, part));
    if (format == Format::tsv) return report::tsv_of(report::table_of(ranking, part));
    return report::text_of(ranking, part, stdout_style());
}

// Of the words at both ends, and of those that were named.
report::UsagesOfWords usages_to_show(const Store& store, const Ranking& ranking, const Call& call) {
    constexpr std::size_t lines = 10;
    report::UsagesOfWords found;
    for (std::size_t i = 0; i < ranking.words.size(); ++i) {
        const std::string& word = ranking.words[i].word;
        const bool at_an_end = i < call.top || i + call.top >= ranking.words.size();
        if (at_an_end || std::ranges::find(call.named, word) != call.named.end())
            found[word] = concordance(store, word, {ConcordanceOrder::spread, lines, ranking.seed});
    }
    return found;
}

report::Page page_of(const Store& store, const Ranking& ranking, const Call& call) {
    report::Page page = report::page_of(ranking, usages_to_show(store, ranking, call));
    append(page.settings, report::origin_of(store));
    append(page.settings, report::vectors_of(store));
    return page;
}

void run(Call& call, const CLI::App& command) {
    check(call, command);
    read_lists(call);
    HtmlReport html(call.html);
    const Store store(call.store);
    for (const std::string& word : call.named) (void)store.find(word);  // before the work
    // No note about the GPU: a ranking never uses one.
    const Ranking ranking = watched(call.options.execution, "", [&](const Execution& execution) {
        call.options.execution = execution;
        return rank(store, call.options);
    });
    const std::string text = call.named.empty()
                                 ? rendered(ranking, call)
                                 : rendered(ranking, neighbourhood(ranking, call.named, call.neighbours), call.format);
    if (html.wanted()) html.write(page_of(store, ranking, call), command);
    print(text + (call.format == Format::text ? html.note() : ""));
}

void add_filter_options(CLI::App& command, Call& call) {
    const std::string group = "Which words to rank";
    WordFilter& filter = call.options.filter;
    command.add_option("--words", call.words, "only these, one per line")->type_name("FILE")->group(group);
    add_whole_number<std::uint64_t>(command, "--min-frequency", filter.min_frequency, {1},
                                    "only words at least this frequent in the corpus")
        ->group(group);
    add_whole_number<std::uint64_t>(command, "--max-frequency", filter.max_frequency, {1},
                                    "only words at most this frequent in the corpus")
        ->group(group);
    command
        .add_option("--stop-words", call.stop_words,
                    "none of these, one per line; english: a built-in list of function words")
        ->type_name("FILE|english")
        ->group(group);
}

}  // namespace

void add_rank_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    RankOptions& options = call->options;
    CLI::App& command = *program.add_subcommand("rank", "The words of a store, broadest first");
    add_store_argument(command, call->store);
    command.add_option("WORD", call->named, "where are these words? Their ranks among all, with their neighbours");
    add_choice(command, "--by", options.by, "what to rank by: the breadth v, or the frequency in the corpus");
    add_whole_number<std::size_t>(command, "--common-size", options.common_size, {2, limits::rows_of_a_pair},
                                  "rows to take from each word, since v depends on their number; words with fewer are "
                                  "left out; default: as many as the smallest cloud has");
    add_number_with_default<std::uint64_t>(command, "--seed", options.seed, {}, "which rows, where a word has more");
    add_number_with_default<std::size_t>(
        command, "--top", call->top, {1},
        "words to show at either end; json and tsv have all; html shows occurrences of these");
    command.add_flag("--all", call->all, "show all words; json and tsv do so anyway");
    add_number_with_default<std::size_t>(command, "--neighbours", call->neighbours, {0, 1'000'000},
                                         "words to show on either side of each WORD");
    add_filter_options(command, *call);
    add_html_option(command, call->html);
    add_format_option(command, call->format);
    add_threads_option(command, options.execution.threads);
    command.callback([call, &command] { run(*call, command); });
}

}  // namespace wordbreadth::cli
