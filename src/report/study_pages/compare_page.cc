#include <algorithm>
#include <cmath>

#include "report/figures/scatter_plot.h"
#include "report/number.h"
#include "report/study_pages/compare.h"
#include "report/study_pages/foot.h"
#include "report/study_pages/lines.h"

namespace wordbreadth::report {
namespace {

enum Side : std::size_t { neither, in_a, in_b };  // the groups of both pictures

constexpr std::size_t named_words = 5;      // of either side, in the finding
constexpr std::size_t labelled_words = 15;  // of either side, in the pictures

double evidence(double q) {
    return -std::log10(std::max(q, 1e-300));
}

class ComparisonPage {
  public:
    ComparisonPage(const Comparison& comparison, const StoreNames& names) : comparison_(comparison), names_(names) {}

    [[nodiscard]] Page page() const {
        Page page;
        page.title = "Breadth in " + names_.a + " and " + names_.b;
        page.subtitle = count(comparison_.words.size()) + " words that both have, each tested in one against the other";
        page.sections = {overview(), pictures(), all_words()};
        for (const ComparedWord& word : comparison_.words)
            if (!word.concordance_a.empty()) page.concordances.push_back(concordance_of(word));
        page.settings = settings_of(comparison_.options, comparison_.device);
        page.settings.push_back({"words only in " + names_.a, count(comparison_.only_a)});
        page.settings.push_back({"words only in " + names_.b, count(comparison_.only_b)});
        page.settings.push_back({"time", duration(comparison_.seconds)});
        return page;
    }

  private:
    [[nodiscard]] Side side_of(const ComparedWord& word) const {
        if (!comparison_.is_finding(word)) return neither;
        return word.test.T > 0 ? in_a : in_b;
    }

    [[nodiscard]] std::size_t number_of(Side side) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(comparison_.words, [&](const ComparedWord& word) { return side_of(word) == side; }));
    }

    [[nodiscard]] std::string level() const { return "q ≤ " + shortest(comparison_.options.alpha); }

    // The first words of a side, which are the clearest.
    [[nodiscard]] Markup examples(Side side) const {
        Markup text;
        std::size_t found = 0;
        for (const ComparedWord& compared : comparison_.words) {
            if (side_of(compared) != side || found == named_words) continue;
            if (found++ > 0) text += ", ";
            text += word(compared.word);
        }
        return found == 0 ? Markup("no word") : text;
    }

    [[nodiscard]] Section overview() const {
        Section section{"In short", {}};
        section.blocks.emplace_back(Facts{{{count(comparison_.words.size()), "words compared"},
                                           {count(number_of(in_a)), "broader in " + names_.a},
                                           {count(number_of(in_b)), "broader in " + names_.b},
                                           {count(number_of(neither)), "no difference shown"},
                                           {significant(std::exp(comparison_.median_T), 3), "median ratio"}}});
        section.blocks.emplace_back(Finding{Markup("Clearly broader in " + names_.a + ": ") + examples(in_a) + ". In " +
                                            names_.b + ": " + examples(in_b) + "."});
        section.blocks.emplace_back(Paragraph{
            "A word is broad where its occurrences differ from each other. T is the logarithm of its breadth v in " +
            names_.a + " over that in " + names_.b +
            "; q is the p-value adjusted for the number of words. Both clouds of a word are cut to the same size, and "
            "one is turned onto the direction of the other before they are tested: that a word means something else "
            "in the other corpus is not counted as breadth."});
        section.blocks.emplace_back(Paragraph{whole_vocabulary()});
        if (!comparison_.left_out.empty())
            section.blocks.emplace_back(Paragraph{left_out_sentence(comparison_.left_out)});
        return section;
    }

    // A corpus of many kinds of text makes nearly every word broader; then a word stands out by more than its sign.
    [[nodiscard]] std::string whole_vocabulary() const {
        const double median = comparison_.median_T;
        if (std::abs(median) < 0.005) return "The median word is as broad in one as in the other.";
        return "The median word is " + significant(std::exp(std::abs(median)), 3) + " times as broad in " +
               (median > 0 ? names_.a : names_.b) + " as in " + (median > 0 ? names_.b : names_.a) +
               ". What stands out is a word far from that median, which the first picture marks.";
    }

    [[nodiscard]] std::vector<Group> groups() const {
        return {{"no difference shown", true}, {"broader in " + names_.a}, {"broader in " + names_.b}};
    }

    // A word in a picture. Those far out get their name written.
    [[nodiscard]] ScatterPoint point_of(const ComparedWord& word, double x, double y) const {
        const TestResult& test = word.test;
        const Side side = side_of(word);
        const std::string note = "v " + significant(test.v_x, 3) + " in " + names_.a + "\nv " +
                                 significant(test.v_y, 3) + " in " + names_.b + "\nT = " + fixed(test.T, 2) +
                                 ", q = " + p_value(word.q);
        return {x, y, side, word.word, note, evidence_of(word), prominence_of(word)};
    }

    // The words come clearest first, so that those at the front of either side are the extreme ones.
    [[nodiscard]] double prominence_of(const ComparedWord& word) const {
        const Side side = side_of(word);
        if (side == neither) return 0;
        std::size_t before = 0;
        for (const ComparedWord* other = comparison_.words.data(); other != &word && before < labelled_words; ++other)
            before += side_of(*other) == side ? 1 : 0;
        return before < labelled_words ? 1 / static_cast<double>(1 + before) : 0;
    }

    [[nodiscard]] static Evidence evidence_of(const ComparedWord& word) {
        return {word.concordance_a.empty() ? "" : word.word, {}, word.word};
    }

    // Whether no permutation was as extreme as the word itself, so that its q is as small as their number allows.
    [[nodiscard]] static bool is_at_the_limit(const ComparedWord& word) {
        return !word.test.exact && word.test.exceedances == 0;
    }

    // All these have the same q: on the axis they would stand in one line, and only |T| tells them apart.
    [[nodiscard]] std::vector<ScatterPoint> points_at_the_limit() const {
        std::vector<ScatterPoint> points;
        double least = INFINITY, most = 0;
        for (const ComparedWord& word : comparison_.words) {
            if (!is_at_the_limit(word)) continue;
            points.push_back(point_of(word, word.test.T, evidence(word.q)));
            least = std::min(least, std::abs(word.test.T));
            most = std::max(most, std::abs(word.test.T));
        }
        for (ScatterPoint& point : points)
            point.height_in_band = most > least ? (std::abs(point.x) - least) / (most - least) : 0.5;
        return points;
    }

    [[nodiscard]] Svg volcano() const {
        ScatterPlot plot;
        plot.heading = {"How much, and how sure",
                        "Every word by T and by -log10 q; words high up and far from the middle differ clearly."};
        plot.x.label = "T: broader in " + names_.b + " ← 0 → broader in " + names_.a;
        plot.x.column = "T";
        plot.y.label = "−log₁₀ q";
        plot.y.column = "minus_log10_q";
        plot.y.low = 0;
        plot.y.high = 1.05 * std::max(evidence(comparison_.words.front().q), evidence(comparison_.options.alpha));
        plot.groups = groups();
        plot.panels.emplace_back();
        for (const ComparedWord& word : comparison_.words)
            if (!is_at_the_limit(word)) plot.panels[0].points.push_back(point_of(word, word.test.T, evidence(word.q)));
        const std::vector<ScatterPoint> limited = points_at_the_limit();
        if (!limited.empty()) plot.band = "no permutation as extreme: by |T|";
        plot.panels[0].points.insert(plot.panels[0].points.end(), limited.begin(), limited.end());
        plot.x_guides = {{comparison_.median_T, "median"}};
        plot.y_guides = {{evidence(comparison_.options.alpha), "q = " + shortest(comparison_.options.alpha)}};
        return svg_of(plot);
    }

    [[nodiscard]] Svg side_by_side() const {
        ScatterPlot plot;
        plot.heading = {"Breadth in one against the other",
                        "Every word by its breadth in both; words on the line are as broad in one as in the other."};
        plot.x = {.label = "v in " + names_.a, .kind = Axis::Kind::logarithmic, .column = "v_a"};
        plot.y = {.label = "v in " + names_.b, .kind = Axis::Kind::logarithmic, .column = "v_b"};
        plot.groups = groups();
        plot.panels.emplace_back();
        double low = INFINITY, high = 0;
        for (const ComparedWord& word : comparison_.words) {
            plot.panels[0].points.push_back(point_of(word, word.test.v_x, word.test.v_y));
            low = std::min({low, word.test.v_x, word.test.v_y});
            high = std::max({high, word.test.v_x, word.test.v_y});
        }
        for (Axis* axis : {&plot.x, &plot.y}) {
            axis->low = 0.95 * low;
            axis->high = 1.05 * high;
        }
        plot.panels[0].segments = {{low, low, high, high, "equally broad"}};
        return svg_of(plot);
    }

    // How to read the band at the top, where there is one.
    [[nodiscard]] std::string about_the_band() const {
        const auto number =
            static_cast<std::uint64_t>(std::ranges::count_if(comparison_.words, &ComparisonPage::is_at_the_limit));
        if (number == 0) return "";
        return " In the band at the top " + (number == 1 ? "is 1 word" : "are " + count(number) + " words") +
               " whose q is as small as it can be, since none of " + count(comparison_.options.test.permutations) +
               " random permutations was as extreme; the higher one stands there, the larger its |T|.";
    }

    [[nodiscard]] std::string volcano_caption() const {
        return "Each point is a word. T is the logarithm of its breadth in " + names_.a + " over that in " + names_.b +
               ", q its p-value adjusted for the number of words. Dashed: the median T, and q = " +
               shortest(comparison_.options.alpha) + ", above which a difference counts as shown." + about_the_band();
    }

    [[nodiscard]] Section pictures() const {
        const std::string caption = "Each point is a word, by its breadth v in " + names_.a + " and in " + names_.b +
                                    ", from as many occurrences in both. On the line, it is as broad in one as in the "
                                    "other; below it, broader in " +
                                    names_.a + ".";
        return {"The words",
                {Figure{volcano(), volcano_caption(), "compare-volcano"},
                 Figure{side_by_side(), caption, "compare-breadths"}}};
    }

    [[nodiscard]] static std::string ratio_of(const TestResult& test) {
        return significant(test.ratio, 2) + " (" + significant(std::exp(test.ci_low), 2) + " to " +
               significant(std::exp(test.ci_high), 2) + ")";
    }

    [[nodiscard]] std::vector<Cell> row_of(const ComparedWord& word) const {
        const TestResult& test = word.test;
        const Side side = side_of(word);
        return {{word.word, NAN, evidence_of(word)},
                {side == neither ? ""
                 : side == in_a  ? names_.a
                                 : names_.b,
                 NAN,
                 {}},
                {fixed(test.T, 2), test.T, {}},
                {ratio_of(test), test.ratio, {}, std::exp(test.ci_low), std::exp(test.ci_high)},
                {p_value(word.q), word.q, {}},
                {significant(test.v_x, 3), test.v_x, {}},
                {significant(test.v_y, 3), test.v_y, {}},
                {count(word.frequency_a), static_cast<double>(word.frequency_a), {}},
                {count(word.frequency_b), static_cast<double>(word.frequency_b), {}},
                {count(test.n), static_cast<double>(test.n), {}}};
    }

    [[nodiscard]] std::vector<TableColumn> columns() const {
        using Kind = TableColumn::Kind;
        const std::string ratio_help = "v in " + names_.a + " over v in " + names_.b + ", and its " +
                                       percent(comparison_.options.test.confidence) + " interval";
        return {{"word", Kind::subject},
                {"broader in", Kind::text, "where the word is broader, if " + level(), "broader_in"},
                {"T", Kind::number, "log of the ratio; above 0: broader in " + names_.a},
                {"ratio", Kind::number, ratio_help},
                {"q", Kind::number, "p adjusted for the number of words", "p_adjusted"},
                {"v, " + names_.a, Kind::number, "breadth in " + names_.a, "v_a"},
                {"v, " + names_.b, Kind::number, "breadth in " + names_.b, "v_b"},
                {"f, " + names_.a, Kind::number, "frequency: occurrences in " + names_.a, "frequency_a"},
                {"f, " + names_.b, Kind::number, "frequency: occurrences in " + names_.b, "frequency_b"},
                {"n", Kind::number, "rows of each cloud that were used"}};
    }

    // Where all words have as many rows, the number needs no column.
    [[nodiscard]] Section all_words() const {
        const std::vector<ComparedWord>& words = comparison_.words;
        const bool one_size =
            std::ranges::all_of(words, [&](const ComparedWord& word) { return word.test.n == words[0].test.n; });
        DataTable table;
        table.name = "compare";
        table.caption = "All " + count(words.size()) +
                        " words that both corpora have, the clearest first, and among equally clear ones the largest "
                        "differences. " +
                        count(std::min(comparison_.options.concordances, words.size())) +
                        " words open to occurrences of them." +
                        (one_size ? " " + count(words[0].test.n) + " rows of every cloud." : "");
        table.columns = columns();
        if (one_size) table.columns.pop_back();
        for (const ComparedWord& word : words) table.rows.push_back(row_of(word));
        return {"All words", {std::move(table)}};
    }

    [[nodiscard]] Concordance concordance_of(const ComparedWord& word) const {
        Concordance concordance{word.word, word.word, lines_of(word.concordance_a, names_.a)};
        for (PageLine& line : lines_of(word.concordance_b, names_.b)) concordance.lines.push_back(std::move(line));
        return concordance;
    }

    const Comparison& comparison_;
    const StoreNames& names_;
};

}  // namespace

Page page_of(const Comparison& comparison, const StoreNames& names) {
    return ComparisonPage(comparison, names).page();
}

}  // namespace wordbreadth::report
