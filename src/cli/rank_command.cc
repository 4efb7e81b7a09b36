// wordbreadth rank: the words of a store from broad to narrow.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/html_report.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/watched.h"
#include "cli/word_list.h"
#include "report/json.h"
#include "report/ranking.h"
#include "report/study_pages/foot.h"
#include "report/study_pages/ranking_page.h"
#include "wordbreadth/concordance.h"
#include "wordbreadth/error.h"
#include "wordbreadth/limits.h"
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
    if (only_named) require_effect(command, "--all", "where words are named");
    if (only_named && call.html.empty()) require_effect(command, "--top", "where words are named");
    if (!only_named) require_effect(command, "--neighbours", "where no word is named");
    if (call.all && call.html.empty()) require_effect(command, "--top", "with --all");
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
    if (call.format == Format::tsv) return report::tsv_of(ranking);
    return report::ranking_table(ranking, call.all ? ranking.words.size() : call.top, stdout_style());
}

std::string rendered(const Ranking& ranking, const Neighbourhood& part, Format format) {
    if (format == Format::json) return report::text_of(report::json_of(ranking, part));
    if (format == Format::tsv) return report::tsv_of(ranking, part);
    return report::ranking_table(ranking, part, stdout_style());
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
    if (!ranking.filtered.empty()) {
        const std::string filtered = text_of(ranking.filtered);
        page.sections.front().blocks.emplace_back(report::Paragraph{"Filtered out: " + filtered + "."});
        page.settings.push_back({"filtered out", filtered});
    }
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
    command.add_option("--words", call.words, "only these, one a line")->type_name("FILE")->group(group);
    add_whole_number<std::uint64_t>(command, "--min-frequency", filter.min_frequency, {1},
                                    "only words that the corpus has at least so often")
        ->group(group);
    add_whole_number<std::uint64_t>(command, "--max-frequency", filter.max_frequency, {1},
                                    "only words that the corpus has at most so often")
        ->group(group);
    command
        .add_option("--stop-words", call.stop_words,
                    "none of these, one a line; english: a list of function words that is built in")
        ->type_name("FILE|english")
        ->group(group);
}

}  // namespace

void add_rank_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    RankOptions& options = call->options;
    CLI::App& command = *program.add_subcommand("rank", "The words of a store, broadest first");
    command.add_option("STORE", call->store, "the folder that `wordbreadth extract` made")->required();
    command.add_option("WORD", call->named, "where are these words? Their ranks among all, with their neighbours");
    add_choice(command, "--by", options.by, "what to rank by: the breadth v, or the frequency in the corpus");
    add_whole_number<std::size_t>(command, "--common-size", options.common_size, {2, limits::rows_of_a_pair},
                                  "rows to take of each word, since v depends on their number; words with fewer are "
                                  "left out; default: as many as the smallest cloud has");
    add_whole_number<std::uint64_t>(command, "--seed", options.seed, {}, "which rows, where a word has more")
        ->default_str(std::to_string(options.seed));
    add_whole_number<std::size_t>(command, "--top", call->top, {1},
                                  "words to show of either end; json and tsv have all; html shows usages of these")
        ->default_str(std::to_string(call->top));
    command.add_flag("--all", call->all, "show all words; json and tsv do so anyway");
    add_whole_number<std::size_t>(command, "--neighbours", call->neighbours, {0, 1'000'000},
                                  "words to show on either side of each WORD")
        ->default_str(std::to_string(call->neighbours));
    add_filter_options(command, *call);
    add_html_option(command, call->html);
    add_format_option(command, call->format);
    add_whole_number<unsigned>(command, "--threads", options.execution.threads, {1, limits::threads},
                               "default: OMP_NUM_THREADS, or else every core; changes no result");
    command.callback([call, &command] { run(*call, command); });
}

}  // namespace wordbreadth::cli
