// The tables of the paper's study.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "report/command_line.h"
#include "report/experiment_parts.h"

namespace wordbreadth::report {
namespace {

std::string fit_of(const GapTests& tests) {
    return tests.cross_fitted ? "cross-fitted" : "same rows";
}

// The columns that describe a pair of words; `pair` finds it in a row.
template <class Row, class Pair>
Columns<Row> pair_columns(const Pair& pair) {
    return {{"gap", "gap", look::count, [pair](const Row& row) { return pair(row).gap; }},
            {"x", "X", look::note, [pair](const Row& row) { return pair(row).x; }},
            {"y", "Y", look::note, [pair](const Row& row) { return pair(row).y; }},
            {"v_x", "v of X", look::digits(4), [pair](const Row& row) { return pair(row).v_x; }},
            {"v_y", "v of Y", look::digits(4), [pair](const Row& row) { return pair(row).v_y; }},
            {"senses_x", "senses of X", look::count, [pair](const Row& row) { return pair(row).senses_x; }},
            {"senses_y", "senses of Y", look::count, [pair](const Row& row) { return pair(row).senses_y; }}};
}

// Of a rejection at a wide gap, whatever the gap.
constexpr const char* our_reading = "share told apart";

std::vector<Column> split_half_columns() {
    return {{"word", "word", look::note},
            {"total", "total", look::count, "rows in the store"},
            {"none_greater", "none, greater", look::decimals(4)},
            {"householder_greater", "householder, greater", look::decimals(4)},
            {"none_two_sided", "none, two-sided", look::decimals(4)},
            {"householder_two_sided", "householder, two-sided", look::decimals(4)}};
}

std::string rows_of_halves(const SplitHalf& halves) {
    return halves.n == 0 ? "all rows of the word" : count(halves.n) + " and " + count(halves.m) + " rows";
}

}  // namespace

std::string short_path(const std::string& path) {
    const std::size_t end = path.find_last_not_of('/');
    if (end == std::string::npos) return path;
    const std::size_t slash = path.find_last_of('/', end);
    return path.substr(slash == std::string::npos ? 0 : slash + 1, slash == std::string::npos ? end + 1 : end - slash);
}

namespace {

// Absolute and without "." or "..": a store that was given as "." has a name, too.
std::filesystem::path whole_path(const std::string& folder) {
    std::error_code ignored;
    const std::filesystem::path path = std::filesystem::absolute(folder, ignored);
    return ((path.empty() ? std::filesystem::path(folder) : path) / ".").lexically_normal().parent_path();
}

}  // namespace

std::vector<std::string> store_names(const std::vector<std::string>& folders) {
    std::vector<std::filesystem::path> paths;
    for (const std::string& folder : folders) paths.push_back(whole_path(folder));
    std::vector<std::string> names;
    for (const std::filesystem::path& path : paths) {
        std::string name = path.filename().string();
        const auto is_anothers = [&](const std::filesystem::path& other) {
            return other != path && other.string().ends_with("/" + name);
        };
        for (auto around = path.parent_path(); around.has_filename() && std::ranges::any_of(paths, is_anothers);
             around = around.parent_path())
            name = around.filename().string() + "/" + name;
        const auto before =
            std::count<const std::filesystem::path*>(paths.data(), &path, path);  // the same store, given again
        names.push_back(name + (before > 0 ? "-" + std::to_string(before + 1) : ""));
    }
    return names;
}

std::vector<std::string> store_names(const std::vector<Experiment>& studies) {
    std::vector<std::string> folders;
    for (const Experiment& each : studies) folders.push_back(each.store);
    return store_names(folders);
}

std::string whose_words(const Experiment& study) {
    return study.options.words.empty() ? "the paper's words" : "the words asked for";
}

std::string model_name(const std::string& path) {
    static const std::string mark = "models--";
    if (const std::size_t start = path.find(mark); start != std::string::npos) {
        std::string name = path.substr(start + mark.size(), path.find('/', start) - start - mark.size());
        if (const std::size_t owner = name.find("--"); owner != std::string::npos) name.replace(owner, 2, "/");
        return name;
    }
    const std::string last = short_path(path);
    const std::size_t around = path.rfind("/" + last);
    return last == "model" && around != std::string::npos && around > 0 ? short_path(path.substr(0, around)) : last;
}

bool paper_has(const GapTests& tests) {
    const auto is_there = [](const TestedPair& pair) { return paper::gap_of(pair.gap) != nullptr; };
    return !tests.cross_fitted && tests.alpha == paper::alpha && std::ranges::any_of(tests.pairs, is_there);
}

bool paper_has_additional(const std::vector<Experiment>& studies) {
    return studies.front().options.additional_alpha == paper::additional_alpha;
}

std::string precision_note(const Experiment& study) {
    if (has_precision(study)) return "";
    return "No precision: WordNet has " + count(study.words.known) + " of the " + count(study.ranking.words.size()) +
           " words, fewer than half. Precision compares numbers of senses; " + option_for_wordnet +
           " takes a wordnet of another language.";
}

Table main_table(const Experiment& study) {
    const bool precision = has_precision(study);
    std::vector<Column> columns = {
        {"gap", "gap", look::count, "ranks between the two words"},
        {"pairs", "pairs"},
        {"rejected_none", "rejected, none", look::rate, "share of pairs with p at or below alpha; 95% interval"},
        {"rejected_householder", "rejected, householder", look::rate},
        {"paper_rejected_none", "paper, none", look::decimals(3)},
        {"paper_rejected_householder", "paper, householder", look::decimals(3)},
        {"precision_none", "precision, none", look::rate, "of the rejected pairs, those with different synset counts"},
        {"precision_householder", "precision, householder", look::rate},
        {"paper_precision_none", "paper, none", look::decimals(3)},
        {"paper_precision_householder", "paper, householder", look::decimals(3)},
        {"differing", "all pairs", look::rate, "of all pairs, those with different synset counts: blind precision"}};
    if (!precision) columns.resize(6);
    const std::size_t of_rows = columns.size(), blocks = study.main.methods.size() - 1;
    if (study.main.has_blocks())
        columns.push_back({"rejected_blocks", "rejected, blocks", look::rate,
                           "householder, documents permuted instead of occurrences"});
    const bool papers_too = paper_has(study.main);
    std::vector<Cells> rows;
    for (const GapRates& rates : rates_by_gap(study.main)) {
        const paper::Gap* const found = paper::gap_of(rates.gap);
        const auto papers = [&](double paper::Gap::*member) {
            return found == nullptr ? Value() : Value(found->*member);
        };
        rows.push_back({rates.gap, rates.pairs, rates.rejected[0], rates.rejected[1], papers(&paper::Gap::baseline),
                        papers(&paper::Gap::proposed), rates.precision[0], rates.precision[1],
                        papers(&paper::Gap::baseline_precision), papers(&paper::Gap::proposed_precision),
                        rates.differing});
        rows.back().resize(of_rows);
        if (study.main.has_blocks()) rows.back().push_back(rates.rejected[blocks]);
    }
    const std::string what = precision ? "Rejection rates and precision" : "Rejection rates";
    const std::string caption = what + " of pairs that are some ranks of breadth apart, at alpha " +
                                shortest(study.main.alpha) +
                                (papers_too ? ", beside the paper's (BNC, ModernBERT)." : ".");
    std::vector<std::string> keys;
    for (const Column& column : columns)
        if (papers_too || !column.key.starts_with("paper_")) keys.push_back(column.key);
    return part_of(table_of("main", caption, std::move(columns), std::move(rows)), keys, caption);
}

Table rejection_table(const GapTests& tests) {
    Columns<GapRates> columns = {{"gap", "gap", look::count, &GapRates::gap},
                                 {"pairs", "pairs", look::count, &GapRates::pairs}};
    for (std::size_t k = 0; k < tests.methods.size(); ++k)
        columns.push_back({key_of(tests.methods[k]), name_of(tests.methods[k]), look::rate,
                           [k](const GapRates& rates) { return rates.rejected[k]; }});
    return table_of(tests.cross_fitted ? "cross_fitted" : "rejected",
                    "Rejection rates of every method at alpha " + shortest(tests.alpha) + ", " + count(tests.rows) +
                        " rows of each word.",
                    rates_by_gap(tests), std::move(columns));
}

Table methods_table(const Experiment& study) {
    std::vector<Column> columns = {{"fit", "ranked and tested on", look::note},
                                   {"gap", "gap"},
                                   {"method", "method", look::note},
                                   {"rows", "rows"},
                                   {"pairs", "pairs"},
                                   {"rejected", "rejected", look::rate},
                                   {"precision", "precision", look::rate}};
    if (!has_precision(study)) columns.pop_back();
    std::vector<Cells> rows;
    for (const GapTests* tests : {&study.main, &study.cross_fitted})
        for (const GapRates& rates : rates_by_gap(*tests))
            for (std::size_t k = 0; k < tests->methods.size(); ++k) {
                rows.push_back({fit_of(*tests), rates.gap, name_of(tests->methods[k]), tests->rows,
                                rates.rejected[k].trials, rates.rejected[k], rates.precision[k]});
                rows.back().resize(columns.size());
            }
    return table_of("methods",
                    std::string(has_precision(study) ? "Rejection rates and precision" : "Rejection rates") +
                        " of every method. Cross-fitted: words are ranked on one half of "
                        "their rows and tested "
                        "on the other, so that the choice of a pair and its test share no data.",
                    std::move(columns), std::move(rows));
}

Table pairs_table(const Experiment& study) {
    struct Row {
        const GapTests* tests;
        const TestedPair* pair;
    };
    std::vector<Row> rows;
    for (const GapTests* tests : {&study.main, &study.cross_fitted})
        for (const TestedPair& pair : tests->pairs) rows.push_back({tests, &pair});
    Columns<Row> columns = pair_columns<Row>([](const Row& row) -> const TestedPair& { return *row.pair; });
    columns.insert(columns.begin(),
                   {"fit", "ranked and tested on", look::note, [](const Row& row) { return fit_of(*row.tests); }});
    const std::vector<Method>& of_main = study.main.methods;
    for (std::size_t k = 0; k < of_main.size(); ++k)
        columns.push_back({"p_" + key_of(of_main[k]), "p, " + name_of(of_main[k]), look::p,
                           [k](const Row& row) { return row.pair->p[k]; }});
    return table_of("pairs", "Every pair of the main experiment.", std::move(rows), std::move(columns));
}

namespace {

// Their hits are not given.
std::vector<GapRates> papers_rates() {
    const auto rate = [](double value) { return Rate{0, 300, value}; };
    std::vector<GapRates> rates;
    for (const paper::Gap& gap : paper::gaps)
        rates.push_back({gap.gap,
                         300,
                         {rate(gap.baseline), rate(gap.proposed)},
                         {rate(gap.baseline_precision), rate(gap.proposed_precision)},
                         {}});
    return rates;
}

// Over all its gaps.
double papers_mean(double paper::Gap::*rate) {
    double sum = 0;
    for (const paper::Gap& gap : paper::gaps) sum += gap.*rate;
    return sum / static_cast<double>(std::size(paper::gaps));
}

Cells summary_row(const char* what, const char* source, const GapScore& score, const Value& none,
                  const Value& householder, const Value& reduction = {}) {
    return {what, source, score.wins, score.ties, score.losses, none, householder, reduction};
}

Value reduction_of(double none, double householder) {
    const double reduction = (none - householder) / none;
    return std::isfinite(reduction) ? Value(reduction) : Value();
}

}  // namespace

Table summary_table(const Experiment& study) {
    const std::vector<GapRates> gaps = rates_by_gap(study.main);
    const GapRates all = rates_of_all(study.main);
    std::vector<Cells> rows = {summary_row("rejected", "this store", rejection_score(gaps), all.rejected[0],
                                           all.rejected[1],
                                           reduction_of(all.rejected[0].value, all.rejected[1].value))};
    if (has_precision(study))
        rows.push_back(
            summary_row("precision", "this store", precision_score(gaps), all.precision[0], all.precision[1]));
    if (paper_has(study.main)) {
        const std::vector<GapRates> papers = papers_rates();
        const double none = papers_mean(&paper::Gap::baseline), householder = papers_mean(&paper::Gap::proposed);
        rows.push_back(summary_row("rejected", "paper", rejection_score(papers), none, householder,
                                   reduction_of(none, householder)));
        rows.push_back(summary_row("precision", "paper", precision_score(papers), {}, {}));
    }
    return table_of("summary",
                    "Householder against none, gap by gap: at how many gaps it wins (fewer rejections, higher "
                    "precision), ties and loses; and both over all gaps.",
                    {{"what", "rate", look::note},
                     {"source", "of", look::note},
                     {"wins", "wins"},
                     {"ties", "ties"},
                     {"losses", "losses"},
                     {"none", "none, all gaps", look::rate},
                     {"householder", "householder, all gaps", look::rate},
                     {"reduction", "reduction", look::decimals(3),
                      "of the rejection rate by alignment, as a share of that without"}},
                    std::move(rows));
}

std::string summary_sentence(const Experiment& study) {
    const std::vector<GapRates> gaps = rates_by_gap(study.main);
    const GapRates all = rates_of_all(study.main);
    const auto told = [](const GapScore& score) {
        return counted(score.wins, "win") + ", " + counted(score.ties, "tie") + " and " +
               (score.losses == 1 ? "1 loss" : count(score.losses) + " losses");
    };
    std::string text = "Gap by gap, alignment has " + told(rejection_score(gaps)) + " in rejections";
    if (has_precision(study)) {
        const GapScore score = precision_score(gaps);
        const std::size_t compared = score.wins + score.ties + score.losses;
        text += ", " + told(score) + " in precision";
        if (compared < gaps.size())
            text += " (" + counted(compared, "gap") + " compared: a test that rejects no pair has no precision)";
    }
    const double none = all.rejected[0].value, householder = all.rejected[1].value;
    if (none > 0)
        text += "; over all gaps it changes the rejection rate by " + fixed(100 * (householder - none) / none, 1) + "%";
    if (paper_has(study.main))
        text += " (the paper: 3 wins, 6 ties and 1 loss in both; -32.5% at gap 10, -6.1% over its ten gaps)";
    return text + ".";
}

std::string absent_sentence(const Experiment& study) {
    if (study.absent.empty()) return "";
    std::vector<std::pair<std::string, std::vector<std::string>>> by_reason;  // in the order of the words
    for (const AbsentWord& word : study.absent) {
        auto group = std::ranges::find(by_reason, word.reason, [](const auto& each) { return each.first; });
        if (group == by_reason.end()) group = by_reason.insert(by_reason.end(), {word.reason, {}});
        group->second.push_back(word.word);
    }
    std::string text;
    for (auto& [reason, words] : by_reason) {
        constexpr std::size_t most = 8;
        const std::size_t more = words.size() - std::min(words.size(), most);
        words.resize(words.size() - more);
        text += (text.empty() ? "Not in this study: " : "; ") + base::joined(words, ", ") +
                (more > 0 ? " and " + count(more) + " more (" : " (") + reason + ")";
    }
    text += ".";
    // The store says that a word is several tokens, or that none of these is in it.
    const auto may_be_several = [](const AbsentWord& word) {
        return word.reason.find("several tokens") != std::string::npos;
    };
    if (study.options.words.empty() && std::ranges::any_of(study.absent, may_be_several))
        text += " Under an uncased BERT, 19 of the paper's 25 words are several tokens: extract with " +
                std::string(option_for_subwords) + " to have them.";
    return text;
}

namespace {

// A store of imported vectors has no model.
std::string corpus_and_model(const std::string& store, const std::string& model) {
    return model.empty() ? store : store + " / " + model_name(model);
}

}  // namespace

Table additional_table(const std::vector<Experiment>& studies) {
    const auto of_method = [](const GapRates& rates, std::size_t k) {
        return k < rates.rejected.size() ? Value(rates.rejected[k]) : Value();
    };
    std::vector<Cells> rows;
    const std::vector<std::string> names = store_names(studies);
    for (std::size_t i = 0; i < studies.size(); ++i)
        for (const GapRates& rates : rates_by_gap(studies[i].additional))
            rows.push_back({corpus_and_model(names[i], studies[i].model), rates.gap, rates.pairs, rates.rejected[0],
                            rates.rejected[1], of_method(rates, 2), of_method(rates, 3),
                            studies[i].additional.has_blocks() ? Value(rates.rejected[4]) : Value(),
                            paper::reading(rates.gap), our_reading});
    for (const paper::Additional& papers : paper::additional) {
        if (!paper_has_additional(studies)) break;
        rows.push_back({"paper: " + std::string(papers.corpus),
                        papers.gap,
                        std::size_t{500},
                        papers.baseline,
                        papers.proposed,
                        {},
                        {},
                        {},
                        paper::reading(papers.gap),
                        our_reading});
    }
    const bool blocks =
        std::ranges::any_of(studies, [](const Experiment& each) { return each.additional.has_blocks(); });
    const ExperimentOptions& options = studies.front().options;
    return table_of("additional",
                    "Rejection rates at wide gaps, alpha " + shortest(options.additional_alpha) + ", " +
                        count(options.additional_permutations) + " permutations, a seed for every test.",
                    {{"corpus", "corpus / model", look::note},
                     {"gap", "gap"},
                     {"pairs", "pairs"},
                     {"none", "none", look::rate},
                     {"householder", "householder", look::rate},
                     {"none_robust", "none, robust", look::rate},
                     {"householder_robust", "householder, robust", look::rate},
                     {"householder_blocks", blocks ? "householder, blocks" : "", look::rate},
                     {"paper_reading", "the paper reads it as", look::note, "", in::page | in::programs},
                     {"our_reading", "we read it as", look::note,
                      "their breadths are not known to be equal or different", in::page | in::programs}},
                    std::move(rows));
}

Table additional_pairs_table(const std::vector<Experiment>& studies) {
    struct Row {
        std::string store;
        const TestedPair* pair;
    };
    std::vector<Row> rows;
    std::vector<Method> all;
    const std::vector<std::string> names = store_names(studies);
    for (std::size_t i = 0; i < studies.size(); ++i) {
        const GapTests& tests = studies[i].additional;
        if (tests.methods.size() > all.size()) all = tests.methods;
        for (const TestedPair& pair : tests.pairs) rows.push_back({names[i], &pair});
    }
    Columns<Row> columns = pair_columns<Row>([](const Row& row) -> const TestedPair& { return *row.pair; });
    columns.insert(columns.begin(), {"store", "store", look::note, [](const Row& row) { return row.store; }});
    for (std::size_t k = 0; k < all.size(); ++k)
        columns.push_back({"p_" + key_of(all[k]), "p, " + name_of(all[k]), look::p,
                           [k](const Row& row) { return k < row.pair->p.size() ? Value(row.pair->p[k]) : Value(); }});
    return table_of("additional_pairs", "Every pair of the additional experiment.", std::move(rows),
                    std::move(columns));
}

Table split_half_table(const Experiment& study) {
    const SplitHalf& halves = study.split_half;
    std::vector<Cells> rows;
    for (std::size_t i = 0; i < std::min(study.options.sanity_words, halves.words.size()); ++i)
        rows.push_back({halves.words[i], halves.totals[i], halves.greater[0][i], halves.greater[1][i],
                        halves.two_sided[0][i], halves.two_sided[1][i]});
    return table_of("split_half",
                    "p of the two halves of a word's occurrences (" + rows_of_halves(halves) +
                        ") tested against each other, for words at random.",
                    split_half_columns(), std::move(rows));
}

Table split_half_words_table(const Experiment& study) {
    const SplitHalf& halves = study.split_half;
    std::vector<Cells> rows;
    for (const std::string& word : study.words_asked) {
        const auto* const papers = std::ranges::find(paper::halves, word, &paper::Halves::word);
        const bool in_paper = papers != std::end(paper::halves);
        const auto found = std::ranges::find(halves.words, word);
        const auto i = static_cast<std::size_t>(found - halves.words.begin());
        const bool is_here = found != halves.words.end();
        const auto p = [&](const PerMethod<std::vector<double>>& all, std::size_t k) {
            return is_here ? Value(all[k][i]) : Value();
        };
        const auto of_paper = [&](double paper::Halves::*member) {
            return in_paper ? Value(papers->*member) : Value();
        };
        rows.push_back({word, is_here ? Value(halves.totals[i]) : Value(), p(halves.greater, 0), p(halves.greater, 1),
                        p(halves.two_sided, 0), p(halves.two_sided, 1), in_paper ? Value(papers->total) : Value(),
                        of_paper(&paper::Halves::baseline_greater), of_paper(&paper::Halves::proposed_greater),
                        of_paper(&paper::Halves::baseline_two_sided), of_paper(&paper::Halves::proposed_two_sided)});
    }
    std::vector<Column> columns = split_half_columns();
    for (const Column& column : split_half_columns())
        if (column.key != "word")
            columns.push_back({"paper_" + column.key, "paper, " + column.heading, column.look, ""});
    return table_of("split_half_words",
                    "p of the two halves of a word's occurrences (" + rows_of_halves(halves) +
                        ") tested against each other, for " + whose_words(study) +
                        ", beside the paper's. Which rows are in which half depends on the seed.",
                    std::move(columns), std::move(rows));
}

Table papers_split_half_table() {
    std::vector<Cells> rows;
    for (const paper::Halves& word : paper::halves)
        rows.push_back({word.word, word.total, word.baseline_greater, word.proposed_greater, word.baseline_two_sided,
                        word.proposed_two_sided});
    return table_of("split_half_paper", "p of the two halves of a word's occurrences in the paper.",
                    split_half_columns(), std::move(rows));
}

Table uniformity_table(const Experiment& study) {
    const SplitHalf& halves = study.split_half;
    std::vector<Cells> rows;
    const auto add = [&](const char* side, const auto& uniformity, const auto& p) {
        for (std::size_t k = 0; k < halves.tested; ++k)
            rows.push_back({name_of(methods[k]), side, uniformity[k].n, uniformity[k].distance, uniformity[k].p,
                            rejection_rate(p[k], 0.01), rejection_rate(p[k], 0.05), rejection_rate(p[k], 0.10)});
    };
    add("greater", halves.greater_uniformity, halves.greater);
    add("two-sided", halves.two_sided_uniformity, halves.two_sided);
    return table_of("uniformity",
                    "Over all words: are the p-values of split halves uniform, as they have to be? The last columns "
                    "are false positive rates.",
                    {{"method", "method", look::note},
                     {"alternative", "alternative", look::note},
                     {"words", "words"},
                     {"ks_distance", "KS distance", look::decimals(3),
                      "largest distance between their distribution and the uniform one"},
                     {"ks_p", "KS p", look::p, "small: not uniform"},
                     {"rate_01", "p <= 0.01", look::rate},
                     {"rate_05", "p <= 0.05", look::rate},
                     {"rate_10", "p <= 0.10", look::rate}},
                    std::move(rows));
}

Table runtime_table(const Experiment& study) {
    const DeviceTimes& times = study.times;
    const auto permutations = static_cast<double>(times.permutations);
    std::vector<Cells> rows;
    for (const DeviceTime& device : times.devices)
        rows.push_back({device.label, 1e6 * device.seconds / permutations, 1e3 * device.seconds,
                        1e3 * device.seconds_each, device.unavailable_because});
    for (const paper::Time& papers : paper::times)
        rows.push_back({"paper: " + std::string(papers.device),
                        1e3 * papers.milliseconds_each,
                        papers.milliseconds,
                        {},
                        "BCCWJ, BERT-large"});
    return table_of("runtime",
                    "Time of a test with " + count(times.permutations) + " permutations; " + count(times.n) + " and " +
                        count(times.m) + " rows of " + count(times.d) + " dimensions, " +
                        counted(times.threads, "thread") + ". The paper's are of other machines and clouds.",
                    {{"implementation", "implementation", look::note},
                     {"us_per_permutation", "per permutation, µs", look::digits(3), "of one test"},
                     {"ms_total", "one test, ms", look::digits(3)},
                     {"ms_each", "one of many, ms", look::digits(3), "all pairs of a gap in one call"},
                     {"note", "note", look::note}},
                    std::move(rows));
}

Table words_table(const Experiment& study) {
    std::vector<Cells> rows;
    for (const WordExample& word : study.words.words) {
        const auto* const papers = std::ranges::find(paper::words, word.word, &paper::Word::word);
        const bool in_paper = papers != std::end(paper::words), in_store = word.rank > 0;
        rows.push_back({word.word, in_store ? word.rank : Value(), in_store ? word.v : Value(), word.senses,
                        in_store ? word.frequency : Value(), in_paper ? papers->v : Value(),
                        in_paper ? papers->senses : Value()});
    }
    return table_of("words", "Breadth and WordNet senses: " + whose_words(study) + ", and both ends of the ranking.",
                    {{"word", "word", look::subject},
                     {"rank", "rank", look::count, "by breadth"},
                     {"v", "v", look::digits(4), "breadth"},
                     {"senses", "WordNet senses", look::count, "synsets of all parts of speech"},
                     {"frequency", "frequency"},
                     {"paper_v", "paper, v", look::digits(3)},
                     {"paper_senses", "paper, senses"}},
                    std::move(rows));
}

Changes changes_of(const GapTests& tests) {
    Changes changes;
    for (const TestedPair& pair : tests.pairs) {
        const bool none = pair.p[0] <= tests.alpha, householder = pair.p[1] <= tests.alpha;
        changes.both += none && householder;
        if (none && !householder) changes.none_only.push_back(&pair);
        if (householder && !none) changes.householder_only.push_back(&pair);
    }
    return changes;
}

namespace {

struct ChangedRow {
    std::string store;
    const char* verdict;
    const TestedPair* pair;
};

// How many times larger p is without alignment than with it, or the other way round.
double change_of(const ChangedRow& row) {
    const double times = row.pair->p[1] / row.pair->p[0];
    return std::max(times, 1 / times);
}

void add_changes(std::vector<ChangedRow>& rows, const std::string& store, const GapTests& tests) {
    const Changes changes = changes_of(tests);
    for (const TestedPair* pair : changes.none_only) rows.push_back({store, "none only", pair});
    for (const TestedPair* pair : changes.householder_only) rows.push_back({store, "householder only", pair});
}

Table changed_table_of(const std::string& name, const std::string& caption, std::vector<ChangedRow> rows,
                       bool with_store) {
    using Row = ChangedRow;
    std::ranges::stable_sort(rows, std::greater<>{}, change_of);
    Columns<Row> columns = pair_columns<Row>([](const Row& row) -> const TestedPair& { return *row.pair; });
    for (ColumnOf<Row>& column : columns)
        if (column.look.is_text())
            column.look = look::subject;  // the points of the picture find their row by the words
    columns.insert(columns.end(),
                   {{"store", "store", look::note, [](const Row& row) { return row.store; }},
                    {"verdict", "rejected by", look::note, [](const Row& row) { return row.verdict; }},
                    {"p_none", "p, none", look::p, [](const Row& row) { return row.pair->p[0]; }},
                    {"p_householder", "p, householder", look::p, [](const Row& row) { return row.pair->p[1]; }}});
    std::vector<std::string> keys = {"verdict",       "x",        "y",       "gap", "v_x", "v_y", "p_none",
                                     "p_householder", "senses_x", "senses_y"};
    if (with_store) keys.insert(keys.begin(), "store");
    return part_of(table_of(name, caption, std::move(rows), std::move(columns)), keys, caption);
}

}  // namespace

Table changed_table(const Experiment& study) {
    std::vector<ChangedRow> rows;
    add_changes(rows, study.store, study.main);
    return changed_table_of("changed", "Pairs of the main experiment whose verdict alignment changes.", std::move(rows),
                            false);
}

Table additional_changed_table(const std::vector<Experiment>& studies) {
    std::vector<ChangedRow> rows;
    const std::vector<std::string> names = store_names(studies);
    for (std::size_t i = 0; i < studies.size(); ++i) {
        const GapTests& tests = studies[i].additional;
        add_changes(rows, names[i], tests);
        for (const TestedPair& pair : tests.pairs)
            if (pair.p[0] <= tests.alpha && pair.p[1] <= tests.alpha) rows.push_back({names[i], "both", &pair});
    }
    return changed_table_of("additional_changed",
                            "Pairs of the additional experiment that are rejected: by one of the two tests only, or by "
                            "both.",
                            std::move(rows), true);
}

Table law_table(const Experiment& study) {
    std::vector<Cells> rows;
    for (std::size_t i = 0; i < study.law.bins.size(); ++i) {
        const FrequencyBin& bin = study.law.bins[i];
        rows.push_back({i + 1, bin.words, bin.most_frequent, bin.frequency, bin.v, bin.known, bin.senses});
    }
    return table_of("frequency_law",
                    "Words in bins of " + count(study.law.bin_size) + " by frequency: geometric means.",
                    {{"bin", "bin"},
                     {"words", "words"},
                     {"from", "from", look::note, "its most frequent word"},
                     {"frequency", "frequency", look::digits(4)},
                     {"v", "v", look::digits(4)},
                     {"known", "in WordNet", look::count, "words that it has"},
                     {"senses", "senses", look::decimals(2), "mean number of WordNet senses of these"}},
                    std::move(rows));
}

Table plane_table(const Experiment& study) {
    const TellingPair& pair = study.pair;
    std::vector<Cells> rows;
    for (std::size_t i = 0; i < pair.before.size(); ++i) {
        const bool is_x = i < pair.rows_x.size();
        rows.push_back({is_x ? pair.x : pair.y, is_x ? pair.rows_x[i] : pair.rows_y[i - pair.rows_x.size()],
                        pair.before[i].x, pair.before[i].y, pair.after[i].x, pair.after[i].y});
    }
    return table_of("tsne", "Occurrences on a plane, before and after alignment.",
                    {{"word", "word", look::note},
                     {"row", "row", look::count, "in the store"},
                     {"before_x", "x before", look::digits(4)},
                     {"before_y", "y before", look::digits(4)},
                     {"after_x", "x after", look::digits(4)},
                     {"after_y", "y after", look::digits(4)}},
                    std::move(rows));
}

}  // namespace wordbreadth::report
