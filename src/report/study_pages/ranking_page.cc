#include "report/study_pages/ranking_page.h"

#include <algorithm>
#include <cmath>

#include "report/figures/histogram.h"
#include "report/figures/scatter_plot.h"
#include "report/number.h"
#include "report/study_pages/lines.h"
#include "wordbreadth/names.h"

namespace wordbreadth::report {
namespace {

constexpr std::size_t shown_of_an_end = 3;  // words whose usages are shown before anybody clicks
constexpr std::size_t named_of_an_end = 25;

class RankingPage {
  public:
    RankingPage(const Ranking& ranking, const UsagesOfWords& usages) : ranking_(ranking), usages_(usages) {
        for (const RankedWord& word : ranking.words) by_breadth_.push_back(&word);
        std::ranges::stable_sort(by_breadth_, std::ranges::greater{},
                                 [](const RankedWord* word) { return word->breadth.v; });
    }

    [[nodiscard]] Page page() const {
        Page page;
        page.title = "Words by breadth";
        page.subtitle = count(ranking_.words.size()) + " words, " + count(ranking_.common_size) +
                        " occurrences of each; broad is a word whose occurrences differ";
        page.sections = {overview(), pictures(), all_words()};
        if (!usages_.empty()) page.sections.push_back(ends());
        for (const auto& [word, usages] : usages_) page.concordances.push_back({word, word, lines_of(usages)});
        page.settings = {{"ranked by", std::string(name_of(ranking_.by))},
                         {"rows of each word", count(ranking_.common_size)},
                         {"seed", std::to_string(ranking_.seed)},
                         {"left out", count(ranking_.left_out.size())}};
        return page;
    }

  private:
    [[nodiscard]] Evidence evidence_of(const RankedWord& word) const {
        return {usages_.contains(word.word) ? word.word : "", {}, word.word};
    }

    [[nodiscard]] std::string median_v() const {
        return significant(by_breadth_[by_breadth_.size() / 2]->breadth.v, 3);
    }

    // The first words of an end, as people read them: from the end inwards.
    [[nodiscard]] Markup named(bool broad) const {
        Markup text;
        for (std::size_t i = 0; i < std::min(shown_of_an_end, by_breadth_.size()); ++i)
            text += (i > 0 ? Markup(", ") : Markup()) + word(by_breadth_[broad ? i : by_breadth_.size() - 1 - i]->word);
        return text;
    }

    [[nodiscard]] Section overview() const {
        Section section{"In short", {}};
        const double times = by_breadth_.front()->breadth.v / by_breadth_.back()->breadth.v;
        section.blocks.emplace_back(Facts{{{count(ranking_.words.size()), "words"},
                                           {median_v(), "median v"},
                                           {significant(times, 3), "broadest over narrowest"}}});
        section.blocks.emplace_back(
            Finding{Markup("From ") + named(true) + " at the broad end to " + named(false) + " at the narrow one."});
        std::string sample =
            "v depends on the number of occurrences, so each word gives " + count(ranking_.common_size);
        if (!ranking_.smallest.empty()) sample += ", as many as the smallest cloud has (" + ranking_.smallest + ")";
        section.blocks.emplace_back(Paragraph{sample + "."});
        if (!ranking_.left_out.empty())
            section.blocks.emplace_back(Paragraph{
                "Left out: " + ranking_.left_out.front().word + " (" + ranking_.left_out.front().reason + ")" +
                (ranking_.left_out.size() > 1 ? " and " + count(ranking_.left_out.size() - 1) + " more." : ".")});
        return section;
    }

    [[nodiscard]] Svg histogram() const {
        std::vector<double> values;
        for (const RankedWord* word : by_breadth_) values.push_back(word->breadth.v);
        Histogram histogram;
        histogram.heading = {"How broad words are", "How many words have which breadth v."};
        histogram.x.label = "breadth v";
        histogram.x.column = "v";
        histogram.y_label = "words";
        histogram.bars = bars_of(values);
        return svg_of(histogram);
    }

    [[nodiscard]] ScatterPoint point_of(std::size_t rank) const {
        const RankedWord& word = *by_breadth_[rank];
        const std::size_t from_end = std::min(rank, by_breadth_.size() - 1 - rank);
        const std::string note = "v = " + significant(word.breadth.v, 3) + "\n" + count(word.frequency) +
                                 " occurrences\nbreadth rank " + count(rank + 1);
        return {static_cast<double>(word.frequency),
                word.breadth.v,
                0,
                word.word,
                note,
                evidence_of(word),
                from_end < named_of_an_end ? 1 / static_cast<double>(1 + from_end) : 0};
    }

    [[nodiscard]] Svg scatter() const {
        ScatterPlot plot;
        plot.heading = {"Breadth and frequency", "Every word by its frequency and its breadth."};
        plot.x = {.label = "frequency in the corpus", .kind = Axis::Kind::logarithmic, .column = "frequency"};
        plot.y = {.label = "breadth v", .kind = Axis::Kind::logarithmic, .column = "v"};
        plot.groups = {{"words"}};
        plot.panels.emplace_back();
        for (std::size_t rank = 0; rank < by_breadth_.size(); ++rank) plot.panels[0].points.push_back(point_of(rank));
        return svg_of(plot);
    }

    [[nodiscard]] Section pictures() const {
        const std::string what =
            count(ranking_.words.size()) + " words, each from " + count(ranking_.common_size) + " occurrences";
        return {"The words",
                {Figure{histogram(), "How many words have which breadth v: " + what + ".", "rank-histogram"},
                 Figure{scatter(),
                        "Each point is a word, by its frequency in the corpus and its breadth v; " + what +
                            ". Both axes are logarithmic.",
                        "rank-frequency"}}};
    }

    [[nodiscard]] std::vector<Cell> row_of(std::size_t rank, const RankedWord& word) const {
        const Breadth& b = word.breadth;
        return {{count(rank), static_cast<double>(rank), {}},
                {word.word, NAN, evidence_of(word)},
                {significant(b.v, 4), b.v, {}},
                {significant(b.v_standard_error, 2), b.v_standard_error, {}},
                {fixed(b.r, 4), b.r, {}},
                {significant(b.kappa, 4), b.kappa, {}},
                {count(word.frequency), static_cast<double>(word.frequency), {}},
                {count(word.rows), static_cast<double>(word.rows), {}}};
    }

    [[nodiscard]] Section all_words() const {
        using Kind = TableColumn::Kind;
        DataTable table;
        table.name = "rank";
        table.caption = "All " + count(ranking_.words.size()) + " words by " +
                        (ranking_.by == RankBy::breadth ? "breadth" : std::string(name_of(ranking_.by))) + "." +
                        (usages_.empty() ? "" : " Words at both ends open to occurrences spread over their clouds.");
        table.columns = {{"rank", Kind::number, "by " + std::string(name_of(ranking_.by))},
                         {"word", Kind::subject},
                         {"breadth v", Kind::number, "1 / kappa: large where occurrences differ", "v"},
                         {"s.e. of v", Kind::number, "standard error", "standard_error"},
                         {"r", Kind::number, "mean resultant length: 1 where all occurrences are alike"},
                         {"kappa", Kind::number, "von Mises-Fisher concentration"},
                         {"frequency", Kind::number, "occurrences in the corpus"},
                         {"rows", Kind::number, "occurrences in the store"}};
        for (std::size_t i = 0; i < ranking_.words.size(); ++i) table.rows.push_back(row_of(i + 1, ranking_.words[i]));
        return {"All words", {std::move(table)}};
    }

    [[nodiscard]] Section ends() const {
        Section section{"Occurrences at the ends", {}};
        section.blocks.emplace_back(
            Paragraph{"Each line is as far as can be from those above it, so that few lines show what the word does. "
                      "Influence is how much the breadth falls when that occurrence is left out."});
        const std::size_t words = ranking_.words.size();
        for (std::size_t i = 0; i < words; ++i) {
            const std::string& word = ranking_.words[i].word;
            const bool at_an_end = i < shown_of_an_end || i + shown_of_an_end >= words;
            if (at_an_end && usages_.contains(word)) section.blocks.emplace_back(ConcordanceView{word, ""});
        }
        return section;
    }

    const Ranking& ranking_;
    const UsagesOfWords& usages_;
    std::vector<const RankedWord*> by_breadth_;
};

}  // namespace

Page page_of(const Ranking& ranking, const UsagesOfWords& usages) {
    return RankingPage(ranking, usages).page();
}

}  // namespace wordbreadth::report
