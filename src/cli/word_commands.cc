// wordbreadth rank, triage, compare: the words of a store from broad to narrow, those that need a lexicographer's
// attention, and the words of one store against those of another.
#include <algorithm>
#include <optional>

#include "cli/commands.h"
#include "wordbreadth/lists.h"

namespace wordbreadth::cli {
namespace {

struct RankCall {
    std::string store, layer, html;
    std::vector<std::string> named;
    std::string words, stop_words;  // a file; the latter also "english"
    RankOptions options;
    std::size_t top = 20;
    std::size_t neighbours = 3;
    bool all = false;
    Format format = Format::text;
};

void check(const RankCall& call, const CLI::App& command) {
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

void read_lists(RankCall& call) {
    WordFilter& filter = call.options.filter;
    if (!call.words.empty()) filter.words = read_word_list(call.words);
    const auto english = english_stop_words();
    if (call.stop_words == "english")
        filter.stop_words.assign(english.begin(), english.end());
    else if (!call.stop_words.empty())
        filter.stop_words = read_word_list(call.stop_words);
}

std::string rendered(const Ranking& ranking, const RankCall& call, const CLI::App& command) {
    const Neighbourhood named = neighbourhood(ranking, call.named, call.neighbours);
    const Neighbourhood* const part = call.named.empty() ? nullptr : &named;
    if (call.format != Format::text) return for_programs(command, call.format, ranking, part);
    return report::text_of(ranking, part, call.all ? ranking.words.size() : call.top, stdout_style());
}

void run_rank(RankCall& call, const CLI::App& command) {
    check(call, command);
    read_lists(call);
    HtmlReport html(call.html);
    const Store store = open_store(command, call.store, call.layer);
    for (const std::string& word : call.named) (void)store.find(word);  // before the work
    // No note about the GPU: a ranking never uses one.
    const Ranking ranking =
        watched_with(call.options, false, [&](const RankOptions& options) { return rank(store, options); });
    Timing* const timing = timing_of(command);
    const std::string text = timed(timing, "formatting", [&] { return rendered(ranking, call, command); });
    html.write_if_wanted(command, call.options.execution, [&](const Execution& execution) {
        return report::page_of(ranking, store, call.top, call.named, execution);
    });
    timed(timing, "writing", [&] { print(text + (call.format == Format::text ? html.note() : "")); });
}

void add_filter_options(CLI::App& command, RankCall& call) {
    const Group group(command, "Which words to rank");
    WordFilter& filter = call.options.filter;
    add_text(command, "--words", call.words, "FILE", "only these, one per line");
    add_number(command, "--min-frequency", filter.min_frequency, {1},
               "only words at least this frequent in the corpus");
    add_number(command, "--max-frequency", filter.max_frequency, {1}, "only words at most this frequent in the corpus");
    add_text(command, "--stop-words", call.stop_words, "FILE|english",
             "none of these, one per line; english: a built-in list of function words");
}

struct WordStudyCall {
    std::string layer, html;
    WordStudyOptions options;
    std::size_t top = 20;
    bool all = false;
    Format format = Format::text;
    bool occurrences_in_text = false;  // the text has some, below the table

    // Words to show of either end.
    [[nodiscard]] std::size_t shown(std::size_t words) const { return all ? words : top; }
};

void add_word_study_options(CLI::App& command, WordStudyCall& call, const std::string& common_size_help) {
    WordStudyOptions& options = call.options;
    add_layer_option(command, call.layer);
    add_html_option(command, call.html);
    add_number_with_default(command, "--top", call.top, {1},
                            "words to show at either end; json, tsv, parquet and html always have all");
    command.add_flag("--all", call.all, "show all words");
    add_format_option(command, call.format);
    add_number(command, "--common-size", options.common_size, {2, limits::rows_of_a_pair / 2}, common_size_help);
    add_share(command, "--alpha", options.alpha, "an adjusted p of at most this is a finding");
    add_adjust_option(command, options.adjustment);
    add_number_with_default(command, "--concordances", options.concordances, {},
                            call.occurrences_in_text
                                ? "how many words, from the first on, show occurrences in text, json and html"
                                : "how many words, from the first on, show occurrences in json and html");
    add_number_with_default(command, "--lines", options.lines, {1}, "occurrences of each of these words");
    add_test_options(command, options.test);
    // The question decides the first; the second is beside p, which is what these studies go by.
    for (const char* const fixed : {"--alternative", "--tail-estimate"})
        command.remove_option(command.get_option(fixed));
}

bool shows_occurrences(const WordStudyCall& call) {
    return call.format == Format::json || !call.html.empty() ||
           (call.format == Format::text && call.occurrences_in_text);
}

void check_effects(const WordStudyCall& call, const CLI::App& command) {
    require_effect(command, "--top", !call.all, "with --all");
    for (const char* const option : {"--concordances", "--lines"})
        require_effect(
            command, option, shows_occurrences(call),
            call.occurrences_in_text ? "without --format text or json, or --html" : "without --format json, or --html");
    require_effect(command, "--adaptive", call.options.adjustment != Adjustment::max_t, every_permutation);
}

// Returns study(options), watched as all long work is.
template <class Study>
auto watched_study(const WordStudyCall& call, const Study& study) {
    return watched_with(call.options.test, call.format == Format::text, [&](const TestOptions& test) {
        WordStudyOptions options = call.options;
        options.test = test;
        if (!shows_occurrences(call)) options.concordances = 0;  // which take a fifth of the time
        return with_rows_option_in_errors([&] { return study(std::as_const(options)); });
    });
}

// How to test the words that were left out because documents were to be permuted; empty where there are none.
std::string rows_note(const std::vector<LeftOut>& left_out) {
    const auto number = static_cast<std::uint64_t>(std::ranges::count_if(
        left_out, [](const LeftOut& word) { return word.reason.find(one_document) != std::string::npos; }));
    if (number == 0) return "";
    return stdout_style().dim_line("note: " + report::counted(number, "word") +
                                   " left out for lack of a second document; --blocks none permutes rows instead, as "
                                   "if rows of one document were independent");
}

struct TriageCall : WordStudyCall {
    std::string store, references, candidates;
    std::string wordnet = WordNet::debian_folder;
    bool match_senses = false, given_frequency = false;
};

void run_triage(const TriageCall& call, const CLI::App& command) {
    check_effects(call, command);
    HtmlReport html(call.html);
    TriageWords words;
    words.references = read_word_list(call.references);
    words.references_from = call.references;
    words.candidates_from = call.candidates;
    if (!call.candidates.empty()) words.candidates = read_word_list(call.candidates);
    const Store store = open_store(command, call.store, call.layer);
    std::optional<WordNet> wordnet;
    if (call.match_senses) opened(command, [&] { wordnet.emplace(call.wordnet); });
    const TriageRules rules{wordnet ? &*wordnet : nullptr,
                            call.given_frequency ? TriageOrder::given_frequency : TriageOrder::attention};
    const Triage found =
        watched_study(call, [&](const WordStudyOptions& options) { return triage(store, words, options, rules); });
    html.write_if_wanted(command, call.options.test.execution,
                         [&](const Execution& execution) { return report::page_of(found, store, execution); });
    print_result(command, [&] {
        if (call.format != Format::text) return for_programs(command, call.format, found);
        return report::text_of(found, call.shown(found.candidates.size()), stdout_style()) + rows_note(found.left_out) +
               html.note();
    });
}

struct CompareCall : WordStudyCall {
    std::string store_a, store_b, names;
    std::optional<Center> center;  // nothing: none in what is printed, the median on the page
};

// What was asked for, else the names of the folders.
report::StoreNames store_names(const CompareCall& call) {
    if (call.names.empty()) return report::folder_names(call.store_a, call.store_b);
    const std::size_t comma = call.names.find(',');
    const bool two = comma != std::string::npos && comma > 0 && comma + 1 < call.names.size() &&
                     call.names.find(',', comma + 1) == std::string::npos;
    if (!two) throw InputError("--names " + call.names + ": expected two names separated by a comma");
    return {call.names.substr(0, comma), call.names.substr(comma + 1)};
}

void run_compare(const CompareCall& call, const CLI::App& command) {
    check_effects(call, command);
    require_effect(command, "--confidence", call.format != Format::text || !call.html.empty(),
                   "without --format json, tsv or parquet, or --html");
    const report::StoreNames names = store_names(call);
    HtmlReport html(call.html);
    const Store a = open_store(command, call.store_a, call.layer);
    const Store b = open_store(command, call.store_b, call.layer);
    (void)forced_differences(a, b, call.options.force);  // before the work, naming the option
    const Comparison found =
        watched_study(call, [&](const WordStudyOptions& options) { return compare(a, b, options); });
    html.write_if_wanted(command, call.options.test.execution, [&](const Execution& execution) {
        return report::page_of(found, a, b, names, call.center.value_or(Center::median), execution);
    });
    const Center of_result = call.center.value_or(Center::none);
    print_result(command, [&] {
        if (call.format != Format::text) return for_programs(command, call.format, found, names, of_result);
        return report::text_of(found, names, call.shown(found.words.size()), stdout_style(), of_result) +
               rows_note(found.left_out) + html.note();
    });
}

}  // namespace

void add_rank_command(CLI::App& program) {
    const auto call = std::make_shared<RankCall>();
    RankOptions& options = call->options;
    CLI::App& command = *program.add_subcommand("rank", "The words of a store, broadest first");
    add_store_argument(command, call->store);
    add_layer_option(command, call->layer);
    command.add_option("WORD", call->named, "where are these words? Their ranks among all, with their neighbours");
    add_choice(command, "--by", options.by,
               "what to rank by: the breadth, the v of the paper, or the frequency in the corpus");
    add_name(
        command, "--blocks", {"document", "none"}, "document",
        [&options](const std::string& what) { options.documents = what == "document"; },
        "document: breadth from pairs of rows of different documents, where the store knows them; none: from all "
        "pairs");
    add_number(command, "--common-size", options.common_size, {2, limits::rows_of_a_pair},
               "rows to take from each word; words with fewer are left out; default: all rows for the breadth, and for "
               "v, which depends on their number, as many as the smallest cloud has");
    command.add_flag("--modes", options.modes,
                     "count the modes of every word, and the share of its spread between them: takes longer");
    add_number_with_default(command, "--seed", options.seed, {}, "which rows, where a word has more");
    add_number_with_default(
        command, "--top", call->top, {1},
        "words to show at either end; json, tsv and parquet have all; html shows occurrences of these");
    command.add_flag("--all", call->all, "show all words; json, tsv and parquet do so anyway");
    add_number_with_default(command, "--neighbours", call->neighbours, {0, 1'000'000},
                            "words to show on either side of each WORD");
    add_filter_options(command, *call);
    add_html_option(command, call->html);
    add_format_option(command, call->format);
    add_threads_option(command, options.execution.threads);
    command.callback([call, &command] {
        call->options.execution.timing = timing_of(command);
        run_rank(*call, command);
    });
}

void add_triage_command(CLI::App& program) {
    const auto call = std::make_shared<TriageCall>();
    call->options.test = options_of_many_tests(Alternative::greater);
    call->occurrences_in_text = true;
    CLI::App& command = *program.add_subcommand("triage", "Find words that are broader than reference words");
    add_store_argument(command, call->store);
    add_text(command, "--reference", call->references, "FILE", "the reference words, one per line")->required();
    add_text(command, "--candidates", call->candidates, "FILE",
             "the words to triage, one per line; default: all others");
    command.add_flag("--match-senses", call->match_senses,
                     "compare each word only with references that have as many senses in WordNet, within a quarter");
    add_text(command, "--wordnet", call->wordnet, "DIR", "folder of WordNet's files (Debian's package wordnet-base)")
        ->default_str(call->wordnet)
        ->needs("--match-senses");
    command.add_flag("--given-frequency", call->given_frequency,
                     "show first the words that are broadest for their frequency, by the low end of the interval");
    add_word_study_options(command, *call,
                           "rows to take from each word, since v depends on their number; words with fewer are left "
                           "out; default: as many as the smallest cloud has");
    command.remove_option(command.get_option("--confidence"));  // no interval is shown
    command.callback([call, &command] {
        call->options.test.execution.timing = timing_of(command);
        run_triage(*call, command);
    });
}

void add_compare_command(CLI::App& program) {
    const auto call = std::make_shared<CompareCall>();
    call->options.test = options_of_many_tests(Alternative::two_sided);
    CLI::App& command =
        *program.add_subcommand("compare", "Test every word that two stores share: where is it broader?");
    command.add_option("STORE_A", call->store_a, "a folder that `wordbreadth extract` made")->required();
    command.add_option("STORE_B", call->store_b, "another, of the same model, layers and kind of words")->required();
    add_text(command, "--names", call->names, "A,B", "what to call the two; default: the names of the folders");
    add_force_option(command, call->options.force);
    add_name(
        command, "--center", {"none", "median"}, "",
        [call = call.get()](const std::string& text) { call->center = choice_named<Center>(text); },
        "measure words against equal breadth, or against the median word, which shows those that differ beyond what "
        "all have in common; default: none, but median on the page, which has both");
    command.add_flag("--modes", call->options.modes,
                     "find the modes of every word in both stores, and what share of its spread lies between them");
    add_word_study_options(command, *call,
                           "rows to take from every cloud; words with fewer are left out; default: both clouds of a "
                           "word are cut to the size of the smaller");
    command.callback([call, &command] {
        call->options.test.execution.timing = timing_of(command);
        run_compare(*call, command);
    });
}

}  // namespace wordbreadth::cli
