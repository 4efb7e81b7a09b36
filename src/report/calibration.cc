// How far the tests on a store can be trusted.
#include <cmath>
#include <nlohmann/json.hpp>

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
};

const NullNames& names_of(NullKind kind) {
    return *std::ranges::find(null_names, kind, &NullNames::kind);
}

std::string plot_label(const NullRates& null) {
    return names_of(null.kind).label + (", " + count(null.n)) + " + " + count(null.m);
}

const NullRates& null_of(const Calibration& calibration, NullKind kind) {
    return *std::ranges::find(calibration.nulls, kind, &NullRates::kind);
}

// "2 of 5" methods pass, which.
std::string trusted_sentence(const Calibration& calibration) {
    std::string passing, failing;
    for (std::size_t k = 0; k < methods.size(); ++k) {
        std::string& list = calibration.trusted[k] ? passing : failing;
        list += (list.empty() ? "" : "; ") + name_of(methods[k]);
    }
    std::string text;
    if (!passing.empty()) text += "Keep to their level on every kind of halves: " + passing + ". ";
    if (!failing.empty()) text += "Reject too often on at least one: " + failing + ". ";
    return text;
}

std::string recommendation(const Calibration& calibration) {
    if (!calibration.recommended)
        return "No method keeps its level on this store: its p-values should not be relied on. Look for repeated "
               "sentences in the corpus, and extract more rows per word.";
    return "Recommended here: " + options_of(*calibration.recommended) + ".";
}

std::string foot(const Calibration& calibration) {
    const CalibrateOptions& o = calibration.options;
    std::string text = count(calibration.words) + " words with " + count(o.common_size) + " rows; " +
                       count(o.permutations) + " permutations, two-sided, seed " + std::to_string(o.seed);
    if (o.adaptive) text += "; a test stops once it cannot reject at any of these levels, which changes no rate";
    return text + ". Rates with 95% intervals; neighbours in rank may differ in truth, and are not judged.";
}

Json settings(const Calibration& calibration) {
    const CalibrateOptions& o = calibration.options;
    return {{"store", calibration.store}, {"words", calibration.words}, {"common_size", o.common_size},
            {"count", o.count},           {"alphas", o.alphas},         {"permutations", o.permutations},
            {"alternative", "two-sided"}, {"adaptive", o.adaptive},     {"seed", o.seed}};
}

// "halves turned apart, 50 and 50 rows".
std::string description_of(const NullRates& null) {
    return names_of(null.kind).name + (", " + count(null.n)) + " and " + count(null.m) + " rows";
}

// The rates at one of the alphas, for people.
Table rates_at(const Calibration& calibration, std::size_t alpha) {
    Columns<NullRates> columns = {
        {"", "false positives at " + percent(calibration.options.alphas[alpha]), look::note, description_of}};
    for (std::size_t k = 0; k < methods.size(); ++k)
        columns.push_back({"", name_of(methods[k]), look::percent,
                           [k, alpha](const NullRates& null) { return null.methods[k].rates[alpha]; }});
    return table_of("", "", calibration.nulls, std::move(columns));
}

std::string halves_sentence(const Calibration& calibration) {
    std::string text = "Uniformity of the p-values of split halves (Kolmogorov-Smirnov): ";
    const NullRates& null = null_of(calibration, NullKind::split_halves);
    for (std::size_t k = 0; k < methods.size(); ++k)
        text += (k > 0 ? "; " : "") + name_of(methods[k]) + " p = " + p_value(null.methods[k].uniformity.p);
    return text + ".";
}

// The alpha nearest to 0.05, by its place: the one that the picture and the verdict speak of.
std::size_t main_alpha(const Calibration& calibration) {
    const auto distance = [](double alpha) { return std::abs(alpha - 0.05); };
    const auto& alphas = calibration.options.alphas;
    return static_cast<std::size_t>(std::ranges::min_element(alphas, {}, distance) - alphas.begin());
}

// What it comes to, in plain language, a few sentences.
std::string conclusion(const Calibration& calibration) {
    const std::size_t alpha = main_alpha(calibration);
    const NullRates& turned = null_of(calibration, NullKind::turned_halves);
    const auto rate = [&](std::size_t method) {
        return percent(std::round(1000 * turned.methods[method].rates[alpha].value) / 1000);
    };
    return "Where two clouds differ in nothing but direction, a test at " + percent(calibration.options.alphas[alpha]) +
           " sees a difference in breadth in " + rate(0) + " of the pairs without alignment and in " + rate(1) +
           " with it. " + trusted_sentence(calibration) + recommendation(calibration);
}

}  // namespace

Table table_of(const Calibration& calibration) {
    const std::vector<double>& alphas = calibration.options.alphas;
    std::vector<Cells> rows;
    for (const NullRates& null : calibration.nulls)
        for (std::size_t k = 0; k < methods.size(); ++k)
            for (std::size_t a = 0; a < alphas.size(); ++a) {
                const MethodRates& of = null.methods[k];
                rows.push_back({names_of(null.kind).key, null.n, null.m, name_of(methods[k]), alphas[a],
                                of.rates[a].trials, of.rates[a], of.uniformity.distance, of.uniformity.p});
            }
    return table_of(
        "calibration", "How often tests reject where the two clouds are equally broad.",
        {{"pairs", "pairs", look::note},
         {"n", "n"},
         {"m", "m"},
         {"method", "method", look::note},
         {"alpha", "alpha", look::digits(2)},
         {"tests", "tests", look::count, "those that are defined"},
         {"rate", "false positives", look::rate, "share of tests with p at or below alpha, with its 95% interval"},
         {"ks_distance", "KS distance", look::decimals(3), "largest distance of the p-values from uniform"},
         {"ks_p", "KS p", look::p, "small: the p-values are not uniform"}},
        std::move(rows));
}

Svg figure_of(const Calibration& calibration) {
    const std::size_t alpha = main_alpha(calibration);
    const double level = calibration.options.alphas[alpha];
    DotPlot plot;
    plot.heading = {"How often the test sees a difference where there is none",
                    "False positive rates of four methods on pairs of clouds that are equally broad, with 95% "
                    "intervals, against the nominal " +
                        percent(level)};
    plot.x.label = "rejected at a nominal " + percent(level);
    plot.x.percent = true;
    plot.x.low = 0;
    plot.levels = {{level, "nominal " + percent(level)}};
    for (const Method& method : methods) plot.methods.push_back(name_of(method));
    for (const NullRates& null : calibration.nulls) {
        DotRow row{plot_label(null), {}};
        for (const MethodRates& rates : null.methods) row.values.emplace_back(rates.rates[alpha]);
        plot.rows.push_back(std::move(row));
    }
    return svg_of(plot);
}

std::string text_of(const Calibration& calibration, const Style& style) {
    std::string text;
    for (std::size_t alpha = 0; alpha < calibration.options.alphas.size(); ++alpha)
        text += text_of(rates_at(calibration, alpha), style) + "\n";
    return text + style.bold_line(conclusion(calibration)) + "\n" + style.plain_line(halves_sentence(calibration)) +
           style.dim_line(foot(calibration));
}

Json json_of(const Calibration& calibration) {
    Json trusted = Json::array();
    for (std::size_t k = 0; k < methods.size(); ++k)
        trusted.push_back({{"align", name_of(methods[k].align)},
                           {"statistic", name_of(methods[k].statistic)},
                           {"keeps_its_level", calibration.trusted[k]}});
    Json recommended = nullptr;
    if (calibration.recommended) recommended = options_of(*calibration.recommended);
    return {{"settings", settings(calibration)},
            {"results", json_of(table_of(calibration))},
            {"methods", std::move(trusted)},
            {"recommended", std::move(recommended)},
            {"verdict", conclusion(calibration)}};
}

}  // namespace wordbreadth::report
