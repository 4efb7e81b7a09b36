// A comparison of two stores.
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/parts.h"

namespace wordbreadth::report {
namespace {

using Words = std::vector<const ComparedWord*>;

enum Side : std::size_t { neither, in_a, in_b };  // the groups of both pictures

constexpr std::size_t named_words = 5;      // of either side, in the finding
constexpr std::size_t labelled_words = 15;  // of either side, in the pictures

Side side_of(const Comparison& comparison, const ComparedWord& word, Center center) {
    if (!comparison.is_finding(word, center)) return neither;
    return log_ratio(word, center) > 0 ? in_a : in_b;
}

std::size_t number_of(const Comparison& comparison, Side side, Center center) {
    return static_cast<std::size_t>(std::ranges::count_if(
        comparison.words, [&](const ComparedWord& word) { return side_of(comparison, word, center) == side; }));
}

Evidence evidence_of(const ComparedWord& word) {
    return {word.concordance_a.empty() ? "" : word.word, {}, word.word};
}

Words words_of(const Comparison& comparison, Center center) {
    Words words;
    for (const std::size_t i : order_of(comparison, center)) words.push_back(&comparison.words[i]);
    return words;
}

// From broader in A to broader in B, the clearest outside.
Words from_end_to_end(const Comparison& comparison, Center center) {
    Words words, of_b;
    for (const ComparedWord* word : words_of(comparison, center))
        (log_ratio(*word, center) > 0 ? words : of_b).push_back(word);
    words.insert(words.end(), of_b.rbegin(), of_b.rend());
    return words;
}

Value ratio_with_interval(const TestResult& test) {
    const double low = std::exp(test.ci_low), high = std::exp(test.ci_high);
    return Value(test.ratio)
        .shown_as(significant(test.ratio, 2) + " (" + significant(low, 2) + " to " + significant(high, 2) + ")")
        .between(low, high);
}

Value ratio_beyond(const ComparedWord& word) {
    return Value(std::exp(word.centered.effect));
}

// Whether p is about the effect, and not about T.
bool is_studentised(const Comparison& comparison) {
    const Statistic statistic = comparison.options.test.statistic;
    return statistic == Statistic::robust || statistic == Statistic::blocks;
}

// What the log ratio is called: T where that was permuted.
std::string log_ratio_name(const Comparison& comparison, Center center) {
    if (center == Center::median) return "log ratio beyond the median";
    return is_studentised(comparison) ? "log ratio" : "T";
}

// Gets a number of a word's modes in one of the stores; missing where they were not asked for, or there are none.
template <class Get>
auto of_modes(const Comparison& comparison, const std::vector<WordModes>& modes, Get get) {
    return [&comparison, &modes, get](const ComparedWord* word) {
        if (modes.empty()) return Value();
        const auto& found = modes[static_cast<std::size_t>(word - comparison.words.data())].modes;
        return found ? Value(get(*found)) : Value();
    };
}

auto number_of_modes(const Comparison& comparison, const std::vector<WordModes>& modes) {
    return of_modes(comparison, modes, [](const Modes& found) { return found.modes.size(); });
}

auto between_modes(const Comparison& comparison, const std::vector<WordModes>& modes) {
    return of_modes(comparison, modes, [](const Modes& found) { return found.between; });
}

// New columns for programs go to the end.
Table comparison_table(const Comparison& comparison, Words words, const StoreNames& names, Center center) {
    using Row = const ComparedWord*;
    const auto of = [](auto member) { return path(&ComparedWord::test, member); };
    const auto broader_in = [&comparison, names, center](const Row& word) {
        const Side side = side_of(comparison, *word, center);
        return side == neither ? "" : side == in_a ? names.a : names.b;
    };
    const std::string of_a = " in " + names.a, of_b = " in " + names.b;
    const bool beyond = center == Center::median, studentised = is_studentised(comparison);
    const bool blocks = comparison.options.test.statistic == Statistic::blocks;
    const auto of_center = [](double CenteredEffect::*member) {
        return [member](const Row& word) { return word->centered.*member; };
    };
    const auto in_text = [](bool shown, unsigned others) { return shown ? in::text | others : others; };
    return table_of<Row>(
        "compare", "", std::move(words),
        {{"word", "word", look::subject, [](const Row& word) { return Value(word->word).opening(evidence_of(*word)); }},
         {"broader_in", "broader in", look::name, broader_in,
          std::string("where the word is broader") + (beyond ? " than the median word" : "") + ", if q ≤ " +
              shortest(comparison.options.alpha),
          in::page},
         {"n", "n", look::plain, of(&TestResult::n), "rows of each cloud that were used"},
         {"v_a", "v, " + names.a, look::digits(3), of(&TestResult::v_x), "breadth" + of_a},
         {"v_b", "v, " + names.b, look::digits(3), of(&TestResult::v_y), "breadth" + of_b},
         {"ratio", "ratio", look::digits(3), of(&TestResult::ratio), "", in::text | in::programs},
         {"ratio", "ratio", look::digits(2), [](const Row& word) { return ratio_with_interval(word->test); },
          "breadth" + of_a + " over that" + of_b + ", without the bias of small clouds; " +
              percent(comparison.options.test.confidence) + " interval",
          in::page},
         {"T", "T", look::decimals(3), of(&TestResult::T), "log of v" + of_a + " over v" + of_b + ", the paper's",
          in_text(!beyond && !studentised, in::page | in::programs)},
         {"", "log ratio", look::decimals(3), of(&TestResult::effect), "", in_text(!beyond && studentised, 0)},
         {"standard_error", of(&TestResult::standard_error)},
         {"ci_low", of(&TestResult::ci_low)},
         {"ci_high", of(&TestResult::ci_high)},
         {"p", of(&TestResult::p)},
         {"p_adjusted", "q", look::p, path(&ComparedWord::q), "p adjusted for the number of words",
          in_text(!beyond, in::page | in::programs)},
         {"exceedances", of(&TestResult::exceedances)},
         {"permutations", of(&TestResult::permutations)},
         {"frequency_a", "f, " + names.a, look::count, path(&ComparedWord::frequency_a),
          "frequency: occurrences" + of_a, in::page | in::programs},
         {"frequency_b", "f, " + names.b, look::count, path(&ComparedWord::frequency_b),
          "frequency: occurrences" + of_b, in::page | in::programs},
         {"rows_a", path(&ComparedWord::rows_a)},
         {"rows_b", path(&ComparedWord::rows_b)},
         {"stopped_early", of(&TestResult::stopped_early)},
         {"forced", "", {}, [&comparison](const Row&) { return comparison.forced; }, "", in::tsv},
         {"effect", "log ratio", look::decimals(3), of(&TestResult::effect),
          "log of the ratio; above 0: broader" + of_a, in::page | in::programs},
         {"blocks_a", blocks ? "docs, " + names.a : "", look::count, of(&TestResult::blocks_x),
          "documents" + of_a + " that were permuted", in::page | in::programs},
         {"blocks_b", blocks ? "docs, " + names.b : "", look::count, of(&TestResult::blocks_y),
          "documents" + of_b + " that were permuted", in::page | in::programs},
         {"smallest_p", of(&TestResult::smallest_p)},
         {"", "beyond", look::digits(3), [](const Row& word) { return ratio_beyond(*word); }, "", in_text(beyond, 0)},
         {"centered_effect", "beyond the median", look::decimals(3), of_center(&CenteredEffect::effect),
          "log ratio less that of the median word", in::page | in::programs},
         {"centered_standard_error", of_center(&CenteredEffect::standard_error)},
         {"centered_p", of_center(&CenteredEffect::p)},
         {"centered_p_adjusted", beyond ? "q beyond" : "q beyond the median", look::p, of_center(&CenteredEffect::q),
          "p of the log ratio beyond the median, adjusted for the number of words",
          in_text(beyond, in::page | in::programs)},
         {"modes_a", number_of_modes(comparison, comparison.modes_a)},
         {"between_a", comparison.modes_a.empty() ? "" : "between, " + names.a, look::decimals(2),
          between_modes(comparison, comparison.modes_a), "share of the spread that lies between modes" + of_a},
         {"modes_b", number_of_modes(comparison, comparison.modes_b)},
         {"between_b", comparison.modes_b.empty() ? "" : "between, " + names.b, look::decimals(2),
          between_modes(comparison, comparison.modes_b), "share of the spread that lies between modes" + of_b}});
}

std::string headline(const Comparison& comparison, const StoreNames& names, Center center) {
    return std::string(center == Center::median ? "Beyond the median, broader in " : "Broader in ") +
           printable(names.a) + ": " + count(number_of(comparison, in_a, center)) + " of " +
           count(comparison.words.size()) + " shared words; in " + printable(names.b) + ": " +
           count(number_of(comparison, in_b, center)) + " (q <= " + shortest(comparison.options.alpha) + ")";
}

// "documents as blocks: 41 and 38 in the median; ", and what few of them mean.
std::string documents_sentence(const Comparison& comparison) {
    if (comparison.options.test.statistic != Statistic::blocks) return "";
    std::vector<std::size_t> of_a, of_b;
    std::size_t hopeless = 0;
    for (const ComparedWord& word : comparison.words) {
        of_a.push_back(word.test.blocks_x);
        of_b.push_back(word.test.blocks_y);
        hopeless += word.test.smallest_p > comparison.options.alpha ? 1 : 0;
    }
    const auto middle = [](std::vector<std::size_t>& values) {
        const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::ranges::nth_element(values, half);
        return count(*half);
    };
    std::string text = "documents as blocks: " + middle(of_a) + " and " + middle(of_b) + " in the median; ";
    if (hopeless > 0)
        text += counted(hopeless, "word") + (hopeless == 1 ? " has" : " have") +
                " too few documents for p <= " + shortest(comparison.options.alpha) + "; ";
    return text;
}

// What the numbers of the table are.
std::string log_ratio_sentence(const Comparison& comparison, const StoreNames& names, Center center) {
    const std::string of = "v in " + printable(names.a) + " / v in " + printable(names.b);
    if (center == Center::median)
        return "beyond: the ratio over that of the median word, " + significant(std::exp(comparison.median_effect), 3) +
               ", p from Student's t; ";
    if (!is_studentised(comparison))
        return "T = log(" + of + "), " + fixed(comparison.median_T, 3) + " in the median; ";
    return "log ratio: of the breadths in " + printable(names.a) + " and " + printable(names.b) +
           ", free of the bias of v in small clouds, " + fixed(comparison.median_effect, 3) + " in the median; ";
}

std::string summary(const Comparison& comparison, const StoreNames& names, Center center) {
    const std::size_t size = comparison.options.common_size;
    return log_ratio_sentence(comparison, names, center) + documents_sentence(comparison) +
           "both clouds of a word cut to " + (size > 0 ? count(size) + " rows" : "n rows, the size of the smaller") +
           "; " + count(comparison.only_a) + " words only in " + printable(names.a) + ", " + count(comparison.only_b) +
           " only in " + printable(names.b) + "; " +
           method_sentence(comparison.options, comparison.device, comparison.seconds);
}

double evidence(double q) {
    return -std::log10(std::max(q, 1e-300));
}

class ComparisonPage {
  public:
    ComparisonPage(const Comparison& comparison, const StoreNames& names, Center center)
        : comparison_(comparison), names_(names), center_(center), words_(words_of(comparison, center)) {}

    [[nodiscard]] Page page() const {
        Page page;
        page.title = "Breadth in " + names_.a + " and " + names_.b;
        page.subtitle = count(comparison_.words.size()) + " words that both have, each tested in one against the other";
        page.sections = {overview(), pictures(), all_words()};
        for (const ComparedWord& word : comparison_.words)
            if (!word.concordance_a.empty()) page.concordances.push_back(concordance_of(word));
        page.settings = settings_of(comparison_.options, comparison_.device);
        page.settings.insert(page.settings.end(),
                             {{"measured against", center_ == Center::median ? "the median word" : "equal breadth"},
                              {"words only in " + names_.a, count(comparison_.only_a)},
                              {"words only in " + names_.b, count(comparison_.only_b)},
                              {"time", duration(comparison_.seconds)}});
        return page;
    }

  private:
    [[nodiscard]] Side side(const ComparedWord& word) const { return side_of(comparison_, word, center_); }
    [[nodiscard]] double q(const ComparedWord& word) const {
        return center_ == Center::median ? word.centered.q : word.q;
    }
    [[nodiscard]] std::string number(Side wanted, Center center) const {
        return count(number_of(comparison_, wanted, center));
    }

    // The first words of a side, which are the clearest.
    [[nodiscard]] Markup examples(Side wanted) const {
        std::vector<std::string> words;
        for (const ComparedWord* word : words_)
            if (side(*word) == wanted && words.size() < named_words) words.push_back(word->word);
        return words.empty() ? Markup("no word") : word_list(words);
    }

    [[nodiscard]] Section overview() const {
        Section section{
            "In short",
            {Facts{{{count(comparison_.words.size()), "words compared"},
                    {number(in_a, center_), "broader in " + names_.a + beyond()},
                    {number(in_b, center_), "broader in " + names_.b + beyond()},
                    {number(neither, center_), "no difference shown" + beyond()},
                    {significant(std::exp(median()), 3), "median ratio"}}},
             Finding{Markup("Clearly broader in " + names_.a + beyond() + ": ") + examples(in_a) + ". In " + names_.b +
                     ": " + examples(in_b) + "."},
             Paragraph{"A word is broad where its occurrences differ from each other. Its log ratio is the logarithm "
                       "of its breadth in " +
                       names_.a + " over that in " + names_.b +
                       "; q is the p-value adjusted for the number of words. Both clouds of a word are cut to the same "
                       "size, and one is turned onto the direction of the other before they are tested: that a word "
                       "means something else in the other corpus is not counted as breadth. " +
                       documents_on_page()},
             Paragraph{whole_vocabulary()}}};
        if (!comparison_.left_out.empty())
            section.blocks.emplace_back(Paragraph{left_out_sentence(comparison_.left_out)});
        return section;
    }

    // A corpus of many kinds of text makes nearly every word broader; then a word stands out by more than its sign.
    [[nodiscard]] std::string whole_vocabulary() const {
        const double common = median();
        const std::string middle = std::abs(common) < 0.005
                                       ? "The median word is as broad in one as in the other."
                                       : "The median word is " + significant(std::exp(std::abs(common)), 3) +
                                             " times as broad in " + (common > 0 ? names_.a : names_.b) + " as in " +
                                             (common > 0 ? names_.b : names_.a) + ".";
        if (center_ == Center::none)
            return middle + " What stands out is a word far from that median, which the first figure marks.";
        return middle +
               " What all words have in common is a property of the corpora, not of a word, so this page measures "
               "words against the median: a word is broader beyond it in " +
               names_.a +
               " if its ratio is larger than the median ratio (p from Student's t; the uncertainty of the "
               "median is part of it). Against equal breadth, by permutations, " +
               number(in_a, Center::none) + " words are broader in " + names_.a + " and " + number(in_b, Center::none) +
               " in " + names_.b + "; the table has both.";
    }

    // What the median word has.
    [[nodiscard]] double median() const {
        const bool of_T = center_ == Center::none && !is_studentised(comparison_);
        return of_T ? comparison_.median_T : comparison_.median_effect;
    }

    [[nodiscard]] std::string beyond() const { return center_ == Center::median ? ", beyond the median" : ""; }

    [[nodiscard]] std::string documents_on_page() const {
        if (comparison_.options.test.statistic != Statistic::blocks) return "Rows are taken as independent.";
        std::string text = documents_sentence(comparison_);
        text.resize(text.size() - 2);  // "; "
        return "Whole documents are permuted, since occurrences in one document resemble each other (" + text + ").";
    }

    [[nodiscard]] std::vector<Group> groups() const {
        const std::string than = center_ == Center::median ? " than the median word" : "";
        return {{"no difference shown", true}, {"broader in " + names_.a + than}, {"broader in " + names_.b + than}};
    }

    // A word in a picture. Those far out get their name written.
    [[nodiscard]] ScatterPoint point_of(const ComparedWord& word, double x, double y) const {
        const TestResult& test = word.test;
        const std::string note = "v " + significant(test.v_x, 3) + " in " + names_.a + "\nv " +
                                 significant(test.v_y, 3) + " in " + names_.b + "\n" +
                                 log_ratio_name(comparison_, center_) + " " + fixed(log_ratio(word, center_), 2) +
                                 ", q = " + p_value(q(word));
        return {x, y, side(word), word.word, note, evidence_of(word), prominence_of(word)};
    }

    // The words come clearest first, so that those at the front of either side are the extreme ones.
    [[nodiscard]] double prominence_of(const ComparedWord& word) const {
        if (side(word) == neither) return 0;
        std::size_t before = 0;
        for (auto other = words_.begin(); *other != &word && before < labelled_words; ++other)
            before += side(**other) == side(word) ? 1 : 0;
        return before < labelled_words ? 1 / static_cast<double>(1 + before) : 0;
    }

    // Whether no permutation was as extreme as the word itself, so that its q is as small as their number allows.
    [[nodiscard]] bool is_at_the_limit(const ComparedWord& word) const {
        return center_ == Center::none && !word.test.exact && word.test.exceedances == 0;
    }

    // All these have the same q: on the axis they would stand in one line, and only |T| tells them apart.
    [[nodiscard]] std::vector<ScatterPoint> points_at_the_limit() const {
        std::vector<ScatterPoint> points;
        double least = INFINITY, most = 0;
        for (const ComparedWord& word : comparison_.words) {
            if (!is_at_the_limit(word)) continue;
            points.push_back(point_of(word, log_ratio(word), evidence(word.q)));
            least = std::min(least, std::abs(log_ratio(word)));
            most = std::max(most, std::abs(log_ratio(word)));
        }
        for (ScatterPoint& point : points)
            point.height_in_band = most > least ? (std::abs(point.x) - least) / (most - least) : 0.5;
        return points;
    }

    [[nodiscard]] Svg volcano() const {
        ScatterPlot plot;
        const std::string name = log_ratio_name(comparison_, center_);
        plot.heading = {"How much, and how sure", "Every word by " + name +
                                                      " and by -log10 q; words high up and far from the middle differ "
                                                      "clearly."};
        plot.x.label = name + ": broader in " + names_.b + " ← 0 → broader in " + names_.a;
        plot.x.column = center_ == Center::median ? "centered_effect" : name == "T" ? "T" : "effect";
        plot.y.label = "−log₁₀ q";
        plot.y.column = "minus_log10_q";
        plot.y.low = 0;
        plot.y.high = 1.05 * std::max(evidence(q(*words_.front())), evidence(comparison_.options.alpha));
        plot.groups = groups();
        plot.panels.emplace_back();
        for (const ComparedWord& word : comparison_.words)
            if (!is_at_the_limit(word) && !std::isnan(q(word)))
                plot.panels[0].points.push_back(point_of(word, log_ratio(word, center_), evidence(q(word))));
        const std::vector<ScatterPoint> limited = points_at_the_limit();
        if (!limited.empty()) plot.band = "no permutation as extreme: by |" + name + "|";
        plot.panels[0].points.insert(plot.panels[0].points.end(), limited.begin(), limited.end());
        plot.x_guides = {{center_ == Center::median ? 0 : median(), "median"}};
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
        plot.panels[0].segments = {
            {low, low, high, high,
             center_ == Center::median ? "lines: equally broad, the median ratio" : "equally broad"}};
        if (center_ == Center::median) {
            const double ratio = std::exp(median()), below = std::max(1.0, ratio), above = std::min(1.0, ratio);
            plot.panels[0].segments.push_back(
                {low * below, low * below / ratio, high * above, high * above / ratio, ""});
        }
        return svg_of(plot);
    }

    // How to read the band at the top, where there is one.
    [[nodiscard]] std::string about_the_band() const {
        const auto limited = static_cast<std::uint64_t>(
            std::ranges::count_if(comparison_.words, [&](const ComparedWord& word) { return is_at_the_limit(word); }));
        if (limited == 0) return "";
        return " In the band at the top " + (limited == 1 ? "is 1 word" : "are " + count(limited) + " words") +
               " whose q is as small as it can be, since none of " + count(comparison_.options.test.permutations) +
               " random permutations was as extreme; the higher one stands there, the larger its |" +
               log_ratio_name(comparison_, center_) + "|.";
    }

    [[nodiscard]] std::string volcano_caption() const {
        const std::string name = log_ratio_name(comparison_, center_);
        const std::string what = center_ == Center::median ? ", less that of the median word" : "";
        return "Each point is a word. Across, " + name + ": the logarithm of its breadth in " + names_.a +
               " over that in " + names_.b + what +
               "; up, q, its p-value adjusted for the number of words. Dashed: the median, and q = " +
               shortest(comparison_.options.alpha) + ", above which a difference counts as shown." + about_the_band();
    }

    [[nodiscard]] Section pictures() const {
        const std::string caption =
            "Each point is a word, by its breadth v in " + names_.a + " and in " + names_.b +
            ", from as many occurrences in both. On the line, it is as broad in one as in the "
            "other; below it, broader in " +
            names_.a + "." +
            (center_ == Center::median ? " The other line, beside it, is that of the median ratio." : "");
        return {"The words",
                {Figure{volcano(), volcano_caption(), "compare-volcano"},
                 Figure{side_by_side(), caption, "compare-breadths"}}};
    }

    // Where all words have as many rows, the number needs no column.
    [[nodiscard]] Section all_words() const {
        const std::vector<ComparedWord>& words = comparison_.words;
        const bool one_size =
            std::ranges::all_of(words, [&](const ComparedWord& word) { return word.test.n == words[0].test.n; });
        const std::string caption =
            "All " + count(words.size()) +
            " words that both corpora have, the clearest first, and among equally clear ones the largest "
            "differences. " +
            count(page_words()) + " words open to occurrences of them." +
            (one_size ? " " + count(words[0].test.n) + " rows of every cloud." : "");
        std::vector<std::string> keys = {"word", "broader_in"};
        const auto add = [&](std::initializer_list<const char*> more) {
            keys.insert(keys.end(), more.begin(), more.end());
        };
        if (center_ == Center::median) add({"centered_effect", "centered_p_adjusted"});
        const bool blocks = comparison_.options.test.statistic == Statistic::blocks;
        add({is_studentised(comparison_) ? "effect" : "T", "ratio", "p_adjusted", "v_a", "v_b", "frequency_a",
             "frequency_b"});
        if (blocks) add({"blocks_a", "blocks_b"});
        if (!one_size) add({"n"});
        if (!comparison_.modes_a.empty()) add({"between_a", "between_b"});
        return {"All words",
                {data_table(part_of(comparison_table(comparison_, words_, names_, center_), keys, caption, in::page))}};
    }

    [[nodiscard]] std::uint64_t page_words() const {
        return static_cast<std::uint64_t>(std::ranges::count_if(
            comparison_.words, [](const ComparedWord& word) { return !word.concordance_a.empty(); }));
    }

    [[nodiscard]] Concordance concordance_of(const ComparedWord& word) const {
        Concordance concordance{word.word, word.word, lines_of(word.concordance_a, names_.a)};
        for (PageLine& line : lines_of(word.concordance_b, names_.b)) concordance.lines.push_back(std::move(line));
        return concordance;
    }

    const Comparison& comparison_;
    const StoreNames& names_;
    Center center_;
    Words words_;  // the clearest first
};

}  // namespace

Table table_of(const Comparison& comparison, const StoreNames& names, Center center) {
    return comparison_table(comparison, words_of(comparison, center), names, center);
}

std::string text_of(const Comparison& comparison, const StoreNames& names, std::size_t ends, const Style& style,
                    Center center) {
    constexpr std::size_t room = 14;  // so that the table fits 80 columns
    const StoreNames short_names{clipped(printable(names.a), room), clipped(printable(names.b), room)};
    const Table table = comparison_table(comparison, from_end_to_end(comparison, center), short_names, center);
    return style.bold_line(headline(comparison, names, center)) + "\n" +
           text_of(table, style, both_ends(table.size, ends)) + "\n" +
           style.dim_line(summary(comparison, names, center)) + style.plain_line(forced_note(comparison.forced)) +
           style.dim_line(left_out_sentence(comparison.left_out));
}

Json json_of(const Comparison& comparison, const StoreNames& names, Center center) {
    Json results = json_of(table_of(comparison, names, center));
    const Words words = words_of(comparison, center);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const ComparedWord& word = *words[i];
        results[i]["ci"] = Json::array({json_number(word.test.ci_low), json_number(word.test.ci_high)});
        if (word.concordance_a.empty()) continue;
        results[i]["usages_a"] = json_of(table_of(word.concordance_a));
        results[i]["usages_b"] = json_of(table_of(word.concordance_b));
    }
    Json settings = json_of(comparison.options, comparison.device);
    settings["modes"] = comparison.options.modes;
    return {{"a", {{"name", names.a}, {"store", comparison.folder_a}, {"words_of_its_own", comparison.only_a}}},
            {"b", {{"name", names.b}, {"store", comparison.folder_b}, {"words_of_its_own", comparison.only_b}}},
            {"forced", json_text(comparison.forced)},
            {"settings", std::move(settings)},
            {"median_T", json_number(comparison.median_T)},
            {"seconds", json_number(comparison.seconds)},
            {"results", std::move(results)},
            {"left_out", json_of(comparison.left_out)},
            {"center", wordbreadth::name_of(center)},
            {"median_effect", json_number(comparison.median_effect)},
            {"median_effect_standard_error", json_number(comparison.median_standard_error)}};
}

Page page_of(const Comparison& comparison, const StoreNames& names, Center center) {
    const bool measured =
        std::ranges::any_of(comparison.words, [](const ComparedWord& word) { return !std::isnan(word.centered.q); });
    return ComparisonPage(comparison, names, measured ? center : Center::none).page();
}

}  // namespace wordbreadth::report
