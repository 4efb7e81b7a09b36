// wordbreadth rank: the words of a store from broad to narrow.
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.h"
#include "cli/html_report.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/watched.h"
#include "report/json.h"
#include "report/ranking.h"
#include "report/study_pages/foot.h"
#include "report/study_pages/ranking_page.h"
#include "study/spread.h"
#include "wordbreadth/limits.h"

namespace wordbreadth::cli {
namespace {

struct Call {
    std::string store, html;
    RankOptions options;
    std::size_t top = 20;
    bool all = false;
    Format format = Format::text;
};

std::string rendered(const Ranking& ranking, const Call& call) {
    if (call.format == Format::json) return report::text_of(report::json_of(ranking));
    if (call.format == Format::tsv) return report::tsv_of(ranking);
    return report::ranking_table(ranking, call.all ? ranking.words.size() : call.top, stdout_style());
}

// Of the words at both ends.
report::UsagesOfWords usages_at_the_ends(const store::CloudStore& store, const Ranking& ranking, std::size_t ends) {
    constexpr std::size_t lines = 10;
    report::UsagesOfWords found;
    for (std::size_t i = 0; i < ranking.words.size(); ++i) {
        const std::string& word = ranking.words[i].word;
        if (i < ends || i + ends >= ranking.words.size()) found[word] = spread_usages(store, word, lines, ranking.seed);
    }
    return found;
}

report::Page page_of(const store::CloudStore& store, const Ranking& ranking, std::size_t ends) {
    report::Page page = report::page_of(ranking, usages_at_the_ends(store, ranking, ends));
    append(page.settings, report::origin_of(store));
    append(page.settings, report::vectors_of(store));
    return page;
}

void run(Call& call, const CLI::App& command) {
    HtmlReport html(call.html);
    const store::CloudStore store(call.store);
    const Ranking ranking = watched(call.options.execution, "", [&](const Execution& execution) {
        call.options.execution = execution;
        return rank(store, call.options);
    });
    if (html.wanted()) html.write(page_of(store, ranking, call.top), command);
    print(rendered(ranking, call) + (call.format == Format::text ? html.note() : ""));
}

}  // namespace

void add_rank_command(CLI::App& program) {
    const auto call = std::make_shared<Call>();
    RankOptions& options = call->options;
    CLI::App& command = *program.add_subcommand("rank", "The words of a store, broadest first");
    command.add_option("STORE", call->store, "the folder that `wordbreadth extract` made")->required();
    add_choice(command, "--by", options.by, "what to rank by: the breadth v, or the frequency in the corpus");
    add_whole_number<std::size_t>(command, "--common-size", options.common_size, {2, limits::rows_of_a_pair},
                                  "rows to take of each word, since v depends on their number; words with fewer are "
                                  "left out; default: as many as the smallest cloud has");
    add_whole_number<std::uint64_t>(command, "--seed", options.seed, {}, "which rows, where a word has more")
        ->default_str(std::to_string(options.seed));
    add_whole_number<std::size_t>(command, "--top", call->top, {1},
                                  "words to show of either end; json and tsv always have all")
        ->default_str(std::to_string(call->top));
    command.add_flag("--all", call->all, "show all words");
    add_html_option(command, call->html);
    add_format_option(command, call->format);
    add_whole_number<unsigned>(command, "--threads", options.execution.threads, {1, limits::threads},
                               "default: OMP_NUM_THREADS, or else every core; changes no result");
    command.callback([call, &command] { run(*call, command); });
}

}  // namespace wordbreadth::cli
