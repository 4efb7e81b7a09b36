#include "report/layer_study.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/parts.h"

namespace wordbreadth::report {
namespace {

const std::string& reference_of(const LayerStudy& study) {
    return study.layers[study.reference].layer;
}

std::string interval_text(const CorrelationEstimate& found) {
    if (std::isnan(found.value)) return "-";
    return fixed(found.value, 2) + " (" + fixed(found.low, 2) + " to " + fixed(found.high, 2) + ")";
}

// For people a value with its interval, for programs three columns.
void add_estimate(Columns<LayerResult>& columns, const std::string& key, const std::string& heading,
                  const std::function<CorrelationEstimate(const LayerResult&)>& get, const std::string& help) {
    columns.push_back({key, heading, look::decimals(2),
                       [get](const LayerResult& layer) {
                           const CorrelationEstimate found = get(layer);
                           return Value(found.value).shown_as(interval_text(found));
                       },
                       help});
    columns.push_back({key + "_low", [get](const LayerResult& layer) { return Value(get(layer).low); }});
    columns.push_back({key + "_high", [get](const LayerResult& layer) { return Value(get(layer).high); }});
}

void add_senses(Columns<LayerResult>& columns, const std::string& reference) {
    const std::string what = "partial rank correlation of breadth with ", given = ", given frequency; 95% interval";
    add_estimate(
        columns, "senses", "breadth and senses", [](const LayerResult& l) { return l.senses.at_layer; },
        what + "the number of senses in WordNet" + given);
    add_estimate(
        columns, "senses_gain", "beyond layer " + reference, [](const LayerResult& l) { return l.senses.gain; },
        "the difference from layer " + reference + ", on the same samples of words");
    add_estimate(
        columns, "entropy", "breadth and sense entropy", [](const LayerResult& l) { return l.entropy.at_layer; },
        what + "the entropy of its senses' frequencies in WordNet's texts" + given);
    add_estimate(
        columns, "entropy_gain", "beyond layer " + reference, [](const LayerResult& l) { return l.entropy.gain; },
        "the difference from layer " + reference + ", on the same samples of words");
}

// Every layer against every other.
Table matrix(const LayerStudy& study, const std::string& name, const std::string& heading, Look look,
             const std::function<Value(const LayerResult&, std::size_t)>& value) {
    Columns<LayerResult> columns = {{"layer", heading, look::subject, &LayerResult::layer}};
    for (std::size_t other = 0; other < study.layers.size(); ++other)
        columns.push_back({"layer_" + study.layers[other].layer, study.layers[other].layer, look,
                           [value, other](const LayerResult& layer) { return value(layer, other); }});
    return table_of(name, "", study.layers, std::move(columns));
}

std::string agreement_sentence(const LayerStudy& study) {
    double least = 1, same = 1, opposite = 0;
    for (const LayerResult& layer : study.layers)
        for (std::size_t other = 0; other < study.layers.size(); ++other) {
            least = std::min(least, layer.correlations[other]);
            same = std::min(same, layer.same_verdict[other].value);
            opposite = std::max(opposite, layer.opposite[other].value);
        }
    std::string text = "The rankings of two layers correlate at " + fixed(least, 2) + " at least";
    if (study.pairs == 0) return text + ".";
    return text + "; the test gives the same verdict on " + percent(std::round(1000 * same) / 1000) +
           " of the pairs or more, and opposite ones on " + percent(std::round(1000 * opposite) / 1000) + " at most.";
}

bool is_surely_more(const LayerResult& layer) {
    return layer.senses.gain.low > 0 && layer.entropy.gain.low > 0;
}

// Which layer to take is for people to say: which go with senses more closely than the reference by both measures.
std::string senses_sentence(const LayerStudy& study) {
    if (study.known == 0) return "";
    std::string better;
    for (const LayerResult& layer : study.layers)
        if (is_surely_more(layer)) better += (better.empty() ? "" : ", ") + layer.layer;
    const std::string reference = reference_of(study);
    if (better.empty())
        return " No layer is clearly closer to WordNet's senses than layer " + reference + " by both measures.";
    return " Closer to WordNet's senses than layer " + reference + ", clearly and by both measures: " + better + ".";
}

std::string foot(const LayerStudy& study) {
    const LayerStudyOptions& o = study.options;
    std::string text = counted(study.words, "word") + "; ";
    text += study.known == 0 ? "no word is known to WordNet"
                             : count(study.known) + " are lemmas of WordNet, " + count(study.tagged) +
                                   " of them tagged " + count(fewest_tags) + " times or more";
    text += "; correlations with senses are partial rank correlations given frequency, with 95% intervals from " +
            count(o.draws) + " samples of words; " + counted(study.pairs, "random pair") + ", " +
            name_of(study.method) + ", " + count(o.permutations) + " permutations, two-sided, at " + percent(o.alpha) +
            "; seed " + std::to_string(o.seed) + ".";
    return text;
}

}  // namespace

Table correlations_table(const LayerStudy& study) {
    return matrix(study, "layer_correlations", "rank correlation of breadths", look::decimals(3),
                  [](const LayerResult& layer, std::size_t other) { return Value(layer.correlations[other]); });
}

Table verdicts_table(const LayerStudy& study) {
    return matrix(study, "layer_verdicts", "pairs with the same verdict", look::percent,
                  [](const LayerResult& layer, std::size_t other) {
                      const double same = layer.same_verdict[other].value;
                      return Value(same).shown_as(percent(std::round(1000 * same) / 1000));
                  });
}

Table table_of(const LayerStudy& study) {
    const std::string reference = reference_of(study);
    Columns<LayerResult> columns = {{"layer", "layer", look::subject, &LayerResult::layer}};
    add_senses(columns, reference);
    const std::size_t at = study.reference;
    columns.push_back({"correlation", "ranks as at layer " + reference, look::decimals(3),
                       [at](const LayerResult& layer) { return Value(layer.correlations[at]); },
                       "rank correlation of breadths with those at layer " + reference});
    columns.push_back({"different", "pairs that differ", look::percent, &LayerResult::different,
                       "share of the pairs whose breadths differ by the test"});
    columns.push_back({"same_verdict", "same verdict as layer " + reference, look::percent,
                       [at](const LayerResult& layer) { return Value(layer.same_verdict[at]); },
                       "broader, narrower or undecided, as at layer " + reference});
    columns.push_back({"opposite", "opposite verdict", look::percent,
                       [at](const LayerResult& layer) { return Value(layer.opposite[at]); },
                       "broader at one of the two layers, narrower at the other"});
    return table_of("layers", "What changes from layer to layer.", study.layers, std::move(columns));
}

std::string text_of(const LayerStudy& study, const Style& style) {
    return text_of(table_of(study), style) + "\n" + text_of(correlations_table(study), style) + "\n" +
           text_of(verdicts_table(study), style) + "\n" +
           style.bold_line(agreement_sentence(study) + senses_sentence(study)) + "\n" + style.dim_line(foot(study));
}

Json json_of(const LayerStudy& study) {
    const LayerStudyOptions& o = study.options;
    Json rows = json_of(table_of(study));
    for (std::size_t layer = 0; layer < study.layers.size(); ++layer)
        for (std::size_t other = 0; other < study.layers.size(); ++other) {
            const std::string& name = study.layers[other].layer;
            rows[layer]["correlations"][name] = json_number(study.layers[layer].correlations[other]);
            rows[layer]["same_verdicts"][name] = json_number(study.layers[layer].same_verdict[other].value);
            rows[layer]["opposites"][name] = json_number(study.layers[layer].opposite[other].value);
        }
    return {{"settings",
             {{"store", study.store},
              {"count", o.count},
              {"alpha", o.alpha},
              {"permutations", o.permutations},
              {"draws", o.draws},
              {"seed", o.seed},
              {"align", wordbreadth::name_of(study.method.align)},
              {"statistic", wordbreadth::name_of(study.method.statistic)}}},
            {"words", study.words},
            {"known", study.known},
            {"tagged", study.tagged},
            {"pairs", study.pairs},
            {"reference", reference_of(study)},
            {"layers", std::move(rows)},
            {"verdict", agreement_sentence(study) + senses_sentence(study)}};
}

Svg figure_of(const LayerStudy& study) {
    DotPlot plot;
    plot.heading = {"Breadth and WordNet's senses, layer by layer",
                    "Partial rank correlations of breadth with the number of senses and with the entropy of their "
                    "frequencies, given frequency in the corpus, with 95% intervals"};
    plot.x.label = "partial rank correlation, given frequency";
    plot.methods = {"number of senses", "entropy of senses"};
    const auto estimate = [](const CorrelationEstimate& of) { return Estimate(of.value, of.low, of.high); };
    for (const LayerResult& layer : study.layers)
        plot.rows.push_back(
            {"layer " + layer.layer, {estimate(layer.senses.at_layer), estimate(layer.entropy.at_layer)}});
    return svg_of(plot);
}

Page page_of(const LayerStudy& study) {
    Page page;
    page.title = "What changes from layer to layer";
    page.subtitle = counted(study.words, "word") + ", " + counted(study.layers.size(), "layer");
    page.sections.push_back(
        {"In short", {Finding{agreement_sentence(study) + senses_sentence(study)}, Paragraph{foot(study)}}});
    Section senses{"Breadth and senses", {}};
    if (study.known > 0)
        senses.blocks.push_back(Figure{figure_of(study), "With 95% intervals over samples of words.", "layers"});
    // In two tables, of which each fits onto the page.
    const Table all = table_of(study);
    const std::string reference = reference_of(study);
    senses.blocks.push_back(
        data_table(part_of(all, {"layer", "senses", "senses_gain", "entropy", "entropy_gain"},
                           "Rank correlation of breadth with WordNet's senses, given frequency, at every layer.")));
    page.sections.push_back(std::move(senses));
    page.sections.push_back(
        {"Layers against layers",
         {data_table(part_of(all, {"layer", "correlation", "different", "same_verdict", "opposite"},
                             "Ranks and verdicts at every layer, beside those at layer " + reference + ".")),
          data_table(correlations_table(study)), data_table(verdicts_table(study))}});
    return page;
}

std::vector<Setting> vectors_of(const LayerStudy& study, const Store& store) {
    std::vector<Setting> settings = vectors_of(store);
    for (Setting& setting : settings)
        if (setting.name == "layers") setting.value = base::joined(study.layers, ", ", &LayerResult::layer);
    return settings;
}

}  // namespace wordbreadth::report
