// How far the tests on a store can be trusted.
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "report/command_line.h"
#include "report/parts.h"

namespace wordbreadth::report {
namespace {

// What pairs of a kind are called: for programs, for people, and beside a picture, where there is little room.
struct NullNames {
    NullKind kind;
    const char* key;
    const char* name;
    const char* label;
};
constexpr NullNames null_names[] = {
    {NullKind::split_halves, "split_halves", "two halves of a word", "two halves of a word"},
    {NullKind::turned_halves, "turned_halves", "halves turned apart", "parts turned apart"},
    {NullKind::unequal_halves, "turned_unequal_halves", "unequal parts turned apart", "parts turned apart"},
    {NullKind::neighbours, "cross_fitted_neighbours", "neighbours in rank, cross-fitted", "neighbours (nearly equal)"},
    {NullKind::document_halves, "turned_document_halves", "halves of whole documents, turned apart",
     "whole documents, turned"},
    {NullKind::unequal_documents, "turned_unequal_documents", "unequal parts of whole documents, turned apart",
     "whole documents, turned"},
    {NullKind::round_stretched, "round_stretched", "simulated: round against stretched", "round, stretched"},
    {NullKind::stretched_round, "stretched_round", "simulated: stretched against round", "stretched, round"},
    {NullKind::one_two_modes, "one_two_modes", "simulated: one mode against two", "one mode, two modes"},
    {NullKind::two_one_modes, "two_one_modes", "simulated: two modes against one", "two modes, one mode"},
};

const NullNames& names_of(NullKind kind) {
    return *std::ranges::find(null_names, kind, &NullNames::kind);
}

std::string plot_label(const NullRates& null) {
    return names_of(null.kind).label + (", " + count(null.n)) + " + " + count(null.m);
}

const NullRates* find_null(const Calibration& calibration, NullKind kind) {
    const auto found = std::ranges::find(calibration.nulls, kind, &NullRates::kind);
    return found == calibration.nulls.end() ? nullptr : &*found;
}

// Nothing where pairs of this kind were not tested by the method.
std::optional<Rate> rate_of(const NullRates& null, const Method& method, std::size_t alpha) {
    const auto found = std::ranges::find(null.methods, method, &MethodRates::method);
    if (found == null.methods.end()) return std::nullopt;
    return found->rates[alpha];
}

std::optional<Rate> rate_of(const MixtureRates& mixture, std::vector<Rate> MethodPower::*rates, const Method& method,
                            std::size_t alpha) {
    const auto found = std::ranges::find(mixture.methods, method, &MethodPower::method);
    if (found == mixture.methods.end()) return std::nullopt;
    return ((*found).*rates)[alpha];
}

// Ties to even, as in the tables.
std::string rounded_percent(double share) {
    return percent(std::nearbyint(1000 * share) / 1000);
}

std::string trusted_sentence(const Calibration& calibration) {
    std::string passing, failing;
    for (const JudgedMethod& judged : calibration.judged) {
        std::string& list = judged.keeps_its_level ? passing : failing;
        list += (list.empty() ? "" : "; ") + name_of(judged.method);
    }
    std::string text;
    if (!passing.empty()) text += "Keep to their level on every kind of halves: " + passing + ". ";
    if (!failing.empty()) text += "Reject too often on at least one: " + failing + ". ";
    return text;
}

// What a user of the method has to know: simulated clouds are not the store, and no reason to reject it, but its words
// may be of such shapes.
std::string shape_sentence(const JudgedMethod& judged) {
    const ShapeRate& worst = *judged.worst_shape;
    std::string text = " Its highest rate on simulated shapes is " + readable(worst.rate, look::percent, false) + ": " +
                       names_of(worst.kind).label + ", " + count(worst.n) + " and " + count(worst.m) + " rows";
    if (!judged.keeps_its_level_on_shapes)
        text +=
            "; some of these rates are surely above their level, so distrust a p near it where words look like that";
    return text + ".";
}

std::string recommendation(const Calibration& calibration, Caller caller) {
    if (!calibration.recommended)
        return "No method keeps its level on this store: its p-values should not be relied on. Look for repeated "
               "sentences in the corpus, and extract more rows per word.";
    const Method& method = *calibration.recommended;
    std::string text = "Recommended here: " + options_of(method, caller);
    const auto judged = std::ranges::find(calibration.judged, method, &JudgedMethod::method);
    if (judged->power.trials > 0) text += ", which finds " + rounded_percent(judged->power.value) + " of the mixtures";
    text += ".";
    return judged->worst_shape ? text + shape_sentence(*judged) : text;
}

std::string foot(const Calibration& calibration) {
    const CalibrateOptions& o = calibration.options;
    std::string text = count(calibration.words) + " words with " + count(o.common_size) + " rows; " +
                       count(o.permutations) + " permutations, two-sided, seed " + std::to_string(o.seed);
    if ((o.documents.value_or(false) || o.power) && o.permutations > permutations_of_parts)
        text += "; whole documents and mixtures: " + count(permutations_of_parts) + " permutations";
    if (o.adaptive) text += "; a test stops once it cannot reject at any of these levels, which changes no rate";
    return text + ". Rates with 95% intervals; neighbours in rank may differ in truth, and are not judged.";
}

Json settings(const Calibration& calibration) {
    const CalibrateOptions& o = calibration.options;
    return {{"store", calibration.store},
            {"words", calibration.words},
            {"common_size", o.common_size},
            {"count", o.count},
            {"alphas", o.alphas},
            {"permutations", o.permutations},
            {"alternative", "two-sided"},
            {"adaptive", o.adaptive},
            {"seed", o.seed},
            {"blocks", o.documents.value_or(false) ? "document" : "none"},
            {"power", o.power}};
}

// "50 and 50 rows"; ", about 50 and 50 rows of 12 and 13 documents" where these vary.
template <class Rates>
std::string sizes_of(const Rates& rates) {
    std::string rows = count(rates.n) + " and " + count(rates.m) + " rows";
    if (rates.documents_n == 0) return rows;
    return "about " + rows + " of " + count(rates.documents_n) + " and " + count(rates.documents_m) + " documents";
}

// "halves turned apart, 50 and 50 rows".
std::string description_of(const NullRates& null) {
    return std::string(names_of(null.kind).name) + ", " + sizes_of(null);
}

// The rates at one of the alphas, for people.
Table rates_at(const Calibration& calibration, std::size_t alpha) {
    Columns<NullRates> columns = {
        {"pairs", "false positives at " + percent(calibration.options.alphas[alpha]), look::note, description_of}};
    for (const JudgedMethod& judged : calibration.judged)
        columns.push_back(
            {key_of(judged.method), name_of(judged.method), look::percent,
             [method = judged.method, alpha](const NullRates& null) { return rate_of(null, method, alpha); }});
    return table_of("false_positives", "", calibration.nulls, std::move(columns));
}

// The methods that were tried on mixtures.
std::vector<Method> methods_of_mixtures(const Calibration& calibration) {
    std::vector<Method> tried;
    for (const MethodPower& power : calibration.mixtures.front().methods) tried.push_back(power.method);
    return tried;
}

// How often mixtures are found at the main alpha, for people.
Table power_table(const Calibration& calibration) {
    const std::size_t alpha = calibration.main_alpha();
    Columns<MixtureRates> columns = {
        {"mixtures", "found at " + percent(calibration.options.alphas[alpha]), look::note,
         [](const MixtureRates& mixture) { return percent(mixture.share) + " of another word, " + sizes_of(mixture); }},
        {"ratio", "true ratio", look::digits(3), [](const MixtureRates& mixture) { return mixture.ratio; }}};
    for (const Method& method : methods_of_mixtures(calibration))
        columns.push_back(
            {key_of(method), name_of(method), look::percent, [method, alpha](const MixtureRates& mixture) {
                 return rate_of(mixture, &MethodPower::detected, method, alpha);
             }});
    return table_of("power", "", calibration.mixtures, std::move(columns));
}

std::string wrong_sentence(const Calibration& calibration) {
    const std::size_t alpha = calibration.main_alpha();
    std::string text = "Rejected in the wrong direction, over all mixtures: ";
    bool first = true;
    for (const Method& method : methods_of_mixtures(calibration)) {
        std::size_t hits = 0, trials = 0;
        for (const MixtureRates& mixture : calibration.mixtures)
            if (const auto wrong = rate_of(mixture, &MethodPower::wrong, method, alpha)) {
                hits += wrong->hits;
                trials += wrong->trials;
            }
        text += (first ? "" : "; ") + name_of(method) + " " +
                readable(wordbreadth::rate_of(hits, trials), look::percent, false);
        first = false;
    }
    return text + ".";
}

Table needed_table(const NeededSizes& needed) {
    const bool documents = !needed.ratios.empty() && needed.ratios.front().documents > 0;
    const auto whole = [](double NeededRows::*member) {
        return [member](const NeededRows& row) { return static_cast<std::uint64_t>(row.*member); };
    };
    Columns<NeededRows> columns = {{"ratio", "ratio of breadths", look::digits(3), &NeededRows::ratio},
                                   {"rows", "occurrences of each word", look::count, whole(&NeededRows::rows)}};
    const unsigned shown = documents ? in::everything : in::programs;
    columns.push_back({"documents", "in documents", look::count, whole(&NeededRows::documents), "", shown});
    columns.push_back({"most_rows", "for nine of ten words", look::count, whole(&NeededRows::most_rows)});
    columns.push_back({"most_documents", "in documents", look::count, whole(&NeededRows::most_documents), "", shown});
    return table_of("needed", "Occurrences at which a difference is seen.", needed.ratios, std::move(columns));
}

std::string needed_sentence(const NeededSizes& needed) {
    std::string text = "Occurrences of each of two words at which a test at " + percent(needed.alpha) +
                       " sees a ratio of their breadths with " + percent(needed.power) +
                       " power, from the standard errors of " + count(needed.words) +
                       " words, with all their rows and with a quarter of them";
    if (!needed.ratios.empty() && needed.ratios.front().documents > 0)
        text +=
            "; further occurrences are taken to be spread over further documents as these are (median design effect " +
            significant(needed.design_effect, 3) + ")";
    return text + ".";
}

std::string halves_sentence(const Calibration& calibration) {
    std::string text = "Uniformity of the p-values of split halves (Kolmogorov-Smirnov): ";
    const NullRates& null = *find_null(calibration, NullKind::split_halves);
    for (std::size_t k = 0; k < null.methods.size(); ++k)
        text += (k > 0 ? "; " : "") + name_of(null.methods[k].method) + " p = " + p_value(null.methods[k].uniformity.p);
    return text + ".";
}

std::string documents_sentence(const Calibration& calibration) {
    const NullRates* const null = find_null(calibration, NullKind::document_halves);
    if (null == nullptr) return "";
    const auto rate = [&](const Method& method) {
        return rounded_percent(rate_of(*null, method, calibration.main_alpha())->value);
    };
    return "Where the halves are whole documents, whose rows resemble each other, a test that permutes rows rejects " +
           rate(methods[1]) + " of the pairs (robust: " + rate(methods[3]) + "), one that permutes documents " +
           rate(block_method) + ". ";
}

// What it comes to, in plain language, a few sentences.
std::string conclusion(const Calibration& calibration, Caller caller) {
    const std::size_t alpha = calibration.main_alpha();
    const NullRates& turned = *find_null(calibration, NullKind::turned_halves);
    const auto rate = [&](std::size_t method) { return rounded_percent(turned.methods[method].rates[alpha].value); };
    return "Where two clouds differ in nothing but direction, a test at " + percent(calibration.options.alphas[alpha]) +
           " sees a difference in breadth in " + rate(0) + " of the pairs without alignment and in " + rate(1) +
           " with it. " + documents_sentence(calibration) + trusted_sentence(calibration) +
           recommendation(calibration, caller);
}

// Nothing where the method was not tried on simulated shapes.
Json shapes_json(const JudgedMethod& judged) {
    if (!judged.worst_shape) return nullptr;
    const ShapeRate& worst = *judged.worst_shape;
    return {{"keeps_its_level", judged.keeps_its_level_on_shapes},
            {"worst", names_of(worst.kind).key},
            {"n", worst.n},
            {"m", worst.m},
            {"rate", worst.rate.value}};
}

Value documents_or_missing(std::size_t documents) {
    return documents == 0 ? Value() : Value(documents);
}

Svg level_figure(const Calibration& calibration) {
    const std::size_t alpha = calibration.main_alpha();
    const double level = calibration.options.alphas[alpha];
    DotPlot plot;
    plot.heading = {"How often the test sees a difference where there is none",
                    "False positive rates of several methods on pairs of clouds that are equally broad, with 95% "
                    "intervals, against the nominal " +
                        percent(level)};
    plot.x.label = "rejected at a nominal " + percent(level);
    plot.x.percent = true;
    plot.x.low = 0;
    plot.levels = {{level, "nominal " + percent(level)}};
    for (const JudgedMethod& judged : calibration.judged) plot.methods.push_back(name_of(judged.method));
    for (const NullRates& null : calibration.nulls) {
        DotRow row{plot_label(null), {}};
        for (const JudgedMethod& judged : calibration.judged) {
            const std::optional<Rate> rate = rate_of(null, judged.method, alpha);
            row.values.push_back(rate ? Estimate(*rate) : Estimate());
        }
        while (std::isnan(row.values.back().value) && row.values.size() > 1) row.values.pop_back();
        plot.rows.push_back(std::move(row));
    }
    return svg_of(plot);
}

// A line per method for the larger of the equal sizes, and a dashed one for the smaller.
Svg power_figure(const Calibration& calibration) {
    const std::size_t alpha = calibration.main_alpha();
    const double level = calibration.options.alphas[alpha];
    LineChart chart;
    chart.heading = {"How often the test sees a difference that is there",
                     "Detection rates by the share of a cloud's occurrences that come from another word, with 95% "
                     "intervals, for several methods and sizes"};
    chart.x = {
        .label = "share of occurrences that come from another word", .low = 0, .percent = true, .column = "share"};
    chart.y = {.label = "found at a nominal " + percent(level), .low = 0, .high = 1, .percent = true};
    chart.levels = {{level, "nominal " + percent(level)}};
    const std::vector<Method> tried = methods_of_mixtures(calibration);
    const auto add_lines = [&](std::size_t first, bool smaller) {
        for (std::size_t k = 0; k < tried.size(); ++k) {
            const MixtureRates& size = calibration.mixtures[first];
            Line line{name_of(tried[k]) + ", " + count(size.n) + " + " + count(size.m), {}};
            if (smaller) line.like = k;
            for (std::size_t i = first; i < calibration.mixtures.size(); ++i) {
                const MixtureRates& mixture = calibration.mixtures[i];
                if (i > first && mixture.share <= calibration.mixtures[i - 1].share) break;  // the next size
                line.points.push_back(
                    {mixture.share, Estimate(*rate_of(mixture, &MethodPower::detected, tried[k], alpha))});
            }
            chart.lines.push_back(std::move(line));
        }
    };
    std::vector<std::size_t> starts;  // of the sizes
    for (std::size_t i = 0; i < calibration.mixtures.size(); ++i)
        if (i == 0 || calibration.mixtures[i].share <= calibration.mixtures[i - 1].share) starts.push_back(i);
    if (starts.size() > 1) add_lines(starts[1], false);
    add_lines(starts[0], starts.size() > 1);
    return svg_of(chart);
}

}  // namespace

Table table_of(const Calibration& calibration) {
    const std::vector<double>& alphas = calibration.options.alphas;
    std::vector<Cells> rows;
    for (const NullRates& null : calibration.nulls)
        for (const MethodRates& of : null.methods)
            for (std::size_t a = 0; a < alphas.size(); ++a)
                rows.push_back({names_of(null.kind).key, null.n, null.m, name_of(of.method), alphas[a],
                                of.rates[a].trials, of.rates[a], of.uniformity.distance, of.uniformity.p,
                                documents_or_missing(null.documents_n), documents_or_missing(null.documents_m), Value(),
                                null.kind == NullKind::neighbours ? Value() : Value(1.0), Value()});
    for (const MixtureRates& mixture : calibration.mixtures)
        for (const MethodPower& of : mixture.methods)
            for (std::size_t a = 0; a < alphas.size(); ++a)
                rows.push_back({"mixtures", mixture.n, mixture.m, name_of(of.method), alphas[a], of.detected[a].trials,
                                of.detected[a], Value(), Value(), documents_or_missing(mixture.documents_n),
                                documents_or_missing(mixture.documents_m), mixture.share, mixture.ratio, of.wrong[a]});
    return table_of(
        "calibration", "How often tests reject where the truth is known.",
        {{"pairs", "pairs", look::note},
         {"n", "n"},
         {"m", "m"},
         {"method", "method", look::note},
         {"alpha", "alpha", look::digits(2)},
         {"tests", "tests", look::count, "those that are defined"},
         {"rate", "rejected", look::rate,
          "share of tests with p at or below alpha, with its 95% interval; of mixtures, in the right direction"},
         {"ks_distance", "KS distance", look::decimals(3), "largest distance of the p-values from uniform"},
         {"ks_p", "KS p", look::p, "small: the p-values are not uniform"},
         {"documents_n", "documents of n", look::count, "the median"},
         {"documents_m", "documents of m", look::count, "the median"},
         {"share", "share", look::digits(2), "of the first cloud's rows that come from another word"},
         {"ratio", "true ratio", look::digits(3), "of the breadths, the median over pairs"},
         {"wrong", "wrong direction", look::rate, "share of tests that reject and call the broader cloud narrower"}},
        std::move(rows));
}

Svg figure_of(const Calibration& calibration) {
    return calibration.mixtures.empty() ? level_figure(calibration) : power_figure(calibration);
}

std::string text_of(const Calibration& calibration, const Style& style, Caller caller) {
    std::string text;
    for (std::size_t alpha = 0; alpha < calibration.options.alphas.size(); ++alpha)
        text += text_of(rates_at(calibration, alpha), style) + "\n";
    if (!calibration.mixtures.empty())
        text += text_of(power_table(calibration), style) + style.plain_line(wrong_sentence(calibration)) + "\n";
    if (!calibration.needed.ratios.empty())
        text += text_of(needed_table(calibration.needed), style) + style.dim_line(needed_sentence(calibration.needed)) +
                "\n";
    return text + style.bold_line(conclusion(calibration, caller)) + "\n" +
           style.plain_line(halves_sentence(calibration)) + style.dim_line(foot(calibration));
}

Json json_of(const Calibration& calibration, Caller caller) {
    Json judged = Json::array();
    for (const JudgedMethod& each : calibration.judged)
        judged.push_back({{"align", name_of(each.method.align)},
                          {"statistic", name_of(each.method.statistic)},
                          {"keeps_its_level", each.keeps_its_level},
                          {"shapes", shapes_json(each)}});
    Json recommended = nullptr;
    if (calibration.recommended) recommended = options_of(*calibration.recommended, caller);
    const NeededSizes& needed = calibration.needed;
    return {{"settings", settings(calibration)},
            {"results", json_of(table_of(calibration))},
            {"methods", std::move(judged)},
            {"recommended", std::move(recommended)},
            {"verdict", conclusion(calibration, caller)},
            {"needed",
             {{"alpha", needed.alpha},
              {"power", needed.power},
              {"words", needed.words},
              {"design_effect", json_number(needed.design_effect)},
              {"ratios", json_of(needed_table(needed))}}}};
}

Page page_of(const Calibration& calibration, Caller caller) {
    Page page;
    page.title = "How far tests on this store can be trusted";
    page.subtitle = count(calibration.words) + " words, " + count(calibration.options.common_size) +
                    " occurrences of each; every pair has a known truth";
    page.sections.push_back({"In short", {Finding{conclusion(calibration, caller)}, Paragraph{foot(calibration)}}});
    page.sections.push_back(
        {"Where there is no difference",
         {Figure{level_figure(calibration),
                 "False positive rates with 95% intervals. Neighbours in rank may differ in truth.", "calibration"},
          data_table(rates_at(calibration, calibration.main_alpha())), Paragraph{halves_sentence(calibration)}}});
    if (!calibration.mixtures.empty())
        page.sections.push_back(
            {"Where there is one",
             {Figure{power_figure(calibration),
                     "A share of the occurrences of one half of a word is replaced by occurrences of another word that "
                     "is at least as broad, so that this half is the broader one. Methods that reject too often above "
                     "find more here as well.",
                     "power"},
              data_table(power_table(calibration)), Paragraph{wrong_sentence(calibration)}}});
    if (!calibration.needed.ratios.empty())
        page.sections.push_back(
            {"How many occurrences",
             {data_table(needed_table(calibration.needed)), Paragraph{needed_sentence(calibration.needed)}}});
    page.settings = {{"tests of each kind", count(calibration.options.count)},
                     {"permutations of a test, at most", count(calibration.options.permutations)},
                     {"seed", std::to_string(calibration.options.seed)}};
    return page;
}

}  // namespace wordbreadth::report
