// A ranking of words.
#include <cmath>
#include <map>
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

constexpr unsigned people = in::text | in::page;

// Of the interval of its rank, where it has one.
auto rank_of(std::size_t RankInterval::*member) {
    return [member](const Entry& e) { return e.word->ranks.low > 0 ? Value(e.word->ranks.*member) : Value(); };
}

// "3–120".
auto ranks_of(std::size_t RankInterval::*low, std::size_t RankInterval::*high) {
    return [low, high](const Entry& e) {
        const RankInterval& ranks = e.word->ranks;
        if (ranks.low == 0) return Value();
        return Value(ranks.*low).shown_as(count(ranks.*low) + "–" + count(ranks.*high));
    };
}

Value share_of_error(const Entry& e) {
    const double error = e.word->breadth.log_v_standard_error;
    return Value(error).shown_as(std::isfinite(error) ? fixed(100 * error, 1) + "%" : "-");
}

Value breadth_of(const Entry& e) {
    return Value(e.word->breadth.breadth).between(e.word->breadth_low, e.word->breadth_high);
}

// The residual, shown as a ratio.
Value given_frequency(const Entry& e, bool with_interval) {
    const FrequencyResidual& given = e.word->given_frequency;
    const auto ratio = [](double residual) { return fixed(std::exp(residual), 2); };
    std::string shown = ratio(given.residual);
    if (with_interval && std::isfinite(given.low)) shown += " (" + ratio(given.low) + "–" + ratio(given.high) + ")";
    return Value(given.residual).between(given.low, given.high).shown_as(shown);
}

Value documents_of(const Entry& e) {
    return e.word->breadth.blocks > 0 ? Value(e.word->breadth.blocks) : Value();
}

Value modes_of(const Entry& e) {
    return e.word->modes ? Value(e.word->modes->modes) : Value();
}

Value between_of(const Entry& e) {
    return e.word->modes ? Value(e.word->modes->between) : Value();
}

// What people read, in their order. `named`: some words were asked about.
Columns<Entry> columns_for_people(const Ranking& ranking, const UsagesOfWords& usages, bool named) {
    const auto breadth = [](auto member) { return path(&Entry::word, &RankedWord::breadth, member); };
    const std::string trusted = "where its rank lies: 95% intervals, which hold for all words at once";
    const std::string alone = "where its rank lies: 95% intervals, each of which holds for its word only";
    Columns<Entry> columns = {
        {"rank", "rank", look::count,
         [](const Entry& e) { return e.named ? Value(e.rank).shown_as("→ " + count(e.rank)) : Value(e.rank); },
         "by " + spelled(ranking.by), people},
        {"word", "word", look::subject,
         [&usages](const Entry& e) { return Value(e.word->word).opening(evidence_of(*e.word, usages)); }, "", people}};
    if (ranking.groups > 0)
        columns.insert(
            columns.end(),
            {{"rank_low", "rank (95%)", look::count, ranks_of(&RankInterval::low, &RankInterval::high), "", in::text},
             {"marginal_rank_low", "alone (95%)", look::count,
              ranks_of(&RankInterval::marginal_low, &RankInterval::marginal_high), "", named ? in::text : 0U},
             {"rank_low", "rank from", look::count, rank_of(&RankInterval::low), trusted, in::page},
             {"rank_high", "rank to", look::count, rank_of(&RankInterval::high), trusted, in::page},
             {"marginal_rank_low", "alone from", look::count, rank_of(&RankInterval::marginal_low), alone, in::page},
             {"marginal_rank_high", "alone to", look::count, rank_of(&RankInterval::marginal_high), alone, in::page},
             {"group", "group", look::count, rank_of(&RankInterval::group), "of words that cannot be told apart",
              in::page}});
    columns.insert(columns.end(), {{"breadth", "breadth", look::digits(3), breadth_of,
                                    "without the bias of small clouds: large where occurrences differ", people},
                                   {"log_v_standard_error", "s.e.", look::digits(2), share_of_error,
                                    "standard error of the breadth, as a share of it", people}});
    if (ranking.documents)
        columns.insert(
            columns.end(),
            {{"documents", "docs", look::count, documents_of, "documents that its occurrences come from", people},
             {"design_effect", "design effect", look::decimals(1), breadth(&Breadth::design_effect),
              "how many times larger the variance is than if all occurrences were independent", in::page}});
    columns.insert(columns.end(),
                   {{"given_frequency", "given freq.", look::decimals(2),
                     [](const Entry& e) { return given_frequency(e, false); }, "", in::text},
                    {"given_frequency", "given frequency", look::decimals(2),
                     [](const Entry& e) { return given_frequency(e, true); },
                     "breadth over what is usual for words as frequent, with its 95% interval", in::page}});
    if (ranking.modes)
        columns.insert(columns.end(), {{"modes", "modes", look::count, modes_of, "tight groups of occurrences", people},
                                       {"between", "between modes", look::decimals(2), between_of,
                                        "the share of the spread that lies between modes, not within them", people}});
    columns.insert(columns.end(), {{"v", "v (paper)", look::digits(3), breadth(&Breadth::v),
                                    "1 / kappa, from as many occurrences of each word", people},
                                   {"r", "r (paper)", look::decimals(4), breadth(&Breadth::r),
                                    "mean resultant length: 1 where all occurrences are alike", in::page},
                                   {"kappa", "kappa (paper)", look::digits(4), breadth(&Breadth::kappa),
                                    "von Mises-Fisher concentration", in::page},
                                   {"frequency", "frequency", look::count, path(&Entry::word, &RankedWord::frequency),
                                    "occurrences in the corpus", people},
                                   {"rows", "rows", look::count, path(&Entry::word, &RankedWord::rows),
                                    "occurrences in the store", in::page}});
    return columns;
}

// New columns go to the end: programs may know them by their numbers.
void add_columns_for_programs(Columns<Entry>& columns, bool with_named) {
    const auto word = [](auto member) { return path(&Entry::word, member); };
    const auto breadth = [](auto member) { return path(&Entry::word, &RankedWord::breadth, member); };
    const auto given = [](auto member) { return path(&Entry::word, &RankedWord::given_frequency, member); };
    columns.insert(columns.end(), {{"rank", &Entry::rank},
                                   {"word", word(&RankedWord::word)},
                                   {"v", breadth(&Breadth::v)},
                                   {"standard_error", breadth(&Breadth::v_standard_error)},
                                   {"log_v_standard_error", breadth(&Breadth::log_v_standard_error)},
                                   {"r", breadth(&Breadth::r)},
                                   {"kappa", breadth(&Breadth::kappa)},
                                   {"frequency", word(&RankedWord::frequency)},
                                   {"n", breadth(&Breadth::n)},
                                   {"rows", word(&RankedWord::rows)}});
    if (with_named) columns.push_back({"named", &Entry::named});
    columns.insert(columns.end(), {{"breadth", breadth(&Breadth::breadth)},
                                   {"breadth_low", word(&RankedWord::breadth_low)},
                                   {"breadth_high", word(&RankedWord::breadth_high)},
                                   {"documents", documents_of},
                                   {"design_effect", breadth(&Breadth::design_effect)},
                                   {"rank_low", rank_of(&RankInterval::low)},
                                   {"rank_high", rank_of(&RankInterval::high)},
                                   {"group", rank_of(&RankInterval::group)},
                                   {"given_frequency", given(&FrequencyResidual::residual)},
                                   {"given_frequency_low", given(&FrequencyResidual::low)},
                                   {"given_frequency_high", given(&FrequencyResidual::high)},
                                   {"modes", modes_of},
                                   {"between", between_of}});
}

Table ranking_table(const Ranking& ranking, const Neighbourhood* part, const UsagesOfWords& usages) {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < ranking.words.size(); ++i)
        entries.push_back({i + 1, &ranking.words[i], part != nullptr && std::ranges::binary_search(part->named, i)});
    Columns<Entry> columns = columns_for_people(ranking, usages, part != nullptr);
    add_columns_for_programs(columns, part != nullptr);
    const bool has_copies =
        std::ranges::any_of(ranking.words, [](const RankedWord& word) { return word.duplicates.value_or(0) > 0; });
    columns.push_back({"duplicates", "in copies", look::count, path(&Entry::word, &RankedWord::duplicates),
                       "occurrences in copies of earlier sentences, which have no rows",
                       has_copies ? in::everything : in::programs});
    columns.push_back({"marginal_rank_low", rank_of(&RankInterval::marginal_low)});
    columns.push_back({"marginal_rank_high", rank_of(&RankInterval::marginal_high)});
    const std::string caption =
        "All " + count(ranking.words.size()) + " words by " + spelled(ranking.by) + "." +
        (usages.empty() ? "" : " Words at both ends open to occurrences spread over their clouds.");
    return table_of("rank", caption, std::move(entries), std::move(columns));
}

std::string size_of_samples(const Ranking& ranking) {
    std::string text = count(ranking.common_size) + " rows of each";
    if (!ranking.smallest.empty()) text += ", the size of the smallest cloud, \"" + printable(ranking.smallest) + "\"";
    return text;
}

std::string summary(const Ranking& ranking) {
    std::string text = counted(ranking.words.size(), "word") + " by " + spelled(ranking.by) + "; ";
    if (ranking.documents) text += "breadth from pairs of rows of different documents; ";
    if (ranking.whole) text += "v (paper) from ";
    return text + size_of_samples(ranking) + "; seed " + std::to_string(ranking.seed);
}

std::size_t without_standard_error(const Ranking& ranking) {
    return static_cast<std::size_t>(std::ranges::count_if(
        ranking.words, [](const RankedWord& word) { return !std::isfinite(word.breadth.log_v_standard_error); }));
}

// How far the ranks can be trusted; "" where that is not known. `named`: some words were asked about.
std::string ranks_sentence(const Ranking& ranking, bool named) {
    if (ranking.groups == 0) return "";
    std::string text = "ranks: 95% intervals for all words at once" +
                       std::string(named ? "; alone: for a word that was chosen beforehand" : "") + "; " +
                       counted(ranking.groups, "group") + " of words that cannot be told apart";
    if (const std::size_t number = without_standard_error(ranking); number > 0)
        text += "; " + counted(number, "word") + " without a standard error (fewer than 4 " +
                (ranking.documents ? "documents" : "rows") + ") may have any rank";
    return text;
}

class RankingPage {
  public:
    RankingPage(const Ranking& ranking, const UsagesOfWords& usages) : ranking_(ranking), usages_(usages) {
        for (const RankedWord& word : ranking.words) by_breadth_.push_back(&word);
        std::ranges::stable_sort(by_breadth_, std::ranges::greater{}, [](const RankedWord* word) {
            return std::isfinite(word->breadth.breadth) ? word->breadth.breadth : 0;
        });
    }

    [[nodiscard]] Page page() const {
        Page page;
        page.title = "Words by breadth";
        page.subtitle = count(ranking_.words.size()) + " words; a word is broad if its occurrences differ";
        page.sections = {overview(), pictures()};
        if (ranking_.groups > 0) page.sections.push_back(ranks());
        page.sections.push_back({"All words", {data_table(ranking_table(ranking_, nullptr, usages_))}});
        if (!usages_.empty()) page.sections.push_back(ends());
        for (const auto& [word, usages] : usages_) page.concordances.push_back({word, word, lines_of(usages)});
        page.settings = {
            {"ranked by", spelled(ranking_.by)},
            {"blocks", ranking_.documents ? "document" : "none"},
            {"rows of each word" + std::string(ranking_.whole ? ", for v" : ""), count(ranking_.common_size)},
            {"seed", std::to_string(ranking_.seed)},
            {"left out", count(ranking_.left_out.size())}};
        if (!ranking_.filtered.empty()) page.settings.push_back({"filtered out", text_of(ranking_.filtered)});
        return page;
    }

  private:
    // The first words of an end, as people read them: from the end inwards.
    [[nodiscard]] Markup named(bool broad) const {
        std::vector<std::string> words;
        for (std::size_t i = 0; i < std::min(shown_of_an_end, by_breadth_.size()); ++i)
            words.push_back(by_breadth_[broad ? i : by_breadth_.size() - 1 - i]->word);
        return word_list(words);
    }

    [[nodiscard]] std::vector<Facts::Fact> facts() const {
        const double times = by_breadth_.front()->breadth.breadth / by_breadth_.back()->breadth.breadth;
        std::vector<Facts::Fact> facts = {{count(ranking_.words.size()), "words"},
                                          {significant(times, 3), "broadest over narrowest"}};
        if (ranking_.groups > 0) facts.push_back({count(ranking_.groups), "groups of words that cannot be told apart"});
        return facts;
    }

    // What the numbers are made from.
    [[nodiscard]] std::string measures() const {
        std::string text = "Breadth is free of the bias that v has in small clouds, so it is taken from ";
        text +=
            ranking_.whole ? "all occurrences of a word" : count(ranking_.common_size) + " occurrences of each word";
        if (ranking_.documents)
            text +=
                "; pairs of occurrences from different documents count, since those of one document resemble each "
                "other";
        text +=
            ". The v, r and kappa of the paper are from " + count(ranking_.common_size) + " occurrences of each word";
        if (!ranking_.smallest.empty()) text += ", as many as the smallest cloud has (" + ranking_.smallest + ")";
        return text +
               ". Breadth is not a number of senses: a vague word is broad, too, and a repeated phrase is narrow.";
    }

    [[nodiscard]] Section overview() const {
        Section section{
            "In short",
            {Facts{facts()},
             Finding{Markup("From ") + named(true) + " at the broad end to " + named(false) + " at the narrow one."},
             Paragraph{measures()}}};
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
        for (const RankedWord* word : by_breadth_) values.push_back(word->breadth.breadth);
        Histogram histogram;
        histogram.heading = {"How broad words are", "How many words have which breadth."};
        histogram.x.label = "breadth";
        histogram.y_label = "words";
        histogram.bars = bars_of(values);
        return svg_of(histogram);
    }

    [[nodiscard]] std::string note_of(const RankedWord& word, std::size_t rank) const {
        std::string note = "breadth = " + significant(word.breadth.breadth, 3);
        if (std::isfinite(word.breadth_low))
            note += " (" + significant(word.breadth_low, 3) + " to " + significant(word.breadth_high, 3) + ")";
        note += "\n" + count(word.frequency) + " occurrences\nbreadth rank " + count(rank + 1);
        if (word.ranks.low > 0)
            note +=
                " (" + count(word.ranks.low) + " to " + count(word.ranks.high) + ")\ngroup " + count(word.ranks.group);
        if (std::isfinite(word.given_frequency.residual))
            note += "\n" + fixed(std::exp(word.given_frequency.residual), 2) + " times as broad as words as frequent";
        return note;
    }

    // A word at the ends is named beside its point, if there is room.
    [[nodiscard]] ScatterPoint point_of(std::size_t rank, double x, double y) const {
        const RankedWord& word = *by_breadth_[rank];
        const std::size_t from_end = std::min(rank, by_breadth_.size() - 1 - rank);
        return {x,
                y,
                0,
                word.word,
                note_of(word, rank),
                evidence_of(word, usages_),
                from_end < named_of_an_end ? 1 / static_cast<double>(1 + from_end) : 0};
    }

    // What is usual at each frequency, as a line of short pieces.
    [[nodiscard]] std::vector<Segment> usual_breadth() const {
        constexpr std::size_t pieces = 40;
        std::map<std::uint64_t, double> usual;
        for (const RankedWord* word : by_breadth_)
            if (std::isfinite(word->given_frequency.residual))
                usual[word->frequency] = word->breadth.breadth / std::exp(word->given_frequency.residual);
        std::vector<Segment> segments;
        std::size_t i = 0;
        const std::size_t step = usual.size() / pieces + 1;
        const std::pair<const std::uint64_t, double>* before = nullptr;
        for (const auto& point : usual) {
            const bool counts = i % step == 0 || i + 1 == usual.size();
            ++i;
            if (!counts) continue;
            if (before != nullptr)
                segments.push_back({static_cast<double>(before->first), before->second,
                                    static_cast<double>(point.first), point.second, ""});
            before = &point;
        }
        return segments;
    }

    [[nodiscard]] Svg scatter() const {
        ScatterPlot plot = frequency_plot("Every word by its frequency and its breadth.");
        plot.y.label = plot.y.column = "breadth";
        plot.groups = {{"words"}};
        for (std::size_t rank = 0; rank < by_breadth_.size(); ++rank) {
            const RankedWord& word = *by_breadth_[rank];
            plot.panels[0].points.push_back(point_of(rank, static_cast<double>(word.frequency), word.breadth.breadth));
        }
        plot.panels[0].segments = usual_breadth();
        return svg_of(plot);
    }

    [[nodiscard]] Section pictures() const {
        const std::string what = count(ranking_.words.size()) + " words";
        return {"The words",
                {Figure{histogram(), "How many words have which breadth: " + what + ".", "rank-histogram"},
                 Figure{scatter(),
                        "Each point is a word, by its frequency in the corpus and its breadth; " + what +
                            ". The line is what is usual at each frequency: words above it are broader than their "
                            "frequency suggests. Both axes are logarithmic.",
                        "rank-frequency"}}};
    }

    // Every second group is shaded.
    [[nodiscard]] std::vector<Shade> shades() const {
        std::vector<Shade> found;
        for (std::size_t i = 0; i < ranking_.words.size(); ++i) {
            const std::size_t group = ranking_.words[i].ranks.group;
            if (group % 2 == 1) continue;
            if (i == 0 || ranking_.words[i - 1].ranks.group != group)
                found.push_back({static_cast<double>(i) + 0.5, 0});
            found.back().to = static_cast<double>(i) + 1.5;
        }
        return found;
    }

    [[nodiscard]] Svg rank_plot() const {
        const auto words = static_cast<double>(ranking_.words.size());
        ScatterPlot plot;
        plot.heading = {"Where the ranks lie",
                        "Every word by its rank in this sample, with the interval that its true rank lies in."};
        plot.x = {.label = "rank in this sample, broadest first", .low = 0, .high = words + 1, .column = "rank"};
        plot.y = {.label = "true rank, 95% interval", .low = 0, .high = words + 1, .column = "rank"};
        plot.groups = {{"words"}};
        plot.shades = shades();
        plot.panels.emplace_back();
        for (std::size_t i = 0; i < by_breadth_.size(); ++i) {
            const auto rank = static_cast<double>(i + 1);
            ScatterPoint point = point_of(i, rank, rank);
            point.prominence = 0;
            point.low = static_cast<double>(by_breadth_[i]->ranks.low);
            point.high = static_cast<double>(by_breadth_[i]->ranks.high);
            plot.panels[0].points.push_back(std::move(point));
        }
        return svg_of(plot);
    }

    [[nodiscard]] std::size_t median_width() const {
        std::vector<std::size_t> widths;
        for (const RankedWord& word : ranking_.words) widths.push_back(word.ranks.high - word.ranks.low + 1);
        std::ranges::nth_element(widths, widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 2));
        return widths[widths.size() / 2];
    }

    [[nodiscard]] Section ranks() const {
        std::string text =
            "A ranking from a sample is not the ranking of the language: half of the intervals span " +
            count(median_width()) +
            " ranks or more. With 95% confidence, every word's rank lies in its "
            "interval. Two words whose intervals do not overlap can be told apart; the table has the intervals, and "
            "narrower ones (alone) for readers who ask about one word. ";
        text += "Within a group no two words can be told apart; there " +
                std::string(ranking_.groups == 1 ? "is 1 group" : "are " + count(ranking_.groups) + " groups") +
                ". Neighbours in different groups cannot always be told apart either.";
        if (const std::size_t number = without_standard_error(ranking_); number > 0)
            text += " " + counted(number, "word") + " without a standard error may have any rank.";
        return {
            "How far the ranks can be trusted",
            {Paragraph{text},
             Figure{rank_plot(),
                    "Each line is a word: from the lowest to the highest rank that it may have; its point is its rank "
                    "in this sample. The background changes its shade where a new group begins.",
                    "rank-intervals"}}};
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
           "\n" + style.dim_line(summary(ranking)) + style.dim_line(ranks_sentence(ranking, part != nullptr)) +
           style.dim_line("given freq.: breadth over what is usual for words as frequent") +
           style.dim_line(printable(filtered)) + style.dim_line(left_out_sentence(ranking.left_out));
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
            {"blocks", ranking.documents ? "document" : "none"},
            {"all_rows", ranking.whole},
            {"groups", ranking.groups},
            {"words", ranking.words.size()},
            {"filtered", std::move(filtered)},
            {"results", json_of(table_of(ranking, part))},
            {"left_out", json_of(left_out)}};
}

Page page_of(const Ranking& ranking, const UsagesOfWords& usages) {
    return RankingPage(ranking, usages).page();
}

}  // namespace wordbreadth::report
