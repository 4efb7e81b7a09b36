#include <algorithm>
#include <cmath>

#include "report/figures/scatter_plot.h"
#include "report/number.h"
#include "report/study_pages/foot.h"
#include "report/study_pages/lines.h"
#include "report/study_pages/triage.h"

namespace wordbreadth::report {
namespace {

enum Standing : std::size_t { above_none, above_some, above_all, reference };  // the groups of the picture

constexpr std::size_t named_words = 5;        // in the finding
constexpr std::size_t words_with_usages = 5;  // shown on the page before anybody clicks

class TriagePage {
  public:
    explicit TriagePage(const Triage& triage) : triage_(triage) {}

    [[nodiscard]] Page page() const {
        Page page;
        page.title = "Words that are broader than their references";
        page.subtitle = count(triage_.candidates.size()) + " words, each tested against " +
                        count(triage_.references.size()) + " reference words";
        page.sections = {overview(), picture(), all_words(), references()};
        if (!triage_.candidates.front().concordance.empty()) page.sections.insert(page.sections.begin() + 3, usages());
        for (const Candidate& candidate : triage_.candidates)
            if (!candidate.concordance.empty())
                page.concordances.push_back({candidate.word, candidate.word, lines_of(candidate.concordance)});
        page.settings = settings_of(triage_.options, triage_.device);
        page.settings.push_back({"rows of each word", count(triage_.common_size)});
        page.settings.push_back({"references", triage_.references_from});
        page.settings.push_back({"tests", count(triage_.tests)});
        page.settings.push_back({"time", duration(triage_.seconds)});
        return page;
    }

  private:
    [[nodiscard]] Standing standing_of(const Candidate& candidate) const {
        if (candidate.broader_than == 0) return above_none;
        return candidate.broader_than == triage_.references.size() ? above_all : above_some;
    }

    [[nodiscard]] std::string number_of(Standing standing) const {
        return count(static_cast<std::uint64_t>(std::ranges::count_if(
            triage_.candidates, [&](const Candidate& candidate) { return standing_of(candidate) == standing; })));
    }

    [[nodiscard]] Markup first_words() const {
        Markup text;
        for (std::size_t i = 0; i < std::min(named_words, triage_.candidates.size()); ++i)
            text += (i > 0 ? Markup(", ") : Markup()) + word(triage_.candidates[i].word);
        return text;
    }

    [[nodiscard]] Section overview() const {
        Section section{"In short", {}};
        section.blocks.emplace_back(Facts{{{count(triage_.candidates.size()), "words"},
                                           {number_of(above_all), "broader than all references"},
                                           {number_of(above_some), "than some"},
                                           {number_of(above_none), "than none"}}});
        section.blocks.emplace_back(Finding{Markup("Look at these first: ") + first_words() + "."});
        section.blocks.emplace_back(Paragraph{
            "Attention is the share of the references that a word is broader than, at an adjusted p-value of at most " +
            shortest(triage_.options.alpha) +
            "; words with the same share are sorted by their breadth v. A word is broad where its occurrences differ "
            "from "
            "each other: it may have several senses, or one that goes into many contexts. The occurrences tell "
            "which."});
        if (!triage_.missing.empty())
            section.blocks.emplace_back(
                Paragraph{"Reference words that the store does not have: " + missing_references(triage_) + "."});
        if (!triage_.left_out.empty()) section.blocks.emplace_back(Paragraph{left_out_sentence(triage_.left_out)});
        return section;
    }

    [[nodiscard]] static Evidence evidence_of(const Candidate& candidate) {
        return {candidate.concordance.empty() ? "" : candidate.word, {}, candidate.word};
    }

    [[nodiscard]] ScatterPoint point_of(std::size_t rank, const Candidate& candidate) const {
        const std::string note = "v = " + significant(candidate.breadth.v, 3) + ", " + count(candidate.frequency) +
                                 " occurrences\nbroader than " + count(candidate.broader_than) + " of " +
                                 count(candidate.tests.size()) + ": " + broader_than(triage_, candidate);
        const double prominence = rank <= 40 ? 1 / static_cast<double>(rank) : 0;
        return {static_cast<double>(candidate.frequency),
                candidate.breadth.v,
                standing_of(candidate),
                candidate.word,
                note,
                evidence_of(candidate),
                prominence};
    }

    [[nodiscard]] static ScatterPoint point_of(const ReferenceWord& word) {
        const std::string note =
            "a reference\nv = " + significant(word.breadth.v, 3) + ", " + count(word.frequency) + " occurrences";
        return {
            static_cast<double>(word.frequency), word.breadth.v, reference, word.word, note, {{}, {}, word.word}, 2};
    }

    [[nodiscard]] Section picture() const {
        ScatterPlot plot;
        plot.heading = {"Breadth and frequency", "Every candidate and reference by its frequency and its breadth."};
        plot.x = {.label = "frequency in the corpus", .kind = Axis::Kind::logarithmic, .column = "frequency"};
        plot.y = {.label = "breadth v", .kind = Axis::Kind::logarithmic, .column = "v"};
        plot.groups = {{"broader than none", true}, {"than some"}, {"than all"}, {"references"}};
        plot.panels.emplace_back();
        for (std::size_t i = 0; i < triage_.candidates.size(); ++i)
            plot.panels[0].points.push_back(point_of(i + 1, triage_.candidates[i]));
        for (const ReferenceWord& word : triage_.references) plot.panels[0].points.push_back(point_of(word));
        return {"The words",
                {Figure{svg_of(plot),
                        "Each point is a word, by its frequency in the corpus and its breadth v, from " +
                            count(triage_.common_size) +
                            " occurrences; the colour says how many of the references it is broader than. Both axes "
                            "are logarithmic.",
                        "triage-frequency"}}};
    }

    [[nodiscard]] std::vector<Cell> row_of(std::size_t rank, const Candidate& candidate) const {
        const Breadth& breadth = candidate.breadth;
        return {{count(rank), static_cast<double>(rank), {}},
                {candidate.word, NAN, evidence_of(candidate)},
                {percent(std::round(100 * candidate.attention) / 100), candidate.attention, {}},
                {broader_than(triage_, candidate), NAN, {}},
                {significant(breadth.v, 3), breadth.v, {}},
                {significant(breadth.v / triage_.median_v, 3), breadth.v / triage_.median_v, {}},
                {count(candidate.frequency), static_cast<double>(candidate.frequency), {}}};
    }

    [[nodiscard]] Section all_words() const {
        using Kind = TableColumn::Kind;
        DataTable table;
        table.name = "triage";
        table.caption = "All " + count(triage_.candidates.size()) +
                        " candidates by attention, then by breadth. The first " +
                        count(std::min(triage_.options.concordances, triage_.candidates.size())) +
                        " open to occurrences spread over their clouds.";
        table.columns = {{"rank", Kind::number, ""},
                         {"word", Kind::subject},
                         {"attention", Kind::number, "the share of the references that the word is broader than"},
                         {"broader than", Kind::text, "which references", "broader_than_words"},
                         {"v", Kind::number, "breadth: large where occurrences differ"},
                         {"of median", Kind::number, "v over the median v of the references", "ratio_to_median"},
                         {"frequency", Kind::number, "occurrences in the corpus"}};
        for (std::size_t i = 0; i < triage_.candidates.size(); ++i)
            table.rows.push_back(row_of(i + 1, triage_.candidates[i]));
        return {"All words", {std::move(table)}};
    }

    [[nodiscard]] Section usages() const {
        Section section{"Occurrences of the first words", {}};
        section.blocks.emplace_back(
            Paragraph{"Each line is as far as can be from those above it, so that few lines show what the word does. "
                      "Influence is how much the breadth falls when that occurrence is left out."});
        for (std::size_t i = 0; i < std::min(words_with_usages, triage_.candidates.size()); ++i)
            if (!triage_.candidates[i].concordance.empty())
                section.blocks.emplace_back(ConcordanceView{triage_.candidates[i].word, ""});
        return section;
    }

    [[nodiscard]] Section references() const {
        using Kind = TableColumn::Kind;
        DataTable table;
        table.name = "triage-references";
        table.caption = "The words that the candidates were tested against.";
        table.columns = {{"reference", Kind::subject},
                         {"v", Kind::number, "breadth"},
                         {"s.e.", Kind::number, "standard error of v", "standard_error"},
                         {"candidates broader", Kind::number, "than this reference", "candidates_broader"},
                         {"frequency", Kind::number, "occurrences in the corpus"}};
        for (std::size_t k = 0; k < triage_.references.size(); ++k) table.rows.push_back(row_of_reference(k));
        return {"The references", {std::move(table)}};
    }

    [[nodiscard]] std::vector<Cell> row_of_reference(std::size_t k) const {
        const ReferenceWord& word = triage_.references[k];
        const auto broader = static_cast<std::uint64_t>(std::ranges::count_if(
            triage_.candidates, [&](const Candidate& candidate) { return candidate.tests[k].broader; }));
        return {{word.word, NAN, {}},
                {significant(word.breadth.v, 3), word.breadth.v, {}},
                {significant(word.breadth.v_standard_error, 2), word.breadth.v_standard_error, {}},
                {count(broader), static_cast<double>(broader), {}},
                {count(word.frequency), static_cast<double>(word.frequency), {}}};
    }

    const Triage& triage_;
};

}  // namespace

Page page_of(const Triage& triage) {
    return TriagePage(triage).page();
}

}  // namespace wordbreadth::report
