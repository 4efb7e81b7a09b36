#include <algorithm>
#include <cmath>
#include <set>

#include "report/experiment_parts.h"
#include "report/figures/figures.h"
#include "report/names.h"
#include "report/paper.h"
#include "report/table/number.h"
#include "report/test.h"
#include "wordbreadth/concordance.h"

namespace wordbreadth::report {
namespace {

Estimate estimate(const Rate& rate) {
    return {rate.value, rate.low, rate.high};
}

Axis axis(std::string label) {
    Axis made;
    made.label = std::move(label);
    return made;
}

Axis percentages(std::string label) {
    Axis made = axis(std::move(label));
    made.percent = true;
    made.low = 0;
    return made;
}

Axis logarithmic(std::string label) {
    Axis made = axis(std::move(label));
    made.kind = Axis::Kind::logarithmic;
    return made;
}

std::string how_fitted(const GapTests& tests) {
    return tests.cross_fitted ? ", ranked and tested on different rows" : "";
}

LineChart by_gap(const GapTests& tests, PerMethod<Rate> GapRates::*rates) {
    LineChart chart;
    chart.x = axis("rank gap");
    const std::vector<GapRates> all = rates_by_gap(tests);
    for (std::size_t k = 0; k < methods.size(); ++k) {
        Line line{name_of(methods[k]), {}};
        for (const GapRates& gap : all)
            line.points.push_back({static_cast<double>(gap.gap), estimate((gap.*rates)[k])});
        chart.lines.push_back(std::move(line));
    }
    return chart;
}

// The paper's own, without intervals, which it does not give.
void add_papers(LineChart& chart, const GapTests& tests, double PapersGap::*none, double PapersGap::*householder) {
    Line papers_none{"paper: none", {}, 0}, papers_householder{"paper: householder", {}, 1};
    for (const GapRates& gap : rates_by_gap(tests)) {
        const PapersGap* const paper = papers_gap(gap.gap);
        if (paper == nullptr) continue;
        papers_none.points.push_back({static_cast<double>(gap.gap), {paper->*none}});
        papers_householder.points.push_back({static_cast<double>(gap.gap), {paper->*householder}});
    }
    if (tests.cross_fitted || tests.alpha != papers_alpha || papers_none.points.empty()) return;
    chart.lines.push_back(std::move(papers_none));
    chart.lines.push_back(std::move(papers_householder));
}

DotRow dots(const std::string& label, const GapRates& rates) {
    DotRow row{label, {}};
    for (const Rate& rate : rates.rejected) row.values.push_back(estimate(rate));
    return row;
}

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

std::string sentence_of(const PageLine& line) {
    return line.left + line.node + line.right;
}

Panel panel_of(const TellingPair& pair, const std::vector<PlanePoint>& points, const std::string& title,
               const std::vector<Concordance>& concordances) {
    Panel panel{title, {}, {}};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::size_t group = i < pair.rows_x.size() ? 0 : 1;
        const std::size_t line = group == 0 ? i : i - pair.rows_x.size();
        ScatterPoint point;
        point.x = points[i].x;
        point.y = points[i].y;
        point.group = group;
        point.name = group == 0 ? pair.x : pair.y;
        if (group < concordances.size() && line < concordances[group].lines.size()) {
            point.note = sentence_of(concordances[group].lines[line]);
            point.evidence = {concordances[group].key, line};
        }
        panel.points.push_back(std::move(point));
    }
    return panel;
}

}  // namespace

Svg rejection_figure(const GapTests& tests) {
    LineChart chart = by_gap(tests, &GapRates::rejected);
    chart.heading = {"Rejected pairs by rank gap" + how_fitted(tests),
                     "Share of pairs rejected at " + percent(tests.alpha) + ", with 95% intervals, for four methods"};
    chart.y = percentages("rejected");
    chart.levels = {{tests.alpha, "alpha " + percent(tests.alpha)}};
    add_papers(chart, tests, &PapersGap::baseline, &PapersGap::proposed);
    return svg_of(chart);
}

Svg precision_figure(const GapTests& tests) {
    LineChart chart = by_gap(tests, &GapRates::precision);
    chart.heading = {"Precision by rank gap" + how_fitted(tests),
                     "Share of rejected pairs whose numbers of WordNet senses differ, with 95% intervals"};
    chart.y = percentages("rejected pairs with unlike synset counts");
    chart.y.high = 1;
    const Rate blind = rates_of_all(tests).differing;
    chart.levels = {{blind.value, "all pairs"}};
    add_papers(chart, tests, &PapersGap::baseline_precision, &PapersGap::proposed_precision);
    return svg_of(chart);
}

Svg additional_figure(const Experiment& study) {
    DotPlot plot;
    plot.heading = {"Rejected pairs at wide gaps",
                    "Share of pairs rejected at " + percent(study.options.additional_alpha) +
                        ", with 95% intervals, for each store and gap, beside the paper's"};
    plot.x = percentages("rejected at " + percent(study.options.additional_alpha));
    plot.levels = {{study.options.additional_alpha, "alpha"}};
    for (const Method& method : methods) plot.methods.push_back(name_of(method));
    for (const AdditionalTests& each : study.additional)
        for (const GapRates& rates : rates_by_gap(each.tests))
            plot.rows.push_back(dots(short_path(each.store) + ", gap " + count(rates.gap), rates));
    for (const PapersAdditional& paper : papers_additional) {
        DotRow row{"paper: " + std::string(paper.corpus) + ", gap " + count(paper.gap), {}};
        row.values = {{paper.baseline, NAN, NAN}, {paper.proposed, NAN, NAN}};
        plot.rows.push_back(std::move(row));
    }
    return svg_of(plot);
}

Svg split_half_figure(const Experiment& study, std::size_t method) {
    const std::vector<double>& p = study.split_half.two_sided[method];
    Histogram histogram;
    histogram.heading = {"Split halves: " + name_of(methods[method]),
                         "Two-sided p-values of the two halves of each word; a valid test gives a flat histogram"};
    histogram.x = axis("p");
    histogram.y_label = "words";
    histogram.bars = bars_of(p, 0, 1, 20);
    histogram.level = Guide{static_cast<double>(study.split_half.two_sided_uniformity[method].n) / 20, "uniform"};
    return svg_of(histogram);
}

Svg runtime_figure(const Experiment& study) {
    DotPlot plot;
    plot.heading = {"Time of a permutation", "Microseconds per permutation on every device found, beside the paper's"};
    plot.x = logarithmic("µs per permutation");
    plot.methods = {"one test", "one of many"};
    const auto permutations = static_cast<double>(study.times.permutations);
    for (const DeviceTime& device : study.times.devices) {
        if (std::isnan(device.seconds)) continue;
        DotRow row{device.label, {{1e6 * device.seconds / permutations, NAN, NAN}}};
        if (!std::isnan(device.seconds_each))
            row.values.push_back({1e6 * device.seconds_each / permutations, NAN, NAN});
        plot.rows.push_back(std::move(row));
    }
    for (const PapersTime& paper : papers_times)
        plot.rows.push_back({"paper: " + std::string(paper.device), {{1e3 * paper.milliseconds_each, NAN, NAN}}});
    return svg_of(plot);
}

Svg words_figure(const Experiment& study, const WordNet& wordnet) {
    std::set<std::string> examples;
    for (const WordExample& word : study.words.words) examples.insert(word.word);
    ScatterPlot plot;
    plot.heading = {"Breadth and senses", "Breadth v against the number of WordNet synsets, one point per word"};
    plot.x = logarithmic("WordNet senses");
    plot.y = logarithmic("breadth v");
    plot.groups = {{"words", true}, {"paper's words and both ends"}};
    Panel panel;
    for (const RankedWord& word : study.ranking.words) {
        const std::size_t senses = wordnet.senses(word.word).all();
        if (senses == 0) continue;
        ScatterPoint point;
        point.x = static_cast<double>(senses);
        point.y = word.breadth.v;
        point.name = word.word;
        point.group = examples.contains(word.word) ? 1 : 0;
        point.prominence = static_cast<double>(point.group);
        if (point.group == 1) point.evidence.row = word.word;
        panel.points.push_back(std::move(point));
    }
    plot.panels = {std::move(panel)};
    return svg_of(plot);
}

Svg changed_figure(const Experiment& study) {
    const double alpha = study.main.alpha;
    ScatterPlot plot;
    plot.heading = {"What alignment does to p",
                    "p with householder alignment against p without it, one point per pair of the main experiment"};
    plot.x = logarithmic("p, none");
    plot.y = logarithmic("p, householder");
    plot.groups = {{"same verdict", true}, {"rejected by none only"}, {"rejected by householder only"}};
    plot.x_guides = {{alpha, "alpha"}};
    plot.y_guides = {{alpha, "alpha"}};
    Panel panel;
    for (const TestedPair& pair : study.main.pairs) {
        if (std::isnan(pair.p[0]) || std::isnan(pair.p[1])) continue;
        const bool none = pair.p[0] <= alpha, householder = pair.p[1] <= alpha;
        ScatterPoint point;
        point.x = pair.p[0];
        point.y = pair.p[1];
        point.group = none == householder ? 0 : none ? 1 : 2;
        point.name = pair.x + " – " + pair.y;
        if (point.group > 0) point.evidence.row = point.name;
        panel.points.push_back(std::move(point));
    }
    plot.panels = {std::move(panel)};
    return svg_of(plot);
}

Svg law_figure(const Experiment& study) {
    const LawFit& fit = study.law.of_bins;
    ScatterPlot plot;
    plot.heading = {"Breadth and frequency", "Breadth v against frequency: words in grey, means of bins with a line"};
    plot.x = logarithmic("frequency in the corpus");
    plot.y = logarithmic("breadth v");
    plot.groups = {{"words", true}, {"bins of " + count(study.law.bin_size) + " words"}};
    Panel panel;
    for (const RankedWord& word : study.ranking.words) {
        ScatterPoint point;
        point.x = static_cast<double>(word.frequency);
        point.y = word.breadth.v;
        point.name = word.word;
        panel.points.push_back(std::move(point));
    }
    for (const FrequencyBin& bin : study.law.bins) {
        ScatterPoint point;
        point.x = std::exp(bin.log_frequency);
        point.y = std::exp(bin.log_v);
        point.group = 1;
        point.name = count(bin.words) + " words from " + bin.most_frequent;
        panel.points.push_back(std::move(point));
    }
    if (!std::isnan(fit.slope)) {
        const double first = study.law.bins.front().log_frequency, last = study.law.bins.back().log_frequency;
        const auto height = [&](double x) { return std::exp(fit.intercept + fit.slope * x); };
        panel.segments = {
            {std::exp(first), height(first), std::exp(last), height(last),
             "slope " + fixed(fit.slope, 3) + (std::isnan(fit.r_squared) ? "" : ", R² " + fixed(fit.r_squared, 2))}};
    }
    plot.panels = {std::move(panel)};
    return svg_of(plot);
}

std::vector<Concordance> pair_concordances(const TellingPair& pair, const Store& store) {
    return {concordance_of(pair.x, pair.rows_x, store), concordance_of(pair.y, pair.rows_y, store)};
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

Svg null_figure(const TestResult& result) {
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
    histogram.extreme_below = -std::abs(result.T);
    histogram.extreme_above = std::abs(result.T);
    return svg_of(histogram);
}

}  // namespace wordbreadth::report
