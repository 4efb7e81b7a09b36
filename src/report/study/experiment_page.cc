#include "report/study/experiment_page.h"

#include <algorithm>
#include <cmath>

#include "report/number.h"
#include "report/study/experiment_figures.h"
#include "report/study/experiment_tables.h"
#include "report/study/method_names.h"
#include "report/text.h"

namespace wordbreadth::report {
namespace {

constexpr std::size_t most_changes_shown = 30;

std::string share(const Rate& rate) {
    return rate.trials == 0 ? "-" : fixed(100 * rate.value, 1) + "%";
}

std::string share_with_interval(const Rate& rate) {
    if (rate.trials == 0) return "-";
    return share(rate) + " (" + fixed(100 * rate.low, 1) + " to " + fixed(100 * rate.high, 1) + ")";
}

std::string main_sentence(const GapTests& tests) {
    const GapRates all = rates_of_all(tests);
    return "Over all gaps " + share_with_interval(all.rejected[0]) + " of " + count(all.pairs) +
           " pairs are rejected at " + percent(tests.alpha) + " without alignment, " +
           share_with_interval(all.rejected[1]) + " with it; with the robust statistic " + share(all.rejected[2]) +
           " and " + share(all.rejected[3]) + ".";
}

std::string precision_sentence(const GapTests& tests) {
    const GapRates all = rates_of_all(tests);
    return "Of the rejected pairs " + share_with_interval(all.precision[0]) + " (none) and " +
           share_with_interval(all.precision[1]) +
           " (householder) have unlike numbers of WordNet senses; of all pairs " + share(all.differing) +
           " have. Precision above that would be the test's merit.";
}

Section main_section(const Experiment& study) {
    Section section{"Neighbours in rank", {}};
    const StudyTable main = main_table(study);
    section.blocks = {
        Paragraph{"Words are ranked by breadth, and pairs a few ranks apart are tested. The paper takes their breadths "
                  "as equal and reads the share that is rejected as the rate of false positives."},
        Finding{main_sentence(study.main) + " " + precision_sentence(study.main)},
        Figure{rejection_figure(study.main), "Rejected pairs, with 95% intervals."},
        data_table(part_of(main,
                           {"gap", "pairs", "rejected_none", "rejected_householder", "paper_rejected_none",
                            "paper_rejected_householder"},
                           "Rejection rates, beside the paper's (BNC, ModernBERT).")),
        data_table(rejection_table(study.main)),
        Figure{precision_figure(study.main), "Precision, with 95% intervals."},
        data_table(part_of(main,
                           {"gap", "precision_none", "precision_householder", "paper_precision_none",
                            "paper_precision_householder", "differing"},
                           "Precision, beside the paper's."))};
    return section;
}

Section cross_fit_section(const Experiment& study) {
    Section section{"Ranked on one half, tested on the other", {}};
    section.blocks = {
        Paragraph{
            "Neighbours of a ranking were chosen because their breadths came out alike on these very rows, which "
            "makes their tests reject less often than they should. Ranking on one half of each word's rows and "
            "testing on the other removes that. What is left above alpha need not be error: ranks from half the rows "
            "are rough, and neighbours in them differ in truth."},
        Finding{main_sentence(study.cross_fitted)},
        Figure{rejection_figure(study.cross_fitted), "Rejected pairs, cross-fitted, with 95% intervals."},
        data_table(rejection_table(study.cross_fitted))};
    return section;
}

Section additional_section(const Experiment& study) {
    Section section{"Wide gaps", {}};
    std::string text = "Pairs many ranks apart do differ, so a rejection is no longer an error.";
    if (study.options.additional_by == RankBy::breadth)
        text +=
            " Ranks are those of breadth, as in the first experiment; the paper speaks of frequency here "
            "(--additional-rank-by frequency). How wide a gap is depends on how many words a store has.";
    section.blocks = {Paragraph{text}, Figure{additional_figure(study), "Rejected pairs, with 95% intervals."},
                      data_table(additional_table(study))};
    return section;
}

std::string uniformity_sentence(const Experiment& study) {
    std::string failing;
    const SplitHalf& halves = study.split_half;
    for (std::size_t k = 0; k < methods.size(); ++k)
        for (const auto& [found, side] : {std::pair(halves.greater_uniformity[k].p, "greater"),
                                          std::pair(halves.two_sided_uniformity[k].p, "two-sided")})
            if (found < 0.05)
                failing +=
                    (failing.empty() ? "" : "; ") + name_of(methods[k]) + ", " + side + " (p = " + p_value(found) + ")";
    const std::string tested = "Kolmogorov-Smirnov over " + count(halves.words.size()) + " words: ";
    if (failing.empty()) return tested + "the p-values of every method are uniform as far as can be told.";
    return tested + "not uniform at 5%: " + failing + ". Of eight such tests one in three times some fails by chance.";
}

Section sanity_section(const Experiment& study) {
    Section section{"Split halves", {}};
    section.blocks = {Paragraph{"The two halves of one word's occurrences do not differ, and p has to be uniform."},
                      Finding{uniformity_sentence(study)}, data_table(uniformity_table(study))};
    for (std::size_t k = 0; k < methods.size(); ++k)
        section.blocks.emplace_back(Figure{split_half_figure(study, k), "Two-sided p-values of all words."});
    section.blocks.emplace_back(data_table(split_half_table(study)));
    section.blocks.emplace_back(data_table(papers_split_half_table()));
    return section;
}

Section words_section(const Experiment& study, const lexicon::WordNet& wordnet) {
    Section section{"Breadth and senses", {}};
    section.blocks = {Finding{"Over the " + count(study.words.known) +
                              " words that WordNet has, breadth and number of senses correlate at " +
                              fixed(study.words.correlation, 2) + " (Spearman)."},
                      Figure{words_figure(study, wordnet), "Words that WordNet lacks are left out."},
                      data_table(words_table(study))};
    return section;
}

Section changed_section(const Experiment& study) {
    const Changes changes = changes_of(study.main);
    Section section{"What alignment changes", {}};
    section.blocks = {
        Finding{count(changes.none_only.size()) + " pairs are rejected without alignment only, " +
                count(changes.householder_only.size()) + " with it only, " + count(changes.both) + " both ways."},
        Figure{changed_figure(study), "A point a pair; the lines are alpha."}};
    StudyTable table = changed_table(study);
    if (table.rows.empty()) return section;
    table =
        part_of(table, {"verdict", "x", "y", "gap", "p_none", "p_householder", "senses_x", "senses_y"}, table.caption);
    if (table.rows.size() > most_changes_shown) {
        table.caption += " The " + count(most_changes_shown) + " that change most; changed.tsv has all " +
                         count(table.rows.size()) + ".";
        table.rows.resize(most_changes_shown);
    }
    section.blocks.emplace_back(data_table(table));
    return section;
}

Section pair_section(const Experiment& study, const std::vector<Concordance>& concordances) {
    const TellingPair& pair = study.pair;
    Section section{"A pair: " + pair.x + " and " + pair.y, {}};
    section.blocks = {Paragraph{word(pair.x) + " and " + word(pair.y) + ": " + Markup(pair.why) + "."},
                      Figure{plane_figure(pair, concordances),
                             "For intuition only: a plane does not keep the distances of the model's space."},
                      Figure{null_figure(pair.none), "The clouds where they are."},
                      Figure{null_figure(pair.householder), "One cloud reflected onto the other's direction."}};
    for (const Concordance& each : concordances)
        section.blocks.emplace_back(ConcordanceView{each.key, word(each.title)});
    return section;
}

std::string law_sentence(const FrequencyLaw& law) {
    const auto fit = [](const LawFit& of) {
        return "slope " + fixed(of.slope, 3) +
               (std::isnan(of.slope_standard_error) ? "" : " (s.e. " + fixed(of.slope_standard_error, 3) + ")") +
               ", R² " + fixed(of.r_squared, 2);
    };
    return "log v on log frequency: " + fit(law.of_bins) + " over " + count(law.bins.size()) + " bins; " +
           fit(law.of_words) + " over single words.";
}

Section law_section(const Experiment& study) {
    Section section{"The meaning-frequency law", {}};
    section.blocks = {Finding{law_sentence(study.law)},
                      Figure{law_figure(study), "Grey: words; marked: means of bins in logarithms."},
                      data_table(law_table(study))};
    return section;
}

Section runtime_section(const Experiment& study) {
    Section section{"Time", {}};
    section.blocks = {Figure{runtime_figure(study), "Smaller is better; a logarithmic axis."},
                      data_table(runtime_table(study))};
    return section;
}

Facts facts_of(const Experiment& study) {
    const GapRates all = rates_of_all(study.main);
    return {{{count(study.ranking.words.size()), "words"},
             {count(study.ranking.common_size), "occurrences of each"},
             {share(all.rejected[0]), "of neighbours rejected without alignment"},
             {share(all.rejected[1]), "with alignment"}}};
}

}  // namespace

Page study_page(const Experiment& study, const store::CloudStore& store, const lexicon::WordNet& wordnet) {
    const std::vector<Concordance> concordances = pair_concordances(study.pair, store);
    Page page;
    page.title = "Semantic breadth in " + short_path(study.store);
    page.subtitle = "The experiments of Ehara (ACL 2026) on " + Markup(short_path(study.store)) + ", " +
                    Markup(model_name(study.model)) + ", beside the figures of the paper";
    page.sections = {{"In short", {facts_of(study)}},
                     main_section(study),
                     cross_fit_section(study),
                     additional_section(study),
                     sanity_section(study),
                     changed_section(study),
                     pair_section(study, concordances),
                     words_section(study, wordnet),
                     law_section(study),
                     runtime_section(study)};
    page.concordances = concordances;
    page.settings = settings_of(study);
    return page;
}

std::string study_text(const Experiment& study, const Style& style) {
    const auto line = [&](const std::string& sentence) { return folded(sentence, style.width) + "\n"; };
    return text_of(main_table(study), style) + "\n" + line(main_sentence(study.main)) +
           line("Cross-fitted: " + main_sentence(study.cross_fitted)) + "\n" + text_of(additional_table(study), style) +
           "\n" + line(uniformity_sentence(study)) + line(law_sentence(study.law));
}

}  // namespace wordbreadth::report
