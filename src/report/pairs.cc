#include "report/pairs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "report/names.h"
#include "report/table/number.h"
#include "report/test.h"
#include "wordbreadth/rates.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;

std::vector<ReportedTest> tests_of(const TestedPairs& pairs) {
    std::vector<ReportedTest> tests;
    for (std::size_t i = 0; i < pairs.results.size(); ++i)
        tests.push_back(
            {&pairs.results[i], pairs.adjusted[i], pairs.gaps != nullptr ? pairs.gaps->pairs[i].gap : 0, {}});
    return tests;
}

// False discovery rates are called q; Holm's are p-values still.
std::string heading_of(Adjustment method) {
    if (method == Adjustment::none) return "";
    return (method == Adjustment::holm ? "p (" : "q (") + std::string(name_of(method)) + ")";
}

TestColumns columns_of(const TestedPairs& pairs) {
    return {.gap = pairs.gaps != nullptr, .adjusted = heading_of(pairs.adjustment)};
}

Table smallest_p_first(const TestedPairs& pairs, std::size_t shown) {
    std::vector<ReportedTest> tests = tests_of(pairs);
    const auto key = [](const ReportedTest& test) { return std::isnan(test.result->p) ? HUGE_VAL : test.result->p; };
    std::ranges::stable_sort(tests, {}, key);
    tests.resize(std::min(tests.size(), shown));
    return part_of(table_of(std::move(tests), columns_of(pairs)), {"x", "y", "n", "m", "ratio", "T", "p", "p_adjusted"},
                   "");
}

// One bad cloud is the reason of all its pairs.
std::string why_no_p(std::span<const TestResult> results, const Style& style) {
    std::vector<const TestResult*> first;  // of each reason
    std::map<std::string_view, std::size_t> pairs;
    for (const TestResult& result : results)
        if (!result.undefined.empty() && ++pairs[result.undefined] == 1) first.push_back(&result);
    std::vector<std::pair<std::string, std::string>> reasons;
    for (const TestResult* result : first) {
        const std::size_t others = pairs[result->undefined] - 1;
        reasons.emplace_back("no p-value for " + printable(result->x) + " and " + printable(result->y) +
                                 (others == 0 ? "" : ", and " + counted(others, "pair") + " more"),
                             result->undefined);
    }
    return reason_lines(reasons, style);
}

// "190 pairs", or "3 of 190 pairs shown (...)".
std::string shown_of(std::size_t shown, std::size_t all) {
    if (shown >= all) return counted(all, "pair");
    return count(shown) + " of " + counted(all, "pair") + " shown (TSV and JSON have all)";
}

std::string method_sentence(const TestedPairs& pairs, std::size_t shown) {
    std::string text = shown_of(shown, pairs.results.size()) + ", ";
    if (pairs.common_size > 0) text += count(pairs.common_size) + " rows of each cloud, ";
    return text + "at most " + count(pairs.options.permutations) + " permutations each; " +
           method_of(pairs.results.front()) + ", " + duration(pairs.seconds);
}

std::string method_by_gap(const TestedPairs& pairs) {
    TestResult described = pairs.results.front();
    described.seed = pairs.options.seed;  // where each test has a seed of its own, this is the one that they come from
    return count(pairs.gaps->words.size()) + " words by " + std::string(name_of(pairs.gap_options.by)) + ", " +
           count(pairs.gaps->rows) + " rows of each tested" +
           (pairs.gap_options.cross_fit ? ", others ranked; " : "; ") + method_of(described) + ", " +
           duration(pairs.seconds) + "; TSV and JSON have the pairs";
}

// 1 - 0.95 as 0.05, not as 0.050000000000000044.
double level_of(const TestOptions& options) {
    return std::round((1 - options.confidence) * 1e12) / 1e12;
}

}  // namespace

Table table_of(const TestedPairs& pairs) {
    return table_of(tests_of(pairs), columns_of(pairs));
}

Table gap_rates(const TestedPairs& pairs) {
    struct Row {
        std::size_t gap;
        Rate rate;
    };
    const double alpha = level_of(pairs.options);
    std::map<std::size_t, std::vector<double>> p;
    for (std::size_t i = 0; i < pairs.results.size(); ++i) p[pairs.gaps->pairs[i].gap].push_back(pairs.results[i].p);
    std::vector<Row> rows;
    for (const auto& [gap, values] : p) rows.push_back({gap, rejection_rate(values, alpha)});
    return table_of<Row>(
        "gaps", "Rejection rates by rank gap.", std::move(rows),
        {{"gap", "gap", look::count, &Row::gap},
         {"pairs", "pairs", look::count, [](const Row& row) { return row.rate.trials; }},
         {"rejected", "p <= " + shortest(alpha), look::count, [](const Row& row) { return row.rate.hits; }},
         {"rate", "rate (95% interval)", look::rate, &Row::rate}});
}

std::string text_of(const TestedPairs& pairs, std::size_t shown, const Style& style) {
    if (pairs.gaps != nullptr) return text_of(gap_rates(pairs), style) + "\n" + style.dim_line(method_by_gap(pairs));
    return text_of(smallest_p_first(pairs, shown), style) + why_no_p(pairs.results, style) + "\n" +
           style.dim_line(method_sentence(pairs, shown));
}

Json json_of(const TestedPairs& pairs) {
    Json json = {{"results", json_of(tests_of(pairs), columns_of(pairs))}, {"seconds", json_number(pairs.seconds)}};
    if (pairs.gaps != nullptr) json["gaps"] = json_of(gap_rates(pairs));
    return json;
}

}  // namespace wordbreadth::report
