#include "report/ranking.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/concordance.h"
#include "report/figures/figures.h"
#include "report/names.h"
#include "report/table/number.h"
#include "report/word_study.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t shown_of_an_end = 3;  // words whose occurrences are shown before anyone clicks
constexpr std::size_t named_of_an_end = 25;

struct Entry {
    std::size_t rank;
    const RankedWord* word;
    bool named;
};

Evidence evidence_of(const RankedWord& word, const UsagesOfWords& usages) {
    return {usages.contains(word.word) ? word.word : "", {}, word.word};
}

// New columns go to the end: programs may know them by their numbers.
Table words_table(const Ranking& ranking, const std::vector<std::size_t>* named, const UsagesOfWords& usages) {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < ranking.words.size(); ++i)
        entries.push_back({i + 1, &ranking.words[i], named != nullptr && std::ranges::binary_search(*named, i)});
    const auto breadth = [](double Breadth::*member) {
        return [member](const Entry& entry) { return entry.word->breadth.*member; };
    };
    const std::string by(name_of(ranking.by));
    Columns<Entry> columns = {
        {"rank", "rank", look::count,
         [](const Entry& e) { return e.named ? Value(e.rank).shown_as("→ " + count(e.rank)) : Value(e.rank); },
         "by " + by},
        {"word", "word", look::subject,
         [&usages](const Entry& e) { return Value(e.word->word).opening(evidence_of(*e.word, usages)); }},
        {"v", "breadth v", look::digits(4), breadth(&Breadth::v), "1 / kappa: large where occurrences differ"},
        {"standard_error", "s.e. of v", look::digits(2), breadth(&Breadth::v_standard_error), "standard error"},
        {"log_v_standard_error", "", {}, breadth(&Breadth::log_v_standard_error)},
        {"r", "r", look::decimals(4), breadth(&Breadth::r), "mean resultant length: 1 where all occurrences are alike"},
        {"kappa", "kappa", look::digits(4), breadth(&Breadth::kappa), "von Mises-Fisher concentration"},
        {"frequency", "frequency", look::count, [](const Entry& e) { return e.word->frequency; },
         "occurrences in the corpus"},
        {"n", "", {}, [](const Entry& e) { return e.word->breadth.n; }},
        {"rows", "rows", look::count, [](const Entry& e) { return e.word->rows; }, "occurrences in the store",
         in::page | in::programs},
    };
    if (named != nullptr) columns.push_back({"named", "", {}, [](const Entry& e) { return e.named; }});
    const std::string caption =
        "All " + count(ranking.words.size()) + " words by " + (ranking.by == RankBy::breadth ? "breadth" : by) + "." +
        (usages.empty() ? "" : " Words at both ends open to occurrences spread over their clouds.");
    return table_of("rank", caption, std::move(entries), std::move(columns));
}

Table table_with_named(const Ranking& ranking, const Neighbourhood& part) {
    static const UsagesOfWords none;
    return words_table(ranking, &part.named, none);
}

std::string summary(const Ranking& ranking) {
    std::string text = counted(ranking.words.size(), "word") + " by " + std::string(name_of(ranking.by)) + "; " +
                       count(ranking.common_size) + " rows of each";
    if (!ranking.smallest.empty()) text += ", the size of the smallest cloud, \"" + printable(ranking.smallest) + "\"";
    return text + "; seed " + std::to_string(ranking.seed);
}

std::string text_of(const Ranking& ranking, const Table& table, const std::vector<std::size_t>& shown,
                    const Style& style) {
    const std::string filtered = ranking.filtered.empty() ? "" : "filtered out: " + text_of(ranking.filtered);
    return text_of(table, style, shown) + "\n" + style.dim_line(summary(ranking)) +
           style.dim_line(printable(filtered)) + style.dim_line(left_out_sentence(ranking.left_out));
}

Json with_results(const Ranking& ranking, Json results) {
    Json filtered = Json::array();
    for (const FilteredOut& part : ranking.filtered)
        filtered.push_back({{"reason", part.reason}, {"words", part.words}});
    const Table left_out = table_of<UnrankedWord>("", "", ranking.left_out,
                                                  {{"word", "", {}, &UnrankedWord::word},
                                                   {"frequency", "", {}, &UnrankedWord::frequency},
                                                   {"rows", "", {}, &UnrankedWord::rows},
                                                   {"reason", "", {}, &UnrankedWord::reason}});
    return {{"by", name_of(ranking.by)},     {"common_size", ranking.common_size}, {"seed", ranking.seed},
            {"words", ranking.words.size()}, {"filtered", std::move(filtered)},    {"results", std::move(results)},
            {"left_out", json_of(left_out)}};
}

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
        page.sections = {overview(), pictures(), {"All words", {data_table(words_table(ranking_, nullptr, usages_))}}};
        if (!usages_.empty()) page.sections.push_back(ends());
        for (const auto& [word, usages] : usages_) page.concordances.push_back({word, word, lines_of(usages)});
        page.settings = {{"ranked by", std::string(name_of(ranking_.by))},
                         {"rows of each word", count(ranking_.common_size)},
                         {"seed", std::to_string(ranking_.seed)},
                         {"left out", count(ranking_.left_out.size())}};
        if (!ranking_.filtered.empty()) page.settings.push_back({"filtered out", text_of(ranking_.filtered)});
        return page;
    }

  private:
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
        const double times = by_breadth_.front()->breadth.v / by_breadth_.back()->breadth.v;
        std::string sample =
            "v depends on the number of occurrences, so each word gives " + count(ranking_.common_size);
        if (!ranking_.smallest.empty()) sample += ", as many as the smallest cloud has (" + ranking_.smallest + ")";
        Section section{
            "In short",
            {Facts{{{count(ranking_.words.size()), "words"},
                    {median_v(), "median v"},
                    {significant(times, 3), "broadest over narrowest"}}},
             Finding{Markup("From ") + named(true) + " at the broad end to " + named(false) + " at the narrow one."},
             Paragraph{sample + "."}}};
        if (const std::size_t number = ranking_.left_out.size(); number > 0)
            section.blocks.emplace_back(Paragraph{"Left out: " + ranking_.left_out.front().word + " (" +
                                                  ranking_.left_out.front().reason + ")" +
                                                  (number > 1 ? " and " + count(number - 1) + " more." : ".")});
        if (!ranking_.filtered.empty())
            section.blocks.emplace_back(Paragraph{"Filtered out: " + text_of(ranking_.filtered) + "."});
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
                evidence_of(word, usages_),
                from_end < named_of_an_end ? 1 / static_cast<double>(1 + from_end) : 0};
    }

    [[nodiscard]] Svg scatter() const {
        ScatterPlot plot = frequency_plot("Every word by its frequency and its breadth.");
        plot.groups = {{"words"}};
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

    [[nodiscard]] Section ends() const {
        std::vector<std::string> words;
        for (const std::size_t i : both_ends(ranking_.words.size(), shown_of_an_end))
            if (usages_.contains(ranking_.words[i].word)) words.push_back(ranking_.words[i].word);
        return concordance_section("Occurrences at the ends", words);
    }

    const Ranking& ranking_;
    const UsagesOfWords& usages_;
    std::vector<const RankedWord*> by_breadth_;
};

}  // namespace

Table table_of(const Ranking& ranking) {
    static const UsagesOfWords none;
    return words_table(ranking, nullptr, none);
}

Table table_of(const Ranking& ranking, const Neighbourhood& part) {
    return rows_of(table_with_named(ranking, part), part.shown);
}

std::string text_of(const Ranking& ranking, std::size_t ends, const Style& style) {
    return text_of(ranking, table_of(ranking), both_ends(ranking.words.size(), ends), style);
}

std::string text_of(const Ranking& ranking, const Neighbourhood& part, const Style& style) {
    return text_of(ranking, table_with_named(ranking, part), part.shown, style);
}

Json json_of(const Ranking& ranking) {
    return with_results(ranking, json_of(table_of(ranking)));
}

Json json_of(const Ranking& ranking, const Neighbourhood& part) {
    return with_results(ranking, json_of(table_of(ranking, part)));
}

Page page_of(const Ranking& ranking, const UsagesOfWords& usages) {
    return RankingPage(ranking, usages).page();
}

}  // namespace wordbreadth::report
