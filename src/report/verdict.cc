#include "report/verdict.h"

#include <cmath>

#include "report/number.h"
#include "report/text.h"
#include "wordbreadth/names.h"

namespace wordbreadth::report {
namespace {

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
    return "tail estimate of p: " + p_value(tail.p) + " (no count, but a Pareto fit to the " + count(tail.exceedances) +
           " largest values; goodness of fit " + p_value(tail.goodness_of_fit) + ", bad below 0.05)";
}

}  // namespace

std::string p_sentence(const TestResult& result) {
    const std::string found = result.exceedances == 0 ? "none" : count(result.exceedances);
    const std::string splits = count(result.permutations) + " splits as extreme";
    std::string how = found + " of " + splits;
    if (result.exact) how = "exact: " + found + " of all " + splits;
    if (result.stopped_early) how = "stopped early: " + found + " of the first " + splits;
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
    const auto line = [&](const std::string& text) { return folded(text, style.width); };
    std::string lines = style.bold(line(headline(result, confidence))) + "\n";
    lines += line(breadths(result, confidence)) + "\n";
    lines += line(p_sentence(result)) + "\n";
    if (result.tail) lines += line(tail_sentence(*result.tail)) + "\n";
    lines += line(effect(result)) + "\n";
    lines += style.dim(line(method_of(result) + ", " + duration(result.seconds))) + "\n";
    return lines;
}

std::string forced_note(const std::string& differences) {
    return differences.empty() ? "" : "note: forced: the two stores have different " + printable(differences);
}

}  // namespace wordbreadth::report
