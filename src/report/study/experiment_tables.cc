#include "report/study/experiment_tables.h"

#include <algorithm>
#include <cmath>

#include "report/number.h"
#include "report/study/method_names.h"
#include "report/study/paper_figures.h"

namespace wordbreadth::report {
namespace {

using Form = StudyColumn::Form;

std::uint64_t whole(std::size_t value) {
    return value;
}

StudyValue papers(const PapersGap* paper, double PapersGap::*member) {
    if (paper == nullptr) return StudyValue{};
    return paper->*member;
}

void add_method_rows(StudyTable& table, const GapTests& tests) {
    for (const GapRates& rates : rates_by_gap(tests))
        for (std::size_t k = 0; k < methods.size(); ++k)
            table.rows.push_back({std::string(tests.cross_fitted ? "cross-fitted" : "same rows"), whole(rates.gap),
                                  name_of(methods[k]), whole(tests.rows), whole(rates.rejected[k].trials),
                                  rates.rejected[k], rates.precision[k]});
}

void add_pair_rows(StudyTable& table, const GapTests& tests) {
    for (const TestedPair& pair : tests.pairs)
        table.rows.push_back({std::string(tests.cross_fitted ? "cross-fitted" : "same rows"), whole(pair.gap), pair.x,
                              pair.y, pair.v_x, pair.v_y, whole(pair.senses_x), whole(pair.senses_y), pair.p[0],
                              pair.p[1], pair.p[2], pair.p[3]});
}

void add_changed(StudyTable& table, const std::vector<const TestedPair*>& pairs, const std::string& verdict) {
    for (const TestedPair* pair : pairs)
        table.rows.push_back({verdict, pair->x, pair->y, whole(pair->gap), pair->v_x, pair->v_y, pair->p[0], pair->p[1],
                              whole(pair->senses_x), whole(pair->senses_y)});
}

void add_uniformity(StudyTable& table, const PerMethod<Uniformity>& found, const PerMethod<std::vector<double>>& p,
                    const std::string& side) {
    for (std::size_t k = 0; k < methods.size(); ++k)
        table.rows.push_back({name_of(methods[k]), side, whole(found[k].n), found[k].distance, found[k].p,
                              rejection_rate(p[k], 0.01), rejection_rate(p[k], 0.05), rejection_rate(p[k], 0.10)});
}

StudyTable split_half_outline(const std::string& name, const std::string& caption) {
    return {name,
            caption,
            {{"word", "word"},
             {"total", "total", "rows in the store"},
             {"none_greater", "none, greater", "", Form::fixed, 4},
             {"householder_greater", "householder, greater", "", Form::fixed, 4},
             {"none_two_sided", "none, two-sided", "", Form::fixed, 4},
             {"householder_two_sided", "householder, two-sided", "", Form::fixed, 4}}};
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

StudyTable main_table(const Experiment& study) {
    const auto caption = [&](const std::string& what) {
        return what + " of pairs that are some ranks of breadth apart, at alpha " + shortest(study.main.alpha) +
               ", beside the paper's (BNC, ModernBERT).";
    };
    StudyTable table{"main",
                     caption("Rejection rates and precision"),
                     {{"gap", "gap", "ranks between the two words"},
                      {"pairs", "pairs"},
                      {"rejected_none", "rejected, none", "share of pairs with p at or below alpha; 95% interval"},
                      {"rejected_householder", "rejected, householder"},
                      {"paper_rejected_none", "paper, none"},
                      {"paper_rejected_householder", "paper, householder"},
                      {"precision_none", "precision, none", "of the rejected pairs, those with unlike synset counts"},
                      {"precision_householder", "precision, householder"},
                      {"paper_precision_none", "paper, none"},
                      {"paper_precision_householder", "paper, householder"},
                      {"differing", "all pairs", "of all pairs, those with unlike synset counts: blind precision"}}};
    for (const GapRates& rates : rates_by_gap(study.main)) {
        const PapersGap* const paper = papers_gap(rates.gap);
        table.rows.push_back({whole(rates.gap), whole(rates.pairs), rates.rejected[0], rates.rejected[1],
                              papers(paper, &PapersGap::baseline), papers(paper, &PapersGap::proposed),
                              rates.precision[0], rates.precision[1], papers(paper, &PapersGap::baseline_precision),
                              papers(paper, &PapersGap::proposed_precision), rates.differing});
    }
    if (has_precision(study)) return table;
    return part_of(
        table,
        {"gap", "pairs", "rejected_none", "rejected_householder", "paper_rejected_none", "paper_rejected_householder"},
        caption("Rejection rates"));
}

StudyTable rejection_table(const GapTests& tests) {
    StudyTable table{tests.cross_fitted ? "cross_fitted" : "rejected",
                     "Rejection rates of every method at alpha " + shortest(tests.alpha) + ", " + count(tests.rows) +
                         " rows of each word.",
                     {{"gap", "gap"}, {"pairs", "pairs"}}};
    for (const Method& method : methods) table.columns.push_back({key_of(method), name_of(method)});
    for (const GapRates& rates : rates_by_gap(tests))
        table.rows.push_back({whole(rates.gap), whole(rates.pairs), rates.rejected[0], rates.rejected[1],
                              rates.rejected[2], rates.rejected[3]});
    return table;
}

StudyTable methods_table(const Experiment& study) {
    StudyTable table{"methods",
                     "The same for every method. Cross-fitted: words are ranked on one half of their rows and tested "
                     "on the other, so that the choice of a pair and its test share no data.",
                     {{"fit", "ranked and tested on"},
                      {"gap", "gap"},
                      {"method", "method"},
                      {"rows", "rows"},
                      {"pairs", "pairs"},
                      {"rejected", "rejected"},
                      {"precision", "precision"}}};
    add_method_rows(table, study.main);
    add_method_rows(table, study.cross_fitted);
    if (has_precision(study)) return table;
    return part_of(table, {"fit", "gap", "method", "rows", "pairs", "rejected"}, table.caption);
}

StudyTable pairs_table(const Experiment& study) {
    StudyTable table{"pairs",
                     "Every pair of the main experiment.",
                     {{"fit", "ranked and tested on"},
                      {"gap", "gap"},
                      {"x", "X"},
                      {"y", "Y"},
                      {"v_x", "v of X", "", Form::significant, 4},
                      {"v_y", "v of Y", "", Form::significant, 4},
                      {"senses_x", "senses of X"},
                      {"senses_y", "senses of Y"}}};
    for (const Method& method : methods)
        table.columns.push_back({"p_" + key_of(method), "p, " + name_of(method), "", Form::p});
    add_pair_rows(table, study.main);
    add_pair_rows(table, study.cross_fitted);
    return table;
}

StudyTable additional_table(const Experiment& study) {
    StudyTable table{"additional",
                     "Rejection rates at wide gaps, alpha " + shortest(study.options.additional_alpha) + ", " +
                         count(study.options.additional_permutations) + " permutations, a seed for every test.",
                     {{"corpus", "corpus / model"},
                      {"gap", "gap"},
                      {"pairs", "pairs"},
                      {"none", "none"},
                      {"householder", "householder"},
                      {"none_robust", "none, robust"},
                      {"householder_robust", "householder, robust"}}};
    for (const AdditionalTests& each : study.additional)
        for (const GapRates& rates : rates_by_gap(each.tests))
            table.rows.push_back({short_path(each.store) + " / " + model_name(each.model), whole(rates.gap),
                                  whole(rates.pairs), rates.rejected[0], rates.rejected[1], rates.rejected[2],
                                  rates.rejected[3]});
    for (const PapersAdditional& paper : papers_additional())
        table.rows.push_back({"paper: " + std::string(paper.corpus), whole(paper.gap), whole(500), paper.baseline,
                              paper.proposed, StudyValue{}, StudyValue{}});
    return table;
}

StudyTable split_half_table(const Experiment& study) {
    const SplitHalf& halves = study.split_half;
    StudyTable table = split_half_outline("split_half", "p of the two halves of a word's occurrences (" +
                                                            count(halves.n) + " and " + count(halves.m) +
                                                            " rows) tested against each other, for words at random.");
    for (std::size_t i = 0; i < std::min(study.options.sanity_words, halves.words.size()); ++i)
        table.rows.push_back({halves.words[i], halves.totals[i], halves.greater[0][i], halves.greater[1][i],
                              halves.two_sided[0][i], halves.two_sided[1][i]});
    return table;
}

StudyTable papers_split_half_table() {
    StudyTable table = split_half_outline("split_half_paper", "The paper's own.");
    for (const PapersHalves& word : papers_halves())
        table.rows.push_back({std::string(word.word), word.total, word.baseline_greater, word.proposed_greater,
                              word.baseline_two_sided, word.proposed_two_sided});
    return table;
}

StudyTable uniformity_table(const Experiment& study) {
    StudyTable table{"uniformity",
                     "Over all words: are the p-values of split halves uniform, as they have to be? The last columns "
                     "are false positive rates.",
                     {{"method", "method"},
                      {"alternative", "alternative"},
                      {"words", "words"},
                      {"ks_distance", "KS distance", "largest distance between their distribution and the uniform one"},
                      {"ks_p", "KS p", "small: not uniform", Form::p},
                      {"rate_01", "p <= 0.01"},
                      {"rate_05", "p <= 0.05"},
                      {"rate_10", "p <= 0.10"}}};
    add_uniformity(table, study.split_half.greater_uniformity, study.split_half.greater, "greater");
    add_uniformity(table, study.split_half.two_sided_uniformity, study.split_half.two_sided, "two-sided");
    return table;
}

StudyTable runtime_table(const Experiment& study) {
    const DeviceTimes& times = study.times;
    const auto permutations = static_cast<double>(times.permutations);
    StudyTable table{"runtime",
                     "Time of a test with " + count(times.permutations) + " permutations; " + count(times.n) + " and " +
                         count(times.m) + " rows of " + count(times.d) + " dimensions, " + count(times.threads) +
                         " threads. The paper's are of other machines and clouds.",
                     {{"implementation", "implementation"},
                      {"us_per_permutation", "per permutation, µs", "of one test", Form::significant},
                      {"ms_total", "one test, ms", "", Form::significant},
                      {"ms_each", "one of many, ms", "all pairs of a gap in one call", Form::significant},
                      {"note", "note"}}};
    for (const DeviceTime& device : times.devices)
        table.rows.push_back({device.label, 1e6 * device.seconds / permutations, 1e3 * device.seconds,
                              1e3 * device.seconds_each, device.unavailable_because});
    for (const PapersTime& paper : papers_times())
        table.rows.push_back({"paper: " + std::string(paper.device), 1e3 * paper.milliseconds_each, paper.milliseconds,
                              StudyValue{}, std::string("BCCWJ, BERT-large")});
    return table;
}

StudyTable words_table(const Experiment& study) {
    StudyTable table{"words",
                     "Breadth and WordNet senses: the paper's words, and both ends of the ranking.",
                     {{"word", "word"},
                      {"rank", "rank", "by breadth"},
                      {"v", "v", "breadth", Form::significant, 4},
                      {"senses", "WordNet senses", "synsets of all parts of speech"},
                      {"frequency", "frequency"},
                      {"paper_v", "paper, v", "", Form::significant, 3},
                      {"paper_senses", "paper, senses"}}};
    for (const WordExample& word : study.words.words) {
        std::vector<StudyValue> row{word.word, {}, {}, whole(word.senses), {}, {}, {}};
        if (word.rank > 0) {
            row[1] = whole(word.rank);
            row[2] = word.v;
            row[4] = word.frequency;
        }
        const auto paper = papers_word_table();
        const auto found = std::ranges::find(paper, word.word, &PapersWord::word);
        if (found != paper.end()) {
            row[5] = found->v;
            row[6] = whole(found->senses);
        }
        table.rows.push_back(std::move(row));
    }
    return table;
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

StudyTable changed_table(const Experiment& study) {
    StudyTable table{"changed",
                     "Pairs of the main experiment whose verdict alignment changes.",
                     {{"verdict", "rejected by"},
                      {"x", "X"},
                      {"y", "Y"},
                      {"gap", "gap"},
                      {"v_x", "v of X", "", Form::significant, 4},
                      {"v_y", "v of Y", "", Form::significant, 4},
                      {"p_none", "p, none", "", Form::p},
                      {"p_householder", "p, householder", "", Form::p},
                      {"senses_x", "senses of X"},
                      {"senses_y", "senses of Y"}}};
    const Changes changes = changes_of(study.main);
    add_changed(table, changes.none_only, "none only");
    add_changed(table, changes.householder_only, "householder only");
    return table;
}

StudyTable law_table(const Experiment& study) {
    StudyTable table{"frequency_law",
                     "Words in bins of " + count(study.law.bin_size) + " by frequency: geometric means.",
                     {{"bin", "bin"},
                      {"words", "words"},
                      {"from", "from", "its most frequent word"},
                      {"frequency", "frequency", "", Form::significant, 4},
                      {"v", "v", "", Form::significant, 4}}};
    for (std::size_t i = 0; i < study.law.bins.size(); ++i) {
        const FrequencyBin& bin = study.law.bins[i];
        table.rows.push_back(
            {whole(i + 1), whole(bin.words), bin.most_frequent, std::exp(bin.log_frequency), std::exp(bin.log_v)});
    }
    return table;
}

StudyTable plane_table(const Experiment& study) {
    const TellingPair& pair = study.pair;
    StudyTable table{"tsne",
                     "Occurrences on a plane, before and after alignment.",
                     {{"word", "word"},
                      {"row", "row", "in the store"},
                      {"before_x", "x before", "", Form::significant, 4},
                      {"before_y", "y before", "", Form::significant, 4},
                      {"after_x", "x after", "", Form::significant, 4},
                      {"after_y", "y after", "", Form::significant, 4}}};
    for (std::size_t i = 0; i < pair.before.size(); ++i) {
        const bool is_x = i < pair.rows_x.size();
        const std::size_t row = is_x ? pair.rows_x[i] : pair.rows_y[i - pair.rows_x.size()];
        table.rows.push_back(
            {is_x ? pair.x : pair.y, whole(row), pair.before[i].x, pair.before[i].y, pair.after[i].x, pair.after[i].y});
    }
    return table;
}

}  // namespace wordbreadth::report
