#include "report/triage.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/concordance.h"
#include "report/figures/figures.h"
#include "report/table/number.h"
#include "report/word_study.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;

enum Standing : std::size_t { above_none, above_some, above_all, reference };  // the groups of the picture

constexpr std::size_t named_words = 5;             // in the finding
constexpr std::size_t words_with_occurrences = 5;  // shown below the table, and on the page before anyone clicks
constexpr std::size_t width_of_a_file = 100;

Standing standing_of(const Triage& triage, const Candidate& candidate) {
    if (candidate.broader_than == 0) return above_none;
    return candidate.broader_than == triage.references.size() ? above_all : above_some;
}

std::string number_of(const Triage& triage, Standing standing) {
    return count(static_cast<std::uint64_t>(std::ranges::count_if(
        triage.candidates, [&](const Candidate& candidate) { return standing_of(triage, candidate) == standing; })));
}

Evidence evidence_of(const Candidate& candidate) {
    return {candidate.concordance.empty() ? "" : candidate.word, {}, candidate.word};
}

// The references that the candidate is, or is not, broader than.
std::vector<std::string> references(const Triage& triage, const Candidate& candidate, bool broader) {
    std::vector<std::string> words;
    for (std::size_t k = 0; k < triage.references.size(); ++k)
        if (candidate.tests[k].broader == broader) words.push_back(triage.references[k].word);
    return words;
}

// New columns for programs go to the end.
Table candidates_table(const Triage& triage) {
    struct Row {
        std::size_t rank;
        const Candidate* word;
    };
    std::vector<Row> rows;
    for (std::size_t i = 0; i < triage.candidates.size(); ++i) rows.push_back({i + 1, &triage.candidates[i]});
    const auto which = [&triage](const Row& row) {
        return Value(joined(references(triage, *row.word, true), " ")).shown_as(broader_than(triage, *row.word));
    };
    return table_of<Row>(
        "triage", "", std::move(rows),
        {{"rank", "rank", look::count, &Row::rank},
         {"word", "word", look::subject,
          [](const Row& row) { return Value(row.word->word).opening(evidence_of(*row.word)); }},
         {"attention", "attention", look::count,
          [](const Row& row) {
              return Value(row.word->attention).shown_as(percent(std::round(100 * row.word->attention) / 100));
          },
          "the share of the references that the word is broader than", in::page | in::programs},
         {"broader_than", "broader than", look::count,
          [](const Row& row) {
              return Value(row.word->broader_than)
                  .shown_as(count(row.word->broader_than) + " of " + count(row.word->tests.size()));
          },
          "", in::text | in::programs},
         {"references", "", {}, [](const Row& row) { return row.word->tests.size(); }},
         {"v", "breadth v", look::digits(3), [](const Row& row) { return row.word->breadth.v; },
          "large where occurrences differ"},
         {"standard_error", "", {}, [](const Row& row) { return row.word->breadth.v_standard_error; }},
         {"ratio_to_median", "of median", look::digits(3),
          [&triage](const Row& row) { return row.word->breadth.v / triage.median_v; },
          "v over the median v of the references"},
         {"frequency", "frequency", look::count, [](const Row& row) { return row.word->frequency; },
          "occurrences in the corpus"},
         {"n", "", {}, [](const Row& row) { return row.word->breadth.n; }},
         {"rows", "", {}, [](const Row& row) { return row.word->rows; }},
         {"broader_than_words", "which", look::name, which, "", in::text | in::programs},
         {"broader_than_words", "broader than", look::name, which, "which references", in::page}});
}

Table references_table(const Triage& triage) {
    std::vector<std::size_t> places(triage.references.size());
    for (std::size_t k = 0; k < places.size(); ++k) places[k] = k;
    const auto of = [&triage](auto member) {
        return [&triage, member](std::size_t k) { return Value(member(triage.references[k])); };
    };
    const auto broader = [&triage](std::size_t k) {
        return static_cast<std::uint64_t>(std::ranges::count_if(
            triage.candidates, [&](const Candidate& candidate) { return candidate.tests[k].broader; }));
    };
    return table_of<std::size_t>(
        "triage-references", "The words that the candidates were tested against.", std::move(places),
        {{"word", "reference", look::subject, of([](const ReferenceWord& word) { return word.word; })},
         {"v", "v", look::digits(3), of([](const ReferenceWord& word) { return word.breadth.v; }), "breadth"},
         {"standard_error", "s.e.", look::digits(2),
          of([](const ReferenceWord& word) { return word.breadth.v_standard_error; }), "standard error of v"},
         {"candidates_broader", "candidates broader", look::count, broader, "than this reference"},
         {"frequency", "frequency", look::count, of([](const ReferenceWord& word) { return word.frequency; }),
          "occurrences in the corpus"}});
}

std::string headline(const Triage& triage) {
    return "Broader than all of the " + count(triage.references.size()) +
           " references: " + number_of(triage, above_all) + " of " + count(triage.candidates.size()) +
           " words; than none: " + number_of(triage, above_none) + " (q <= " + shortest(triage.options.alpha) + ")";
}

// The occurrences of the first words, each with its influence.
std::string occurrences_of(const Triage& triage, const Style& style) {
    const ConcordanceLook look{std::max<std::size_t>(style.width > 0 ? style.width : width_of_a_file, 40), true, style};
    std::string text;
    for (std::size_t i = 0; i < std::min(triage.candidates.size(), words_with_occurrences); ++i) {
        const Candidate& candidate = triage.candidates[i];
        if (candidate.concordance.empty()) continue;
        const std::string documents = shared_document(candidate.concordance);
        text += "\n" + style.bold(printable(candidate.word)) + (documents.empty() ? "" : "  " + style.dim(documents)) +
                "\n" + concordance(candidate.concordance, look);
    }
    if (text.empty()) return text;
    return text + "\n" +
           style.dim_line("occurrences spread over the cloud; before each, by how much log v falls without it");
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

// The reference words that the store does not have, each with the reason where it is known.
std::string missing_references(const Triage& triage) {
    std::vector<std::string> words;
    for (const auto& [word, reason] : triage.missing)
        words.push_back(reason.empty() ? word : word + " (" + reason + ")");
    return joined(words, ", ");
}

Json tests_of(const Triage& triage, const Candidate& candidate) {
    Json tests = Json::array();
    for (std::size_t k = 0; k < candidate.tests.size(); ++k) {
        const ReferenceTest& test = candidate.tests[k];
        tests.push_back({{"reference", triage.references[k].word},
                         {"T", json_number(test.T)},
                         {"p", json_number(test.p)},
                         {"p_adjusted", json_number(test.q)},
                         {"broader", test.broader}});
    }
    return tests;
}

class TriagePage {
  public:
    explicit TriagePage(const Triage& triage) : triage_(triage) {}

    [[nodiscard]] Page page() const {
        Page page;
        page.title = "Words that are broader than their references";
        page.subtitle = count(triage_.candidates.size()) + " words, each tested against " +
                        count(triage_.references.size()) + " reference words";
        page.sections = {
            overview(), picture(), all_words(), {"The references", {data_table(references_table(triage_))}}};
        if (!triage_.candidates.front().concordance.empty())
            page.sections.insert(page.sections.begin() + 3, occurrences());
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
    [[nodiscard]] Markup first_words() const {
        Markup text;
        for (std::size_t i = 0; i < std::min(named_words, triage_.candidates.size()); ++i)
            text += (i > 0 ? Markup(", ") : Markup()) + word(triage_.candidates[i].word);
        return text;
    }

    [[nodiscard]] Section overview() const {
        Section section{"In short", {}};
        section.blocks.emplace_back(Facts{{{count(triage_.candidates.size()), "words"},
                                           {number_of(triage_, above_all), "broader than all references"},
                                           {number_of(triage_, above_some), "than some"},
                                           {number_of(triage_, above_none), "than none"}}});
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

    [[nodiscard]] ScatterPoint point_of(std::size_t rank, const Candidate& candidate) const {
        const std::string note = "v = " + significant(candidate.breadth.v, 3) + ", " + count(candidate.frequency) +
                                 " occurrences\nbroader than " + count(candidate.broader_than) + " of " +
                                 count(candidate.tests.size()) + ": " + broader_than(triage_, candidate);
        const double prominence = rank <= 40 ? 1 / static_cast<double>(rank) : 0;
        return {static_cast<double>(candidate.frequency),
                candidate.breadth.v,
                standing_of(triage_, candidate),
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
        ScatterPlot plot = frequency_plot("Every candidate and reference by its frequency and its breadth.");
        plot.groups = {{"broader than none", true}, {"than some"}, {"than all"}, {"references"}};
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

    [[nodiscard]] Section all_words() const {
        const std::string caption = "All " + count(triage_.candidates.size()) +
                                    " candidates by attention, then by breadth. The first " +
                                    count(std::min(triage_.options.concordances, triage_.candidates.size())) +
                                    " open to occurrences spread over their clouds.";
        return {"All words",
                {data_table(
                    part_of(candidates_table(triage_),
                            {"rank", "word", "attention", "broader_than_words", "v", "ratio_to_median", "frequency"},
                            caption, in::page))}};
    }

    [[nodiscard]] Section occurrences() const {
        std::vector<std::string> words;
        for (std::size_t i = 0; i < std::min(words_with_occurrences, triage_.candidates.size()); ++i)
            if (!triage_.candidates[i].concordance.empty()) words.push_back(triage_.candidates[i].word);
        return concordance_section("Occurrences of the first words", words);
    }

    const Triage& triage_;
};

}  // namespace

std::string broader_than(const Triage& triage, const Candidate& candidate) {
    const std::size_t all = triage.references.size();
    if (candidate.broader_than == 0) return "none";
    if (candidate.broader_than == all) return "all";
    const bool most = 2 * candidate.broader_than > all;
    return (most ? "all but " : "") + joined(references(triage, candidate, !most), ", ");
}

Table table_of(const Triage& triage) {
    return candidates_table(triage);
}

std::string text_of(const Triage& triage, std::size_t ends, const Style& style) {
    const std::string missing = triage.missing.empty() ? ""
                                                       : "reference words that the store does not have: " +
                                                             printable(missing_references(triage));
    return style.bold_line(headline(triage)) + "\n" +
           text_of(candidates_table(triage), style, both_ends(triage.candidates.size(), ends)) +
           occurrences_of(triage, style) + "\n" + style.dim_line(summary(triage)) + style.plain_line(missing) +
           style.dim_line(left_out_sentence(triage.left_out));
}

Json json_of(const Triage& triage) {
    Json results = json_of(candidates_table(triage)), missing = Json::array(), reasons = Json::array();
    for (const auto& [word, reason] : triage.missing) {
        missing.push_back(word);
        reasons.push_back(json_text(reason));
    }
    for (std::size_t i = 0; i < triage.candidates.size(); ++i) {
        const Candidate& candidate = triage.candidates[i];
        results[i]["tests"] = tests_of(triage, candidate);
        if (!candidate.concordance.empty()) results[i]["usages"] = json_of(table_of(candidate.concordance));
    }
    return {{"store", triage.folder},
            {"references", json_of(references_table(triage))},
            {"missing", std::move(missing)},
            {"missing_because", std::move(reasons)},
            {"settings", json_of(triage.options, triage.device)},
            {"common_size", triage.common_size},
            {"tests", triage.tests},
            {"seconds", json_number(triage.seconds)},
            {"results", std::move(results)},
            {"left_out", json_of(triage.left_out)}};
}

Page page_of(const Triage& triage) {
    return TriagePage(triage).page();
}

}  // namespace wordbreadth::report
