#include <algorithm>
#include <vector>

#include "report/number.h"
#include "report/study_pages/compare.h"
#include "report/study_pages/foot.h"
#include "report/table.h"
#include "report/text.h"
#include "report/tsv_record.h"
#include "report/verdict.h"

namespace wordbreadth::report {
namespace {

using Kind = Column::Kind;
using Words = std::vector<const ComparedWord*>;

std::size_t findings(const Comparison& comparison, bool in_a) {
    return static_cast<std::size_t>(std::ranges::count_if(comparison.words, [&](const ComparedWord& word) {
        return comparison.is_finding(word) && (word.test.T > 0) == in_a;
    }));
}

std::string headline(const Comparison& comparison, const StoreNames& names) {
    return "Broader in " + printable(names.a) + ": " + count(findings(comparison, true)) + " of " +
           count(comparison.words.size()) + " shared words; in " + printable(names.b) + ": " +
           count(findings(comparison, false)) + " (q <= " + shortest(comparison.options.alpha) + ")";
}

std::vector<std::string> cells_of(const ComparedWord& word) {
    const TestResult& test = word.test;
    return {printable(word.word),       std::to_string(test.n), significant(test.v_x, 3), significant(test.v_y, 3),
            significant(test.ratio, 3), fixed(test.T, 3),       p_column(word.q)};
}

std::vector<Column> columns(const StoreNames& names) {
    constexpr std::size_t room = 14;  // so that the table fits 80 columns
    return {{"word", Kind::name},
            {"n"},
            {"v, " + clipped(printable(names.a), room)},
            {"v, " + clipped(printable(names.b), room)},
            {"ratio"},
            {"T"},
            {"q"}};
}

// The words from broader in A to broader in B, the clearest outside.
Words from_end_to_end(const Comparison& comparison) {
    Words in_a, in_b;
    for (const ComparedWord& word : comparison.words) (word.test.T > 0 ? in_a : in_b).push_back(&word);
    in_a.insert(in_a.end(), in_b.rbegin(), in_b.rend());
    return in_a;
}

std::string summary(const Comparison& comparison, const StoreNames& names) {
    const std::size_t size = comparison.options.common_size;
    return "T = log(v in " + printable(names.a) + " / v in " + printable(names.b) + "), " +
           fixed(comparison.median_T, 3) + " in the median; both clouds of a word cut to " +
           (size > 0 ? count(size) + " rows" : "n rows, the size of the smaller") + "; " + count(comparison.only_a) +
           " words only in " + printable(names.a) + ", " + count(comparison.only_b) + " only in " + printable(names.b) +
           "; " + method_sentence(comparison.options, comparison.device, comparison.seconds);
}

Record record_of(const ComparedWord& word, const std::string& forced) {
    const TestResult& test = word.test;
    return {{"word", field(word.word)},
            {"n", field(test.n)},
            {"v_a", field(test.v_x)},
            {"v_b", field(test.v_y)},
            {"ratio", field(test.ratio)},
            {"T", field(test.T)},
            {"standard_error", field(test.standard_error)},
            {"ci_low", field(test.ci_low)},
            {"ci_high", field(test.ci_high)},
            {"p", field(test.p)},
            {"p_adjusted", field(word.q)},
            {"exceedances", field(test.exceedances)},
            {"permutations", field(test.permutations)},
            {"frequency_a", field(word.frequency_a)},
            {"frequency_b", field(word.frequency_b)},
            {"rows_a", field(word.rows_a)},
            {"rows_b", field(word.rows_b)},
            {"stopped_early", field(test.stopped_early)},
            {"forced", field(forced)}};
}

}  // namespace

std::string comparison_table(const Comparison& comparison, const StoreNames& names, std::size_t ends,
                             const Style& style) {
    Table table(columns(names));
    const Words words = from_end_to_end(comparison);
    const bool cut = words.size() > 2 * ends;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (cut && i >= ends && i < words.size() - ends) continue;
        if (cut && i == words.size() - ends) table.add({"⋮", "", "", "", "", "", ""});
        table.add(cells_of(*words[i]));
    }
    std::string text = style.bold(folded(headline(comparison, names), style.width)) + "\n\n" + table.text(style) +
                       "\n" + style.dim(folded(summary(comparison, names), style.width)) + "\n";
    if (!comparison.forced.empty()) text += folded(forced_note(comparison.forced), style.width) + "\n";
    const std::string left_out = left_out_sentence(comparison.left_out);
    return left_out.empty() ? text : text + style.dim(folded(left_out, style.width)) + "\n";
}

std::string tsv_of(const Comparison& comparison) {
    std::string lines;
    for (const ComparedWord& word : comparison.words) append(lines, record_of(word, comparison.forced));
    return lines;
}

}  // namespace wordbreadth::report
