// The tables of the paper's study.
#include <cmath>

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

std::vector<Column> split_half_columns() {
    return {{"word", "word", look::note},
            {"total", "total", look::count, "rows in the store"},
            {"none_greater", "none, greater", look::decimals(4)},
            {"householder_greater", "householder, greater", look::decimals(4)},
            {"none_two_sided", "none, two-sided", look::decimals(4)},
            {"householder_two_sided", "householder, two-sided", look::decimals(4)}};
}

}  // namespace

std::string short_path(const std::string& path) {
    const std::size_t end = path.find_last_not_of('/');
    if (end == std::string::npos) return path;
    const std::size_t slash = path.find_last_of('/', end);
    return path.substr(slash == std::string::npos ? 0 : slash + 1, slash == std::string::npos ? end + 1 : end - slash);
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

std::string precision_note(const Experiment& study) {
    if (has_precision(study)) return "";
    return "No precision: WordNet has " + count(study.words.known) + " of the " + count(study.ranking.words.size()) +
           " words, fewer than half. Precision compares numbers of senses, and WordNet is English.";
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
        {"precision_none", "precision, none", look::rate, "of the rejected pairs, those with unlike synset counts"},
        {"precision_householder", "precision, householder", look::rate},
        {"paper_precision_none", "paper, none", look::decimals(3)},
        {"paper_precision_householder", "paper, householder", look::decimals(3)},
        {"differing", "all pairs", look::rate, "of all pairs, those with unlike synset counts: blind precision"}};
    if (!precision) columns.resize(6);
    const std::size_t of_rows = columns.size(), blocks = study.main.methods.size() - 1;
    if (study.main.has_blocks())
        columns.push_back({"rejected_blocks", "rejected, blocks", look::rate,
                           "householder, documents permuted instead of occurrences"});
    std::vector<Cells> rows;
    for (const GapRates& rates : rates_by_gap(study.main)) {
        const PapersGap* const found = papers_gap(rates.gap);
        const auto paper = [&](double PapersGap::*member) {
            return found == nullptr ? Value() : Value(found->*member);
        };
        rows.push_back({rates.gap, rates.pairs, rates.rejected[0], rates.rejected[1], paper(&PapersGap::baseline),
                        paper(&PapersGap::proposed), rates.precision[0], rates.precision[1],
                        paper(&PapersGap::baseline_precision), paper(&PapersGap::proposed_precision), rates.differing});
        rows.back().resize(of_rows);
        if (study.main.has_blocks()) rows.back().push_back(rates.rejected[blocks]);
    }
    const std::string what = precision ? "Rejection rates and precision" : "Rejection rates";
    return table_of("main",
                    what + " of pairs that are some ranks of breadth apart, at alpha " + shortest(study.main.alpha) +
                        ", beside the paper's (BNC, ModernBERT).",
                    std::move(columns), std::move(rows));
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
                    "The same for every method. Cross-fitted: words are ranked on one half of their rows and tested "
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

Table additional_table(const Experiment& study) {
    std::vector<Cells> rows;
    for (const AdditionalTests& each : study.additional)
        for (const GapRates& rates : rates_by_gap(each.tests))
            rows.push_back({short_path(each.store) + " / " + model_name(each.model), rates.gap, rates.pairs,
                            rates.rejected[0], rates.rejected[1], rates.rejected[2], rates.rejected[3],
                            each.tests.has_blocks() ? rates.rejected[4] : Value()});
    for (const PapersAdditional& paper : papers_additional)
        rows.push_back({"paper: " + std::string(paper.corpus),
                        paper.gap,
                        std::size_t{500},
                        paper.baseline,
                        paper.proposed,
                        {},
                        {},
                        {}});
    const bool blocks =
        std::ranges::any_of(study.additional, [](const AdditionalTests& each) { return each.tests.has_blocks(); });
    return table_of("additional",
                    "Rejection rates at wide gaps, alpha " + shortest(study.options.additional_alpha) + ", " +
                        count(study.options.additional_permutations) + " permutations, a seed for every test.",
                    {{"corpus", "corpus / model", look::note},
                     {"gap", "gap"},
                     {"pairs", "pairs"},
                     {"none", "none", look::rate},
                     {"householder", "householder", look::rate},
                     {"none_robust", "none, robust", look::rate},
                     {"householder_robust", "householder, robust", look::rate},
                     {"householder_blocks", blocks ? "householder, blocks" : "", look::rate}},
                    std::move(rows));
}

Table split_half_table(const Experiment& study) {
    const SplitHalf& halves = study.split_half;
    std::vector<Cells> rows;
    for (std::size_t i = 0; i < std::min(study.options.sanity_words, halves.words.size()); ++i)
        rows.push_back({halves.words[i], halves.totals[i], halves.greater[0][i], halves.greater[1][i],
                        halves.two_sided[0][i], halves.two_sided[1][i]});
    return table_of("split_half",
                    "p of the two halves of a word's occurrences (" + count(halves.n) + " and " + count(halves.m) +
                        " rows) tested against each other, for words at random.",
                    split_half_columns(), std::move(rows));
}

Table papers_split_half_table() {
    std::vector<Cells> rows;
    for (const PapersHalves& word : papers_halves)
        rows.push_back({word.word, word.total, word.baseline_greater, word.proposed_greater, word.baseline_two_sided,
                        word.proposed_two_sided});
    return table_of("split_half_paper", "The paper's own.", split_half_columns(), std::move(rows));
}

Table uniformity_table(const Experiment& study) {
    const SplitHalf& halves = study.split_half;
    std::vector<Cells> rows;
    const auto add = [&](const char* side, const auto& uniformity, const auto& p) {
        for (std::size_t k = 0; k < methods.size(); ++k)
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
    for (const PapersTime& paper : papers_times)
        rows.push_back({"paper: " + std::string(paper.device),
                        1e3 * paper.milliseconds_each,
                        paper.milliseconds,
                        {},
                        "BCCWJ, BERT-large"});
    return table_of("runtime",
                    "Time of a test with " + count(times.permutations) + " permutations; " + count(times.n) + " and " +
                        count(times.m) + " rows of " + count(times.d) + " dimensions, " + count(times.threads) +
                        " threads. The paper's are of other machines and clouds.",
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
        const auto* const paper = std::ranges::find(papers_word_table, word.word, &PapersWord::word);
        const bool in_paper = paper != std::end(papers_word_table), in_store = word.rank > 0;
        rows.push_back({word.word, in_store ? word.rank : Value(), in_store ? word.v : Value(), word.senses,
                        in_store ? word.frequency : Value(), in_paper ? paper->v : Value(),
                        in_paper ? paper->senses : Value()});
    }
    return table_of("words", "Breadth and WordNet senses: the paper's words, and both ends of the ranking.",
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
    const auto by_ratio = [](const TestedPair* a, const TestedPair* b) {
        return a->p[1] * b->p[0] > b->p[1] * a->p[0];  // p[1] / p[0]
    };
    std::ranges::stable_sort(changes.none_only, by_ratio);
    std::ranges::stable_sort(changes.householder_only, [&](auto* a, auto* b) { return by_ratio(b, a); });
    return changes;
}

Table changed_table(const Experiment& study) {
    struct Row {
        const char* verdict;
        const TestedPair* pair;
    };
    const Changes changes = changes_of(study.main);
    std::vector<Row> rows;
    for (const TestedPair* pair : changes.none_only) rows.push_back({"none only", pair});
    for (const TestedPair* pair : changes.householder_only) rows.push_back({"householder only", pair});
    Columns<Row> columns = pair_columns<Row>([](const Row& row) -> const TestedPair& { return *row.pair; });
    for (ColumnOf<Row>& column : columns)
        if (column.look.is_text())
            column.look = look::subject;  // the points of the picture find their row by the words
    columns.insert(columns.end(),
                   {{"verdict", "rejected by", look::note, [](const Row& row) { return row.verdict; }},
                    {"p_none", "p, none", look::p, [](const Row& row) { return row.pair->p[0]; }},
                    {"p_householder", "p, householder", look::p, [](const Row& row) { return row.pair->p[1]; }}});
    const std::string caption = "Pairs of the main experiment whose verdict alignment changes.";
    return part_of(table_of("changed", caption, std::move(rows), std::move(columns)),
                   {"verdict", "x", "y", "gap", "v_x", "v_y", "p_none", "p_householder", "senses_x", "senses_y"},
                   caption);
}

Table law_table(const Experiment& study) {
    std::vector<Cells> rows;
    for (std::size_t i = 0; i < study.law.bins.size(); ++i) {
        const FrequencyBin& bin = study.law.bins[i];
        rows.push_back({i + 1, bin.words, bin.most_frequent, std::exp(bin.log_frequency), std::exp(bin.log_v)});
    }
    return table_of("frequency_law",
                    "Words in bins of " + count(study.law.bin_size) + " by frequency: geometric means.",
                    {{"bin", "bin"},
                     {"words", "words"},
                     {"from", "from", look::note, "its most frequent word"},
                     {"frequency", "frequency", look::digits(4)},
                     {"v", "v", look::digits(4)}},
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
