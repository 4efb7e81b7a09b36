// The page of the paper's study: its figures, with what they show.
#include <cmath>
#include <set>

#include "report/command_line.h"
#include "report/experiment_parts.h"

namespace wordbreadth::report {
namespace {

constexpr std::size_t rows_shown = 10;  // of long tables, before readers ask for more
constexpr std::size_t lines_shown = 5;  // of each word of the pair

Axis percentages(std::string label) {
    return {.label = std::move(label), .low = 0, .percent = true};
}

Axis logarithmic(std::string label) {
    return {.label = std::move(label), .kind = Axis::Kind::logarithmic};
}

// ---- Rates by gap

// Ends the captions of figures that compare the methods, so that each makes sense alone.
const char* const about_methods =
    " The clouds are tested where they lie (none) or after one is reflected onto the direction of the other "
    "(householder), with the plain or the robust statistic, by permuting occurrences or (blocks) whole documents.";

LineChart by_gap(const GapTests& tests, std::vector<Rate> GapRates::*rates) {
    LineChart chart;
    chart.x.label = "rank gap";
    const std::vector<GapRates> all = rates_by_gap(tests);
    for (std::size_t k = 0; k < tests.methods.size(); ++k) {
        Line line{name_of(tests.methods[k]), {}};
        for (const GapRates& gap : all) line.points.push_back({static_cast<double>(gap.gap), (gap.*rates)[k]});
        chart.lines.push_back(std::move(line));
    }
    return chart;
}

// The paper's own, without intervals, which it does not give.
void add_papers(LineChart& chart, const GapTests& tests, double paper::Gap::*none, double paper::Gap::*householder) {
    if (!paper_has(tests)) return;
    Line papers_none{"paper: none", {}, 0}, papers_householder{"paper: householder", {}, 1};
    for (const GapRates& gap : rates_by_gap(tests)) {
        const paper::Gap* const found = paper::gap_of(gap.gap);
        if (found == nullptr) continue;
        papers_none.points.push_back({static_cast<double>(gap.gap), found->*none});
        papers_householder.points.push_back({static_cast<double>(gap.gap), found->*householder});
    }
    chart.lines.insert(chart.lines.end(), {std::move(papers_none), std::move(papers_householder)});
}

Svg rejection_figure(const GapTests& tests) {
    LineChart chart = by_gap(tests, &GapRates::rejected);
    chart.heading = {
        std::string("Rejected pairs by rank gap") + (tests.cross_fitted ? ", ranked and tested on different rows" : ""),
        "Share of pairs rejected at " + percent(tests.alpha) + ", with 95% intervals, for every method"};
    chart.y = percentages("rejected");
    chart.levels = {{tests.alpha, "alpha " + percent(tests.alpha)}};
    add_papers(chart, tests, &paper::Gap::baseline, &paper::Gap::proposed);
    return svg_of(chart);
}

std::string rejection_caption(const GapTests& tests) {
    return "Of pairs of words a given number of ranks of breadth apart, the share whose breadths the test tells apart "
           "at alpha " +
           percent(tests.alpha) + ", with 95% intervals: " + count(tests.pairs.size()) + " pairs in all, " +
           count(tests.rows) + " occurrences of each word." + about_methods;
}

Figure precision_figure(const GapTests& tests) {
    LineChart chart = by_gap(tests, &GapRates::precision);
    chart.heading = {"Precision by rank gap",
                     "Share of rejected pairs whose numbers of WordNet senses differ, with 95% intervals"};
    chart.y = percentages("rejected pairs with different synset counts");
    chart.y.high = 1;
    chart.levels = {{rates_of_all(tests).differing.value, "all pairs"}};
    add_papers(chart, tests, &paper::Gap::baseline_precision, &paper::Gap::proposed_precision);
    return {svg_of(chart),
            "Precision: of the pairs that are rejected at alpha " + percent(tests.alpha) +
                ", the share whose words have different numbers of WordNet senses, with 95% intervals. The dashed line "
                "is that share among all pairs, which a test that rejects blindly would have." +
                about_methods + (paper_has(tests) ? " Hollow: the paper's." : ""),
            "precision"};
}

Section main_section(const Experiment& study) {
    Section section{
        "Neighbours in rank",
        {Paragraph{
             "Words are ranked by breadth, and pairs a few ranks apart are tested. The paper takes their breadths "
             "as equal and reads the share that is rejected as the rate of false positives."},
         Finding{main_sentence(study.main) + " " +
                 (has_precision(study) ? precision_sentence(study.main) : precision_note(study))},
         Figure{
             rejection_figure(study.main),
             rejection_caption(study.main) + (paper_has(study.main) ? " Hollow: the paper's (BNC, ModernBERT)." : ""),
             "main"}}};
    if (has_precision(study)) section.blocks.emplace_back(precision_figure(study.main));
    section.blocks.emplace_back(Paragraph{summary_sentence(study)});
    section.blocks.emplace_back(data_table(summary_table(study)));
    return section;
}

Section cross_fit_section(const Experiment& study) {
    return {"Ranked on one half, tested on the other",
            {Paragraph{"Neighbours of a ranking were chosen because their breadths came out alike on these very rows, "
                       "which makes their tests reject less often than they should. Ranking on one half of each word's "
                       "rows and testing on the other removes that. What is left above alpha need not be error: ranks "
                       "from half the rows are rough, and neighbours in them differ in truth."},
             Finding{main_sentence(study.cross_fitted)},
             Figure{rejection_figure(study.cross_fitted),
                    "Words are ranked on one half of their occurrences and tested on the other. " +
                        rejection_caption(study.cross_fitted),
                    "cross_fitted"}}};
}

Svg additional_figure(const std::vector<Experiment>& studies) {
    const double level = studies.front().options.additional_alpha;
    const std::string alpha = percent(level);
    DotPlot plot;
    const bool papers_too = paper_has_additional(studies);
    plot.heading = {"Rejected pairs at wide gaps", "Share of pairs rejected at " + alpha +
                                                       ", with 95% intervals, for each store and gap" +
                                                       (papers_too ? ", beside the paper's" : "")};
    plot.x = percentages("rejected at " + alpha);
    plot.levels = {{level, "alpha"}};
    const auto most =
        std::ranges::max_element(studies, {}, [](const Experiment& each) { return each.additional.methods.size(); });
    for (const Method& method : most->additional.methods) plot.methods.push_back(name_of(method));
    const std::vector<std::string> names = store_names(studies);
    for (std::size_t i = 0; i < studies.size(); ++i)
        for (const GapRates& rates : rates_by_gap(studies[i].additional))
            plot.rows.push_back(
                {names[i] + ", gap " + count(rates.gap), {rates.rejected.begin(), rates.rejected.end()}});
    if (papers_too)
        for (const paper::Additional& papers : paper::additional)
            plot.rows.push_back({"paper: " + std::string(papers.corpus) + ", gap " + count(papers.gap),
                                 {papers.baseline, papers.proposed}});
    return svg_of(plot);
}

Section additional_section(const std::vector<Experiment>& studies) {
    const ExperimentOptions& options = studies.front().options;
    const bool by_breadth = options.additional_by != RankBy::frequency;
    std::string text =
        "The paper reads the rate at gap 50 as Type-I error and that at gap 100 as power. Pairs many ranks apart may "
        "differ at either gap, and nothing says which do: both rates are shares of pairs that are told apart.";
    if (by_breadth)
        text += " Ranks are those of breadth, as in the first experiment; the paper speaks of frequency here (" +
                std::string(option_for_frequency) + "). How wide a gap is depends on how many words a store has.";
    Section section{
        "Wide gaps",
        {Paragraph{text},
         Figure{additional_figure(studies),
                std::string("Of pairs of words that are many ranks of ") + (by_breadth ? "breadth" : "frequency") +
                    " apart, the share whose breadths the test tells apart at alpha " +
                    percent(options.additional_alpha) + ", with 95% intervals; " +
                    count(options.additional_permutations) + " permutations per test." +
                    (paper_has_additional(studies) ? " The last rows are the paper's, which gives no intervals." : "") +
                    about_methods,
                "additional"}}};
    const Table changed = additional_changed_table(studies);
    if (changed.size > 0)
        section.blocks.emplace_back(
            data_table(part_of(changed, {"store", "verdict", "x", "y", "gap", "p_none", "p_householder"},
                               changed.caption + " Those whose p alignment changes most come first; all pairs are in "
                                                 "additional_pairs.tsv."),
                       rows_shown));
    return section;
}

// ---- Split halves

Figure split_half_figure(const SplitHalf& halves, std::size_t method) {
    Histogram histogram;
    histogram.heading = {"Split halves: " + name_of(methods[method]),
                         "Two-sided p-values of the two halves of each word; a valid test gives a flat histogram"};
    histogram.x.label = "p";
    histogram.y_label = "words";
    histogram.bars = bars_of(halves.two_sided[method], 0, 1, 20);
    histogram.levels = {{static_cast<double>(halves.two_sided_uniformity[method].n) / 20, "uniform"}};
    return {svg_of(histogram),
            count(halves.words.size()) +
                " words, one half of the occurrences of each tested against the other: " + name_of(methods[method]) +
                ", two-sided. The halves do not differ, so the bars of a valid test are as high as the dashed line, "
                "but for chance.",
            "split_half_" + key_of(methods[method]), true};
}

// Words that the study has, beside the paper's. A table for each alternative: both side by side are wider than the
// page.
void add_split_half_words(const Experiment& study, Section& section) {
    std::vector<std::size_t> here;
    for (std::size_t i = 0; i < study.words_asked.size(); ++i)
        if (std::ranges::find(study.split_half.words, study.words_asked[i]) != study.split_half.words.end())
            here.push_back(i);
    if (here.empty()) return;
    const Table words = rows_of(split_half_words_table(study), here);
    for (const std::string side : {"greater", "two_sided"}) {
        const std::string of = "_" + side;
        Table shown = part_of(
            words, {"word", "total", "none" + of, "paper_none" + of, "householder" + of, "paper_householder" + of},
            words.caption + (side == "greater" ? " One-sided tests." : " Two-sided tests."));
        for (Column& column : shown.columns)  // "none, greater"
            column.heading =
                column.heading.substr(0, column.heading.rfind(side == "greater" ? ", greater" : ", two-sided"));
        section.blocks.emplace_back(data_table(shown));
    }
}

Section sanity_section(const Experiment& study) {
    Section section{
        "Split halves",
        {Paragraph{"The two halves of one word's occurrences do not differ, and p has to be uniform."},
         Finding{uniformity_sentence(study.split_half)},
         data_table(part_of(uniformity_table(study), {"method", "alternative", "ks_p", "rate_01", "rate_05", "rate_10"},
                            "Halves of " + count(study.split_half.words.size()) +
                                " words tested against each other: p of the Kolmogorov-Smirnov test of "
                                "uniformity, and how often the test rejects at three levels, which is the "
                                "rate of false positives, with 95% intervals."))}};
    for (std::size_t k = 0; k < study.split_half.tested; ++k)
        section.blocks.emplace_back(split_half_figure(study.split_half, k));
    add_split_half_words(study, section);
    if (const std::string absent = absent_sentence(study); !absent.empty())
        section.blocks.emplace_back(Paragraph{absent});
    return section;
}

// ---- What alignment changes

Svg changed_figure(const GapTests& tests) {
    ScatterPlot plot;
    plot.heading = {"What alignment does to p",
                    "p with householder alignment against p without it, one point per pair of the main experiment"};
    plot.x = logarithmic("p, none");
    plot.y = logarithmic("p, householder");
    plot.groups = {{"same verdict", true}, {"rejected by none only"}, {"rejected by householder only"}};
    plot.x_guides = plot.y_guides = {{tests.alpha, "alpha"}};
    plot.panels.emplace_back();
    for (const TestedPair& pair : tests.pairs) {
        if (std::isnan(pair.p[0]) || std::isnan(pair.p[1])) continue;
        const bool none = pair.p[0] <= tests.alpha, householder = pair.p[1] <= tests.alpha;
        const std::size_t group = none == householder ? 0 : none ? 1 : 2;
        const std::string name = pair.x + " – " + pair.y;
        plot.panels[0].points.push_back(
            {.x = pair.p[0], .y = pair.p[1], .group = group, .name = name, .evidence = {.row = group > 0 ? name : ""}});
    }
    return svg_of(plot);
}

Section changed_section(const Experiment& study) {
    const Changes changes = changes_of(study.main);
    Section section{
        "What alignment changes",
        {Finding{counted(changes.none_only.size(), "pair") + (changes.none_only.size() == 1 ? " is" : " are") +
                 " rejected without alignment only, " + count(changes.householder_only.size()) + " with it only, " +
                 count(changes.both) + " both ways."},
         Figure{changed_figure(study.main),
                "Each point is a pair of words a few ranks of breadth apart, by its p without alignment and with it "
                "(plain statistic). Dashed: alpha. Coloured: pairs that are rejected one way and not the other.",
                "changed"}}};
    const Table all = changed_table(study);
    if (all.size > 0)
        section.blocks.emplace_back(
            data_table(part_of(all, {"verdict", "x", "y", "gap", "p_none", "p_householder", "senses_x", "senses_y"},
                               all.caption + " Those whose p changes most come first."),
                       rows_shown));
    return section;
}

// ---- A pair

Concordance concordance_of(const std::string& word, const std::vector<std::size_t>& rows, const Store& store) {
    const std::vector<Occurrence> all = store.occurrences(store.find(word));
    Concordance made{"pair:" + word, word, {}};
    for (const std::size_t row : rows) {
        if (row >= all.size()) continue;
        const Context context = context_of(all[row]);
        made.lines.push_back({context.left, context.node, context.right, short_path(all[row].document), NAN});
    }
    return made;
}

// The clouds on a plane; points lead to the sentences behind them, of X and then of Y.
Panel panel_of(const TellingPair& pair, const std::vector<PlanePoint>& points, const std::string& title,
               const std::vector<Concordance>& concordances) {
    Panel panel{title, {}, {}};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::size_t group = i < pair.rows_x.size() ? 0 : 1;
        const std::size_t line = group == 0 ? i : i - pair.rows_x.size();
        ScatterPoint point{.x = points[i].x, .y = points[i].y, .group = group, .name = group == 0 ? pair.x : pair.y};
        if (line < concordances[group].lines.size()) {
            const PageLine& behind = concordances[group].lines[line];
            point.note = behind.left + behind.node + behind.right;
            point.evidence = {concordances[group].key, line};
        }
        panel.points.push_back(std::move(point));
    }
    return panel;
}

Svg plane_figure(const TellingPair& pair, const std::vector<Concordance>& concordances) {
    ScatterPlot plot;
    plot.heading = {pair.x + " and " + pair.y + ", before and after alignment",
                    "Occurrences of the two words on a plane (t-SNE), before and after the Householder reflection"};
    plot.x.kind = plot.y.kind = Axis::Kind::hidden;
    plot.groups = {{pair.x}, {pair.y}};
    plot.panels = {panel_of(pair, pair.before, "before", concordances),
                   panel_of(pair, pair.after, "after", concordances)};
    return svg_of(plot);
}

// T among its null distribution.
Figure null_figure(const TestResult& result) {
    const bool aligned = result.align == Alignment::householder;
    Histogram histogram;
    histogram.heading = {
        std::string(aligned ? "With" : "Without") + " alignment: " + p_sentence(result),
        "The statistic T of " + result.x + " against " + result.y + " among those of random permutations"};
    histogram.x.label = "T of random permutations";
    histogram.x.column = "T";
    histogram.y_label = "permutations";
    histogram.bars = bars_of(result.null_distribution);
    histogram.marks = {{result.T, "T = " + significant(result.T, 3)}};
    const bool is_one_sided = result.alternative == Alternative::greater;
    if (!is_one_sided) histogram.extreme_below = -std::abs(result.T);
    histogram.extreme_above = is_one_sided ? result.T : std::abs(result.T);
    return {svg_of(histogram),
            "T of " + word(result.x) + " against " + word(result.y) + ", " +
                (aligned ? "one cloud reflected onto the direction of the other" : "the clouds where they are") +
                ", among those of " + count(result.null_distribution.size()) +
                " random permutations of the same occurrences. Orange: at least as " +
                (is_one_sided ? "large (one-sided)." : "far from 0."),
            "null_" + spelled(result.align), true};
}

Section pair_section(const TellingPair& pair, const std::vector<Concordance>& concordances) {
    Section section{
        "A pair: " + pair.x + " and " + pair.y,
        {Paragraph{word(pair.x) + " and " + word(pair.y) + ": " + Markup(pair.why) + "."},
         Figure{plane_figure(pair, concordances),
                "Each point is an occurrence of " + word(pair.x) + " or " + word(pair.y) +
                    ", on a plane by t-SNE: where the model puts them, and with one cloud reflected onto the direction "
                    "of the other. For intuition only, since a plane does not keep the distances of the model's space.",
                "tsne"},
         null_figure(pair.none), null_figure(pair.householder)}};
    for (const Concordance& each : concordances)
        section.blocks.emplace_back(ConcordanceView{each.key, "Occurrences of " + word(each.title), lines_shown});
    return section;
}

// ---- Breadth, senses and frequency

constexpr std::size_t most_points = 2000;  // of a figure: a browser draws them at once, and nobody sees more

// Every how many words of the ranking one is shown.
std::size_t step_of(const Ranking& ranking) {
    return (ranking.words.size() + most_points - 1) / most_points;
}

std::string sample_note(const Ranking& ranking) {
    const std::size_t step = step_of(ranking);
    return step <= 1 ? ""
                     : " Of " + count(ranking.words.size()) + " words every " + count(step) + "th by rank is shown.";
}

Svg words_figure(const Experiment& study, const WordNet& wordnet) {
    std::set<std::string> examples;
    for (const WordExample& word : study.words.words) examples.insert(word.word);
    ScatterPlot plot;
    plot.heading = {"Breadth and senses", "Breadth v against the number of WordNet synsets, one point per word"};
    plot.x = logarithmic("WordNet senses");
    plot.y = logarithmic("breadth v");
    plot.groups = {{"words", true}, {whose_words(study) + " and both ends"}};
    plot.panels.emplace_back();
    for (std::size_t i = 0; i < study.ranking.words.size(); ++i) {
        const RankedWord& word = study.ranking.words[i];
        const bool example = examples.contains(word.word);
        if (!example && i % step_of(study.ranking) != 0) continue;
        const auto senses = static_cast<double>(wordnet.senses(word.word).all());
        if (senses > 0)
            plot.panels[0].points.push_back({.x = senses,
                                             .y = word.breadth.v,
                                             .group = example ? 1U : 0U,
                                             .name = word.word,
                                             .evidence = {.row = example ? word.word : ""},
                                             .prominence = example ? 1.0 : 0.0});
    }
    return svg_of(plot);
}

Section words_section(const Experiment& study, const WordNet& wordnet) {
    const Block table = data_table(words_table(study), rows_shown);
    if (!has_precision(study))
        return {"Breadth and senses",
                {Paragraph{"WordNet has " + count(study.words.known) + " of the " + count(study.ranking.words.size()) +
                           " words: too few to compare their senses."},
                 table}};
    return {"Breadth and senses",
            {Finding{"Over the " + count(study.words.known) +
                     " words that WordNet has, breadth and number of senses correlate at " +
                     fixed(study.words.correlation, 2) + " (Spearman)."},
             Figure{words_figure(study, wordnet),
                    "Each point is a word that WordNet has, by the number of its senses there, of all parts of speech, "
                    "and its breadth v. Coloured: " +
                        whose_words(study) + " and both ends of the ranking." + sample_note(study.ranking),
                    "words"},
             table}};
}

Svg law_figure(const Experiment& study) {
    const LawFit& fit = study.law.of_bins;
    ScatterPlot plot;
    plot.heading = {"Breadth and frequency", "Breadth v against frequency: words in grey, means of bins with a line"};
    plot.x = logarithmic("frequency in the corpus");
    plot.y = logarithmic("breadth v");
    plot.groups = {{"words", true}, {"bins of " + count(study.law.bin_size) + " words"}};
    Panel panel;
    for (std::size_t i = 0; i < study.ranking.words.size(); i += step_of(study.ranking)) {
        const RankedWord& word = study.ranking.words[i];
        panel.points.push_back({.x = static_cast<double>(word.frequency), .y = word.breadth.v, .name = word.word});
    }
    for (const FrequencyBin& bin : study.law.bins)
        panel.points.push_back({.x = bin.frequency,
                                .y = bin.v,
                                .group = 1,
                                .name = count(bin.words) + " words from " + bin.most_frequent});
    if (!std::isnan(fit.slope)) {
        const double first = study.law.bins.front().frequency, last = study.law.bins.back().frequency;
        const auto height = [&](double x) { return std::exp(fit.intercept + fit.slope * std::log(x)); };
        panel.segments = {
            {first, height(first), last, height(last),
             "slope " + fixed(fit.slope, 3) + (std::isnan(fit.r_squared) ? "" : ", R² " + fixed(fit.r_squared, 2))}};
    }
    plot.panels = {std::move(panel)};
    return svg_of(plot);
}

// Numbers of senses by frequency (Bond et al. 2019), in the same bins.
Figure senses_figure(const FrequencyLaw& law) {
    ScatterPlot plot;
    plot.heading = {"Senses and frequency", "Mean number of WordNet senses against frequency, one point per bin"};
    plot.x = logarithmic("frequency in the corpus");
    plot.y = logarithmic("mean number of senses");
    plot.groups = {{"bins of " + count(law.bin_size) + " words"}};
    plot.panels.emplace_back();
    for (const FrequencyBin& bin : law.bins)
        if (bin.known > 0)
            plot.panels[0].points.push_back(
                {.x = bin.frequency, .y = bin.senses, .name = count(bin.words) + " words from " + bin.most_frequent});
    return {svg_of(plot),
            "The same bins, by the mean number of WordNet senses of the words that WordNet has: the law as it is "
            "tested with sense inventories.",
            "frequency_senses"};
}

Section law_section(const Experiment& study) {
    Section section{
        "The meaning-frequency law",
        {Finding{law_sentence(study.law)},
         Figure{law_figure(study),
                "Each grey point is a word, by its frequency in the corpus and its breadth v. Marked: bins of " +
                    count(study.law.bin_size) +
                    " words of similar frequency, by their geometric means, to which the line is fitted." +
                    sample_note(study.ranking),
                "frequency_law"}}};
    if (has_precision(study)) section.blocks.emplace_back(senses_figure(study.law));
    return section;
}

// ---- Time

Svg runtime_figure(const DeviceTimes& times) {
    DotPlot plot;
    plot.heading = {"Time of a permutation", "Microseconds per permutation on every device found, beside the paper's"};
    plot.x = logarithmic("µs per permutation");
    plot.methods = {"one test", "one of many"};
    const auto permutations = static_cast<double>(times.permutations);
    for (const DeviceTime& device : times.devices) {
        if (std::isnan(device.seconds)) continue;
        plot.rows.push_back({device.label, {1e6 * device.seconds / permutations}});
        if (!std::isnan(device.seconds_each))
            plot.rows.back().values.emplace_back(1e6 * device.seconds_each / permutations);
    }
    for (const paper::Time& papers : paper::times)
        plot.rows.push_back({"paper: " + std::string(papers.device), {1e3 * papers.milliseconds_each}});
    return svg_of(plot);
}

Section runtime_section(const DeviceTimes& times) {
    std::vector<std::string> missing;
    for (const DeviceTime& device : times.devices)
        if (!device.unavailable_because.empty()) missing.push_back(device.label);
    return {"Time",
            {Figure{runtime_figure(times),
                    "Time of a permutation on the devices of this machine, alone and where all pairs of a gap are "
                    "tested in one call: tests of " +
                        count(times.n) + " against " + count(times.m) + " rows of " + count(times.d) + " dimensions, " +
                        count(times.permutations) + " permutations, " + counted(times.threads, "thread") +
                        ". Smaller is better; the axis is logarithmic. The paper's are of other machines and "
                        "clouds (BCCWJ, BERT-large)." +
                        (missing.empty() ? "" : " Not available here: " + base::joined(missing) + "."),
                    "runtime"}}};
}

// Where the run is another one than the paper's.
Paragraph deviations_paragraph(const Experiment& study) {
    const std::vector<std::string> deviations = paper::deviations(study);
    if (!deviations.empty()) return {"Settings that are not the paper's: " + base::joined(deviations, " ")};
    return {"Every setting that the paper states is as in the paper; corpus and model are those of the store."};
}

Paragraph other_pages(const StudyPlace& place) {
    const std::vector<std::string> names = store_names(place.studies);
    Markup text = "Pages of the other stores: ";
    for (std::size_t i = 0; i < place.studies.size(); ++i) {
        if (i == place.index) continue;
        const std::string up = place.index == 0 ? "" : "../", down = i == 0 ? "" : place.folders[i] + "/";
        text += link(up + down + "report.html", names[i]) + " ";
    }
    return {text};
}

Section overview(const StudyPlace& place) {
    const Experiment& study = place.study();
    const GapRates all = rates_of_all(study.main);
    Facts facts{{{count(study.ranking.words.size()), "words"},
                 {count(study.ranking.common_size), "occurrences of each"},
                 {share(all.rejected[0]), "of neighbours rejected without alignment"},
                 {share(all.rejected[1]), "with alignment"}}};
    if (study.main.has_blocks())
        facts.facts.push_back({share(all.rejected.back()), "with alignment, documents as blocks"});
    Section section{"In short",
                    {std::move(facts),
                     Paragraph{"Every number is in the files beside this page: " + code("main.tsv") + ", " +
                               code("methods.tsv") + ", " + code("pairs.tsv") + " and others, each also as JSON."},
                     deviations_paragraph(study)}};
    if (place.folders.size() > 1) section.blocks.emplace_back(other_pages(place));
    return section;
}

}  // namespace

Page study_page(const StudyPlace& place, const Store& store, const WordNet& wordnet) {
    const Experiment& study = place.study();
    Page page;
    page.title = "Semantic breadth in " + place.name();
    page.subtitle = "The experiments of Ehara (ACL 2026) on " + Markup(place.name()) +
                    (study.model.empty() ? "" : ", " + Markup(model_name(study.model))) +
                    (study.layer.empty() ? "" : ", layer " + study.layer) + ", beside the figures of the paper";
    page.concordances = {concordance_of(study.pair.x, study.pair.rows_x, store),
                         concordance_of(study.pair.y, study.pair.rows_y, store)};
    page.sections = {overview(place), main_section(study), cross_fit_section(study)};
    if (place.index == 0) page.sections.push_back(additional_section(place.studies));
    page.sections.insert(page.sections.end(),
                         {sanity_section(study), changed_section(study), pair_section(study.pair, page.concordances),
                          words_section(study, wordnet), law_section(study), runtime_section(study.times)});
    page.settings = settings_of(place);
    return page;
}

}  // namespace wordbreadth::report
