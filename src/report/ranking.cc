// A ranking of words.
#include <nlohmann/json.hpp>

#include "report/parts.h"

namespace wordbreadth::report {
namespace {

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

// What tables refer to where there are none.
const UsagesOfWords& no_usages() {
    static const UsagesOfWords none;
    return none;
}

// New columns go to the end: programs may know them by their numbers.
Table ranking_table(const Ranking& ranking, const Neighbourhood* part, const UsagesOfWords& usages) {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < ranking.words.size(); ++i)
        entries.push_back({i + 1, &ranking.words[i], part != nullptr && std::ranges::binary_search(part->named, i)});
    const auto breadth = [](auto member) { return path(&Entry::word, &RankedWord::breadth, member); };
    const std::string by(name_of(ranking.by));
    Columns<Entry> columns = {
        {"rank", "rank", look::count,
         [](const Entry& e) { return e.named ? Value(e.rank).shown_as("→ " + count(e.rank)) : Value(e.rank); },
         "by " + by},
        {"word", "word", look::subject,
         [&usages](const Entry& e) { return Value(e.word->word).opening(evidence_of(*e.word, usages)); }},
        {"v", "breadth v", look::digits(4), breadth(&Breadth::v), "1 / kappa: large where occurrences differ"},
        {"standard_error", "s.e. of v", look::digits(2), breadth(&Breadth::v_standard_error), "standard error"},
        {"log_v_standard_error", breadth(&Breadth::log_v_standard_error)},
        {"r", "r", look::decimals(4), breadth(&Breadth::r), "mean resultant length: 1 where all occurrences are alike"},
        {"kappa", "kappa", look::digits(4), breadth(&Breadth::kappa), "von Mises-Fisher concentration"},
        {"frequency", "frequency", look::count, path(&Entry::word, &RankedWord::frequency),
         "occurrences in the corpus"},
        {"n", breadth(&Breadth::n)},
        {"rows", "rows", look::count, path(&Entry::word, &RankedWord::rows), "occurrences in the store",
         in::page | in::programs},
    };
    if (part != nullptr) columns.push_back({"named", &Entry::named});
    const bool has_copies =
        std::ranges::any_of(ranking.words, [](const RankedWord& word) { return word.duplicates.value_or(0) > 0; });
    columns.push_back({"duplicates", "in copies", look::count, path(&Entry::word, &RankedWord::duplicates),
                       "occurrences in copies of earlier sentences, which have no rows",
                       has_copies ? in::everything : in::programs});
    const std::string caption =
        "All " + count(ranking.words.size()) + " words by " + (ranking.by == RankBy::breadth ? "breadth" : by) + "." +
        (usages.empty() ? "" : " Words at both ends open to occurrences spread over their clouds.");
    return table_of("rank", caption, std::move(entries), std::move(columns));
}

std::string summary(const Ranking& ranking) {
    std::string text = counted(ranking.words.size(), "word") + " by " + spelled(ranking.by) + "; " +
                       count(ranking.common_size) + " rows of each";
    if (!ranking.smallest.empty()) text += ", the size of the smallest cloud, \"" + printable(ranking.smallest) + "\"";
    return text + "; seed " + std::to_string(ranking.seed);
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
        page.sections = {
            overview(), pictures(), {"All words", {data_table(ranking_table(ranking_, nullptr, usages_))}}};
        if (!usages_.empty()) page.sections.push_back(ends());
        for (const auto& [word, usages] : usages_) page.concordances.push_back({word, word, lines_of(usages)});
        page.settings = {{"ranked by", spelled(ranking_.by)},
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
        std::vector<std::string> words;
        for (std::size_t i = 0; i < std::min(shown_of_an_end, by_breadth_.size()); ++i)
            words.push_back(by_breadth_[broad ? i : by_breadth_.size() - 1 - i]->word);
        return word_list(words);
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

Table table_of(const Ranking& ranking, const Neighbourhood* part) {
    const Table all = ranking_table(ranking, part, no_usages());
    return part == nullptr ? all : rows_of(all, part->shown);
}

std::string text_of(const Ranking& ranking, const Neighbourhood* part, std::size_t ends, const Style& style) {
    const std::string filtered = ranking.filtered.empty() ? "" : "filtered out: " + text_of(ranking.filtered);
    return text_of(ranking_table(ranking, part, no_usages()), style,
                   part == nullptr ? both_ends(ranking.words.size(), ends) : part->shown) +
           "\n" + style.dim_line(summary(ranking)) + style.dim_line(printable(filtered)) +
           style.dim_line(left_out_sentence(ranking.left_out));
}

Json json_of(const Ranking& ranking, const Neighbourhood* part) {
    Json filtered = Json::array();
    for (const FilteredOut& out : ranking.filtered) filtered.push_back({{"reason", out.reason}, {"words", out.words}});
    const Table left_out = table_of<UnrankedWord>("", "", ranking.left_out,
                                                  {{"word", &UnrankedWord::word},
                                                   {"frequency", &UnrankedWord::frequency},
                                                   {"rows", &UnrankedWord::rows},
                                                   {"reason", &UnrankedWord::reason}});
    return {{"by", name_of(ranking.by)},
            {"common_size", ranking.common_size},
            {"seed", ranking.seed},
            {"words", ranking.words.size()},
            {"filtered", std::move(filtered)},
            {"results", json_of(table_of(ranking, part))},
            {"left_out", json_of(left_out)}};
}

Page page_of(const Ranking& ranking, const UsagesOfWords& usages) {
    return RankingPage(ranking, usages).page();
}

}  // namespace wordbreadth::report
