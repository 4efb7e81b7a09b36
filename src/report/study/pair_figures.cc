// The pictures of one pair of words: its clouds on a plane, and T among its null distribution.
#include <algorithm>
#include <cmath>

#include "report/figures/figures.h"
#include "report/number.h"
#include "report/study/experiment_figures.h"
#include "report/study/experiment_tables.h"
#include "report/verdict.h"
#include "wordbreadth/concordance.h"
#include "wordbreadth/names.h"

namespace wordbreadth::report {
namespace {

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
