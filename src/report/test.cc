#include "report/test.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/names.h"
#include "report/table/number.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;

// The word for the side that was asked about, or, when both were, the side that was found.
std::string side(const TestResult& result) {
    if (result.alternative == Alternative::greater) return "broader";
    if (result.alternative == Alternative::less) return "narrower";
    return result.t.value_or(result.T) > 0 ? "broader" : "narrower";
}

std::string headline(const TestResult& result, double confidence) {
    const std::string x = printable(result.x), y = printable(result.y);
    constexpr double rounding = 1e-12;  // 1 - 0.9 is a little less than 0.1
    if (result.p <= 1 - confidence + rounding) return x + " is " + side(result) + " than " + y;
    const std::string level = " at the " + percent(1 - confidence) + " level";
    if (result.alternative == Alternative::two_sided)
        return "No clear difference in breadth between " + x + " and " + y + level;
    return "Not clear that " + x + " is " + side(result) + " than " + y + level;
}

std::string breadths(const TestResult& result, double confidence) {
    std::string text = "v " + significant(result.v_x, 3) + " against " + significant(result.v_y, 3) + ", ratio " +
                       significant(result.ratio, 3);
    if (std::isfinite(result.ci_low) && std::isfinite(result.ci_high))
        text += " (" + percent(confidence) + " interval " + significant(std::exp(result.ci_low), 3) + " to " +
                significant(std::exp(result.ci_high), 3) + ")";
    return text;
}

std::string effect(const TestResult& result) {
    std::string text = "T = " + significant(result.T, 3);
    if (std::isfinite(result.standard_error)) text += " (standard error " + significant(result.standard_error, 2) + ")";
    if (result.t) text += ", t = " + significant(*result.t, 3);
    return text + "; n = " + count(result.n) + ", m = " + count(result.m) + ", d = " + count(result.d);
}

std::string tail_sentence(const TailEstimate& tail) {
    return "tail estimate of p: " + p_value(tail.p) + " (not a count, but a Pareto fit to the " +
           count(tail.exceedances) + " largest values; goodness of fit " + p_value(tail.goodness_of_fit) +
           ", bad below 0.05)";
}

// A column with a member of the result.
template <class Member>
ColumnOf<ReportedTest> column(std::string key, std::string heading, Look look, Member TestResult::*member) {
    return {std::move(key), std::move(heading), look,
            [member](const ReportedTest& test) { return Value(test.result->*member); }};
}

template <class Choice>
ColumnOf<ReportedTest> choice_column(std::string key, Choice TestResult::*member) {
    return {std::move(key), "", {}, [member](const ReportedTest& test) { return name_of(test.result->*member); }};
}

ColumnOf<ReportedTest> text_column(std::string key, std::string TestResult::*member) {
    return {
        std::move(key), "", {}, [member](const ReportedTest& test) { return text_or_missing(test.result->*member); }};
}

template <class Member>
ColumnOf<ReportedTest> tail_column(std::string key, Member TailEstimate::*member) {
    return {std::move(key), "", {}, [member](const ReportedTest& test) {
                const auto& tail = test.result->tail;
                return tail ? Value((*tail).*member) : Value();
            }};
}

// An infinite T has no ratio that people could read.
Value ratio_of(const ReportedTest& test) {
    const Value ratio(test.result->ratio);
    return std::isfinite(test.result->T) ? ratio : ratio.shown_as("-");
}

// New columns go to the end: programs may know them by their numbers.
Columns<ReportedTest> columns_of(const TestColumns& with) {
    Columns<ReportedTest> columns;
    if (with.gap) columns.push_back({"gap", "", {}, &ReportedTest::gap});
    columns.insert(columns.end(), {column("x", "x", look::name, &TestResult::x),
                                   column("y", "y", look::name, &TestResult::y),
                                   column("n", "n", look::plain, &TestResult::n),
                                   column("m", "m", look::plain, &TestResult::m),
                                   column("d", "", {}, &TestResult::d),
                                   column("r_x", "", {}, &TestResult::r_x),
                                   column("r_y", "", {}, &TestResult::r_y),
                                   column("v_x", "", {}, &TestResult::v_x),
                                   column("v_y", "", {}, &TestResult::v_y),
                                   column("T", "T", look::decimals(4), &TestResult::T),
                                   {"ratio", "ratio", look::decimals(3), ratio_of},
                                   column("t", "", {}, &TestResult::t),
                                   choice_column("statistic", &TestResult::statistic),
                                   column("standard_error", "", {}, &TestResult::standard_error),
                                   column("ci_low", "", {}, &TestResult::ci_low),
                                   column("ci_high", "", {}, &TestResult::ci_high),
                                   column("p", "p", look::p, &TestResult::p)});
    if (with.adjusted) columns.push_back({"p_adjusted", *with.adjusted, look::p, &ReportedTest::adjusted});
    columns.insert(
        columns.end(),
        {column("exceedances", "", {}, &TestResult::exceedances),
         column("permutations", "", {}, &TestResult::permutations), column("exact", "", {}, &TestResult::exact),
         column("stopped_early", "", {}, &TestResult::stopped_early),
         choice_column("alternative", &TestResult::alternative), choice_column("align", &TestResult::align),
         column("seed", "", {}, &TestResult::seed), column("device", "", {}, &TestResult::device),
         column("seconds", "", {}, &TestResult::seconds), text_column("undefined", &TestResult::undefined),
         tail_column("tail_p", &TailEstimate::p), tail_column("tail_shape", &TailEstimate::shape),
         tail_column("tail_scale", &TailEstimate::scale), tail_column("tail_exceedances", &TailEstimate::exceedances),
         tail_column("tail_goodness_of_fit", &TailEstimate::goodness_of_fit),
         text_column("x_source", &TestResult::x_source), text_column("y_source", &TestResult::y_source)});
    if (with.forced)
        columns.push_back({"forced", "", {}, [](const ReportedTest& test) { return text_or_missing(test.forced); }});
    return columns;
}

Json json_of(const std::optional<TailEstimate>& tail) {
    if (!tail) return nullptr;
    return {{"p", json_number(tail->p)},
            {"shape", json_number(tail->shape)},
            {"scale", json_number(tail->scale)},
            {"exceedances", tail->exceedances},
            {"goodness_of_fit", json_number(tail->goodness_of_fit)},
            {"estimate", true}};
}

}  // namespace

std::string p_sentence(const TestResult& result) {
    const std::string found = result.exceedances == 0 ? "none" : count(result.exceedances);
    const std::string all = count(result.permutations) + " permutations as extreme";
    std::string how = found + " of " + all;
    if (result.exact) how = "exact: " + found + " of all " + all;
    if (result.stopped_early) how = "stopped early: " + found + " of the first " + all;
    return "p = " + p_value(result.p) + " (" + how + ")";
}

std::string method_of(const TestResult& result) {
    const std::string statistic = std::string(name_of(result.statistic)) + " test, ";
    const std::string sides = result.alternative == Alternative::two_sided
                                  ? "two-sided " + statistic
                                  : "one-sided (" + std::string(name_of(result.alternative)) + ") " + statistic;
    const std::string alignment = result.align == Alignment::none ? "no" : std::string(name_of(result.align));
    return sides + alignment + " alignment, seed " + std::to_string(result.seed) + "; " + printable(result.device);
}

std::string verdict(const TestResult& result, double confidence, const Style& style) {
    return style.bold_line(headline(result, confidence)) + style.plain_line(breadths(result, confidence)) +
           style.plain_line(p_sentence(result)) + (result.tail ? style.plain_line(tail_sentence(*result.tail)) : "") +
           style.plain_line(effect(result)) + style.dim_line(method_of(result) + ", " + duration(result.seconds));
}

std::string forced_note(const std::string& differences) {
    return differences.empty() ? "" : "note: forced: the two stores have different " + printable(differences);
}

Table table_of(std::vector<ReportedTest> tests, const TestColumns& with) {
    return table_of("tests", "", std::move(tests), columns_of(with));
}

Json json_of(const std::vector<ReportedTest>& tests, const TestColumns& with) {
    Json list = json_of(table_of(tests, with));
    for (std::size_t i = 0; i < tests.size(); ++i) {
        const TestResult& result = *tests[i].result;
        list[i]["ci"] = Json::array({json_number(result.ci_low), json_number(result.ci_high)});
        list[i]["tail"] = json_of(result.tail);
    }
    return list;
}

Table table_of(const TestResult& result, const std::string& forced) {
    return table_of({{&result, 0, 0, forced}}, {.forced = true});
}

Json json_of(const TestResult& result, const std::string& forced) {
    return std::move(json_of(std::vector<ReportedTest>{{&result, 0, 0, forced}}, {.forced = true})[0]);
}

std::string reason_lines(const std::vector<std::pair<std::string, std::string>>& reasons, const Style& style) {
    constexpr std::size_t most = 10;
    std::string lines;
    for (std::size_t i = 0; i < std::min(reasons.size(), most); ++i)
        lines += style.dim_line(reasons[i].first + ": " + printable(reasons[i].second));
    if (reasons.size() > most)
        lines += style.dim("and " + count(reasons.size() - most) + " more reasons, which JSON lists") + "\n";
    return lines.empty() ? lines : "\n" + lines;
}

}  // namespace wordbreadth::report
