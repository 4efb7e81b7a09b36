#include "report/experiment.h"

#include <algorithm>
#include <cmath>

#include "report/command_line.h"
#include "report/experiment_parts.h"
#include "report/names.h"
#include "report/table/number.h"

namespace wordbreadth::report {
namespace {

constexpr std::size_t rows_shown = 10;  // of long tables, before readers ask for more
constexpr std::size_t lines_shown = 5;  // of each word of the pair

std::string share(const Rate& rate) {
    return rate.trials == 0 ? "-" : fixed(100 * rate.value, 1) + "%";
}

std::string share_with_interval(const Rate& rate) {
    if (rate.trials == 0) return "-";
    return share(rate) + " (" + fixed(100 * rate.low, 1) + " to " + fixed(100 * rate.high, 1) + ")";
}

// Without what cannot be told of so few points.
std::string fit_text(const LawFit& fit) {
    if (std::isnan(fit.slope)) return "no slope";
    std::string text = "slope " + fixed(fit.slope, 3);
    if (!std::isnan(fit.slope_standard_error)) text += " (s.e. " + fixed(fit.slope_standard_error, 3) + ")";
    if (!std::isnan(fit.r_squared)) text += ", R² " + fixed(fit.r_squared, 2);
    return text;
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

// Ends the captions of figures that compare the methods, so that each makes sense alone.
const char* const about_methods =
    " The clouds are tested where they lie (none) or after one is reflected onto the direction of the other "
    "(householder), with the plain or the robust statistic.";

std::string rejection_caption(const GapTests& tests) {
    return "Of pairs of words a given number of ranks of breadth apart, the share whose breadths the test tells apart "
           "at alpha " +
           percent(tests.alpha) + ", with 95% intervals: " + count(tests.pairs.size()) + " pairs in all, " +
           count(tests.rows) + " occurrences of each word." + about_methods;
}

std::string precision_caption(const GapTests& tests) {
    return "Precision: of the pairs that are rejected at alpha " + percent(tests.alpha) +
           ", the share whose words have unlike numbers of WordNet senses, with 95% intervals. The dashed line is that "
           "share among all pairs, which a test that rejects blindly would have." +
           std::string(about_methods) + " Hollow: the paper's.";
}

Section main_section(const Experiment& study) {
    Section section{"Neighbours in rank", {}};
    section.blocks = {
        Paragraph{"Words are ranked by breadth, and pairs a few ranks apart are tested. The paper takes their breadths "
                  "as equal and reads the share that is rejected as the rate of false positives."},
        Finding{main_sentence(study.main) + " " +
                (has_precision(study) ? precision_sentence(study.main) : precision_note(study))},
        Figure{rejection_figure(study.main), rejection_caption(study.main) + " Hollow: the paper's (BNC, ModernBERT).",
               "main"}};
    if (has_precision(study))
        section.blocks.emplace_back(Figure{precision_figure(study.main), precision_caption(study.main), "precision"});
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
        Figure{rejection_figure(study.cross_fitted),
               "Words are ranked on one half of their occurrences and tested on the other. " +
                   rejection_caption(study.cross_fitted),
               "cross_fitted"}};
    return section;
}

Section additional_section(const Experiment& study) {
    Section section{"Wide gaps", {}};
    std::string text = "Pairs many ranks apart do differ, so a rejection is no longer an error.";
    if (study.options.additional_by == RankBy::breadth)
        text +=
            " Ranks are those of breadth, as in the first experiment; the paper speaks of frequency here "
            "(" +
            std::string(option_for_frequency) + "). How wide a gap is depends on how many words a store has.";
    section.blocks = {
        Paragraph{text},
        Figure{additional_figure(study),
               "Of pairs of words that are many ranks of " +
                   std::string(study.options.additional_by == RankBy::breadth ? "breadth" : "frequency") +
                   " apart, the share whose breadths the test tells apart at alpha " +
                   percent(study.options.additional_alpha) + ", with 95% intervals; " +
                   count(study.options.additional_permutations) +
                   " permutations per test. The last rows are the paper's, which gives no intervals." + about_methods,
               "additional"}};
    return section;
}

std::string split_half_caption(const Experiment& study, std::size_t method) {
    return count(study.split_half.words.size()) +
           " words, one half of the occurrences of each tested against the other: " + name_of(methods[method]) +
           ", two-sided. The halves do not differ, so the bars of a valid test are as high as "
           "the dashed line, but for chance.";
}

Section sanity_section(const Experiment& study) {
    Section section{"Split halves", {}};
    section.blocks = {
        Paragraph{"The two halves of one word's occurrences do not differ, and p has to be uniform."},
        Finding{uniformity_sentence(study.split_half)},
        data_table(part_of(uniformity_table(study), {"method", "alternative", "ks_p", "rate_01", "rate_05", "rate_10"},
                           "Halves of " + count(study.split_half.words.size()) +
                               " words tested against each other: p of the Kolmogorov-Smirnov test of "
                               "uniformity, and how often the test rejects at three levels, which is the "
                               "rate of false positives, with 95% intervals."))};
    for (std::size_t k = 0; k < methods.size(); ++k)
        section.blocks.emplace_back(Figure{split_half_figure(study, k), split_half_caption(study, k),
                                           "split_half_" + key_of(methods[k]), true});
    return section;
}

Section words_section(const Experiment& study, const WordNet& wordnet) {
    Section section{"Breadth and senses", {}};
    if (!has_precision(study)) {
        section.blocks = {Paragraph{"WordNet has " + count(study.words.known) + " of the " +
                                    count(study.ranking.words.size()) + " words: too few to compare their senses."},
                          data_table(words_table(study), rows_shown)};
        return section;
    }
    section.blocks = {
        Finding{"Over the " + count(study.words.known) +
                " words that WordNet has, breadth and number of senses correlate at " +
                fixed(study.words.correlation, 2) + " (Spearman)."},
        Figure{
            words_figure(study, wordnet),
            "Each point is a word that WordNet has, by the number of its senses there, of all parts of speech, and its "
            "breadth v. Coloured: the paper's words and both ends of the ranking.",
            "words"},
        data_table(words_table(study), rows_shown)};
    return section;
}

Section changed_section(const Experiment& study) {
    const Changes changes = changes_of(study.main);
    Section section{"What alignment changes", {}};
    section.blocks = {
        Finding{count(changes.none_only.size()) + " pairs are rejected without alignment only, " +
                count(changes.householder_only.size()) + " with it only, " + count(changes.both) + " both ways."},
        Figure{
            changed_figure(study),
            "Each point is a pair of words a few ranks of breadth apart, by its p without alignment and with it (plain "
            "statistic). Dashed: alpha. Coloured: pairs that are rejected one way and not the other.",
            "changed"}};
    const Table all = changed_table(study);
    if (all.size == 0) return section;
    section.blocks.emplace_back(
        data_table(part_of(all, {"verdict", "x", "y", "gap", "p_none", "p_householder", "senses_x", "senses_y"},
                           all.caption + " Those whose p changes most come first."),
                   rows_shown));
    return section;
}

Markup null_caption(const TestResult& result, const char* where) {
    return "T of " + word(result.x) + " against " + word(result.y) + ", " + where + ", among those of " +
           count(result.null_distribution.size()) +
           " random permutations of the same occurrences. Orange: at least as "
           "far from 0.";
}

Section pair_section(const Experiment& study, const std::vector<Concordance>& concordances) {
    const TellingPair& pair = study.pair;
    Section section{"A pair: " + pair.x + " and " + pair.y, {}};
    section.blocks = {
        Paragraph{word(pair.x) + " and " + word(pair.y) + ": " + Markup(pair.why) + "."},
        Figure{
            plane_figure(pair, concordances),
            "Each point is an occurrence of " + word(pair.x) + " or " + word(pair.y) +
                ", on a plane by t-SNE: where the model puts them, and with one cloud reflected onto the direction of "
                "the other. For intuition only, since a plane does not keep the distances of the model's space.",
            "tsne"},
        Figure{null_figure(pair.none), null_caption(pair.none, "the clouds where they are"), "null_none", true},
        Figure{null_figure(pair.householder),
               null_caption(pair.householder, "one cloud reflected onto the direction of the other"),
               "null_householder", true}};
    for (const Concordance& each : concordances)
        section.blocks.emplace_back(ConcordanceView{each.key, "Occurrences of " + word(each.title), lines_shown});
    return section;
}

Section law_section(const Experiment& study) {
    Section section{"The meaning-frequency law", {}};
    section.blocks = {
        Finding{law_sentence(study.law)},
        Figure{law_figure(study),
               "Each grey point is a word, by its frequency in the corpus and its breadth v. Marked: bins of " +
                   count(study.law.bin_size) +
                   " words of like frequency, by their geometric means, to which the line is fitted.",
               "frequency_law"}};
    return section;
}

std::string runtime_caption(const Experiment& study) {
    const DeviceTimes& times = study.times;
    std::string text =
        "Time of a permutation on the devices of this machine, alone and where all pairs of a gap are "
        "tested in one call: tests of " +
        count(times.n) + " against " + count(times.m) + " rows of " + count(times.d) + " dimensions, " +
        count(times.permutations) + " permutations, " + count(times.threads) +
        " threads. Smaller is better; the axis is logarithmic. The paper's are of other machines and "
        "clouds (BCCWJ, BERT-large).";
    std::string missing;
    for (const DeviceTime& device : times.devices)
        if (!device.unavailable_because.empty()) missing += (missing.empty() ? "" : ", ") + device.label;
    return missing.empty() ? text : text + " Not available here: " + missing + ".";
}

Section runtime_section(const Experiment& study) {
    return {"Time", {Figure{runtime_figure(study), runtime_caption(study), "runtime"}}};
}

Facts facts_of(const Experiment& study) {
    const GapRates all = rates_of_all(study.main);
    return {{{count(study.ranking.words.size()), "words"},
             {count(study.ranking.common_size), "occurrences of each"},
             {share(all.rejected[0]), "of neighbours rejected without alignment"},
             {share(all.rejected[1]), "with alignment"}}};
}

Markup about_files() {
    return "Every number is in the files beside this page: " + code("main.tsv") + ", " + code("methods.tsv") + ", " +
           code("pairs.tsv") + " and others, each also as JSON.";
}

}  // namespace

std::string uniformity_sentence(const SplitHalf& halves) {
    std::vector<std::string> failing, undefined;
    for (std::size_t k = 0; k < methods.size(); ++k)
        for (const auto& [found, side] : {std::pair(halves.greater_uniformity[k].p, "greater"),
                                          std::pair(halves.two_sided_uniformity[k].p, "two-sided")}) {
            const std::string what = name_of(methods[k]) + ", " + side;
            if (std::isnan(found)) undefined.push_back(what);
            if (found < 0.05) failing.push_back(what + " (p = " + p_value(found) + ")");
        }
    const std::string tested = "Kolmogorov-Smirnov over " + count(halves.words.size()) + " words: ";
    if (undefined.size() == 2 * methods.size()) return tested + "not available, since no test is defined.";
    const std::string rest =
        undefined.empty() ? "" : " Not available, since no test is defined: " + joined(undefined, "; ") + ".";
    if (!failing.empty())
        return tested + "not uniform at 5%: " + joined(failing, "; ") +
               ". Of eight such tests one in three times some fails by chance." + rest;
    return tested + "the p-values of " + (undefined.empty() ? "every method" : "all others") +
           " are uniform as far as can be told." + rest;
}

std::string law_sentence(const FrequencyLaw& law) {
    std::string text = "log v on log frequency: " + fit_text(law.of_bins) + " over " + count(law.bins.size()) +
                       (law.bins.size() == 1 ? " bin; " : " bins; ") + fit_text(law.of_words) + " over single words.";
    if (law.bins.size() < least_points_of_a_fit)
        text += " R² is not available for the bins: a line fits one or two points whatever they are; at least " +
                count(least_points_of_a_fit) + " bins of " + count(law.bin_size) + " words are needed.";
    return text;
}

Page study_page(const Experiment& study, const Store& store, const WordNet& wordnet) {
    const std::vector<Concordance> concordances = pair_concordances(study.pair, store);
    Page page;
    page.title = "Semantic breadth in " + short_path(study.store);
    page.subtitle = "The experiments of Ehara (ACL 2026) on " + Markup(short_path(study.store)) + ", " +
                    Markup(model_name(study.model)) + ", beside the figures of the paper";
    page.sections = {{"In short", {facts_of(study), Paragraph{about_files()}}},
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
    return text_of(main_table(study), style) + "\n" + style.plain_line(main_sentence(study.main)) +
           style.plain_line(precision_note(study)) +
           style.plain_line("Cross-fitted: " + main_sentence(study.cross_fitted)) + "\n" +
           text_of(additional_table(study), style) + "\n" + style.plain_line(uniformity_sentence(study.split_half)) +
           style.plain_line(law_sentence(study.law));
}

}  // namespace wordbreadth::report
