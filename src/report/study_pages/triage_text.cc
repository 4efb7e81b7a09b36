#include <algorithm>
#include <vector>

#include "report/concordance.h"
#include "report/number.h"
#include "report/study_pages/foot.h"
#include "report/study_pages/triage.h"
#include "report/table.h"
#include "report/text.h"
#include "report/tsv_record.h"

namespace wordbreadth::report {
namespace {

using Kind = Column::Kind;

constexpr std::size_t words_with_usages = 5;  // shown below the table
constexpr std::size_t width_of_a_file = 100;

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

// The references that the candidate is, or is not, broader than.
std::vector<std::string> references(const Triage& triage, const Candidate& candidate, bool broader) {
    std::vector<std::string> words;
    for (std::size_t k = 0; k < triage.references.size(); ++k)
        if (candidate.tests[k].broader == broader) words.push_back(triage.references[k].word);
    return words;
}

std::string headline(const Triage& triage) {
    const std::size_t all = triage.references.size();
    const auto above_all = std::ranges::count_if(
        triage.candidates, [&](const Candidate& candidate) { return candidate.broader_than == all; });
    const auto above_none = std::ranges::count_if(
        triage.candidates, [](const Candidate& candidate) { return candidate.broader_than == 0; });
    return "Broader than all of the " + count(all) + " references: " + count(static_cast<std::size_t>(above_all)) +
           " of " + count(triage.candidates.size()) +
           " words; than none: " + count(static_cast<std::size_t>(above_none)) +
           " (q <= " + shortest(triage.options.alpha) + ")";
}

std::vector<std::string> cells_of(const Triage& triage, std::size_t rank, const Candidate& candidate) {
    return {count(rank),
            printable(candidate.word),
            count(candidate.broader_than) + " of " + count(candidate.tests.size()),
            significant(candidate.breadth.v, 3),
            significant(candidate.breadth.v / triage.median_v, 3),
            count(candidate.frequency),
            printable(broader_than(triage, candidate))};
}

std::string table_of(const Triage& triage, std::size_t ends, const Style& style) {
    Table table({{"rank"},
                 {"word", Kind::name},
                 {"broader than"},
                 {"breadth v"},
                 {"of median"},
                 {"frequency"},
                 {"which", Kind::name}});
    const std::size_t words = triage.candidates.size();
    const bool cut = words > 2 * ends;
    for (std::size_t i = 0; i < words; ++i) {
        if (cut && i >= ends && i < words - ends) continue;
        if (cut && i == words - ends) table.add({"⋮", "", "", "", "", "", ""});
        table.add(cells_of(triage, i + 1, triage.candidates[i]));
    }
    return table.text(style);
}

// The usages of the first words, each with its influence.
std::string usages_of(const Triage& triage, const Style& style) {
    ConcordanceLook look;
    look.style = style;
    look.influence = true;
    look.width = std::max<std::size_t>(style.width > 0 ? style.width : width_of_a_file, 40);
    std::string text;
    for (std::size_t i = 0; i < std::min(triage.candidates.size(), words_with_usages); ++i) {
        const Candidate& candidate = triage.candidates[i];
        if (candidate.concordance.empty()) continue;
        const std::string documents = shared_document(candidate.concordance);
        text += "\n" + style.bold(printable(candidate.word)) + (documents.empty() ? "" : "  " + style.dim(documents)) +
                "\n" + concordance(candidate.concordance, look);
    }
    if (text.empty()) return text;
    return text + "\n" +
           style.dim(
               folded("usages spread over the cloud; before each, by how much log v falls without it", style.width)) +
           "\n";
}

std::string summary(const Triage& triage) {
    std::string text = "references, broadest first: ";
    for (std::size_t k = 0; k < triage.references.size(); ++k)
        text += (k > 0 ? ", " : "") + printable(triage.references[k].word);
    text += "; " + count(triage.common_size) + " rows of each word";
    if (!triage.smallest.empty()) text += ", the size of the smallest cloud, \"" + printable(triage.smallest) + "\"";
    return text + "; " + count(triage.tests) +
           " tests: " + method_sentence(triage.options, triage.device, triage.seconds);
}

Record record_of(const Triage& triage, std::size_t rank, const Candidate& candidate) {
    return {{"rank", field(rank)},
            {"word", field(candidate.word)},
            {"attention", field(candidate.attention)},
            {"broader_than", field(candidate.broader_than)},
            {"references", field(candidate.tests.size())},
            {"v", field(candidate.breadth.v)},
            {"standard_error", field(candidate.breadth.v_standard_error)},
            {"ratio_to_median", field(candidate.breadth.v / triage.median_v)},
            {"frequency", field(candidate.frequency)},
            {"n", field(candidate.breadth.n)},
            {"rows", field(candidate.rows)},
            {"broader_than_words", field(joined(references(triage, candidate, true), " "))}};
}

}  // namespace

std::string broader_than(const Triage& triage, const Candidate& candidate) {
    const std::size_t all = triage.references.size();
    if (candidate.broader_than == 0) return "none";
    if (candidate.broader_than == all) return "all";
    const bool most = 2 * candidate.broader_than > all;
    return (most ? "all but " : "") + joined(references(triage, candidate, !most), ", ");
}

std::string missing_references(const Triage& triage) {
    std::vector<std::string> words;
    for (const auto& [word, reason] : triage.missing)
        words.push_back(reason.empty() ? word : word + " (" + reason + ")");
    return joined(words, ", ");
}

std::string triage_table(const Triage& triage, std::size_t ends, const Style& style) {
    std::string text = style.bold(folded(headline(triage), style.width)) + "\n\n" + table_of(triage, ends, style) +
                       usages_of(triage, style) + "\n" + style.dim(folded(summary(triage), style.width)) + "\n";
    if (!triage.missing.empty())
        text += folded("reference words that the store does not have: " + printable(missing_references(triage)),
                       style.width) +
                "\n";
    const std::string left_out = left_out_sentence(triage.left_out);
    return left_out.empty() ? text : text + style.dim(folded(left_out, style.width)) + "\n";
}

std::string tsv_of(const Triage& triage) {
    std::string lines;
    for (std::size_t i = 0; i < triage.candidates.size(); ++i)
        append(lines, record_of(triage, i + 1, triage.candidates[i]));
    return lines;
}

}  // namespace wordbreadth::report
