// A triage of words.
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/parts.h"

namespace wordbreadth::report {
namespace {

enum Standing : std::size_t { above_none, above_some, above_all, reference };  // the groups of the picture

constexpr std::size_t named_words = 5;             // in the finding
constexpr std::size_t words_with_occurrences = 5;  // shown below the table, and on the page before anyone clicks
constexpr std::size_t width_of_a_file = 100;

// That it was compared with.
std::size_t references_of(const Candidate& candidate) {
    return static_cast<std::size_t>(std::ranges::count(candidate.tests, true, &ReferenceTest::matched));
}

Standing standing_of(const Candidate& candidate) {
    if (candidate.broader_than == 0) return above_none;
    return candidate.broader_than == references_of(candidate) ? above_all : above_some;
}

bool is_by_frequency(const Triage& triage) {
    return triage.order == TriageOrder::given_frequency;
}

// Broader than words as frequent, as far as its interval tells.
bool is_broad_for_its_frequency(const Candidate& candidate) {
    return candidate.given_frequency.low > 0;
}

// As a ratio of breadths: "1.32 (1.10-1.58)".
Value ratio_given_frequency(const Candidate& candidate) {
    const auto& [residual, low, high] = candidate.given_frequency;
    Value ratio = Value(std::exp(residual)).between(std::exp(low), std::exp(high));
    if (!std::isfinite(residual) || !std::isfinite(low)) return ratio;
    return ratio.shown_as(fixed(std::exp(residual), 2) + " (" + fixed(std::exp(low), 2) + "–" +
                          fixed(std::exp(high), 2) + ")");
}

std::string number_of(const Triage& triage, Standing standing) {
    return count(static_cast<std::uint64_t>(std::ranges::count_if(
        triage.candidates, [&](const Candidate& candidate) { return standing_of(candidate) == standing; })));
}

Evidence evidence_of(const Candidate& candidate) {
    return {candidate.concordance.empty() ? "" : candidate.word, {}, candidate.word};
}

// The references that the candidate is, or is not, broader than.
std::vector<std::string> references(const Triage& triage, const Candidate& candidate, bool broader) {
    std::vector<std::string> words;
    for (std::size_t k = 0; k < triage.references.size(); ++k)
        if (candidate.tests[k].matched && candidate.tests[k].broader == broader)
            words.push_back(triage.references[k].word);
    return words;
}

Table references_table(const Triage& triage) {
    std::vector<Cells> rows;
    for (std::size_t k = 0; k < triage.references.size(); ++k) {
        const auto& [word, frequency, breadth, senses] = triage.references[k];
        const auto broader =
            std::ranges::count_if(triage.candidates, [k](const Candidate& each) { return each.tests[k].broader; });
        rows.push_back({word, breadth.v, breadth.v_standard_error, static_cast<std::size_t>(broader), frequency,
                        triage.matched_by_senses ? Value(senses) : Value()});
    }
    return table_of("triage-references", "The words that the candidates were tested against.",
                    {{"word", "reference", look::subject},
                     {"v", "v", look::digits(3), "breadth"},
                     {"standard_error", "s.e.", look::digits(2), "of the breadth without the bias of v"},
                     {"candidates_broader", "candidates broader", look::count, "than this reference"},
                     {"frequency", "frequency", look::count, "occurrences in the corpus"},
                     {"senses", triage.matched_by_senses ? "senses" : "", look::count, "in WordNet"}},
                    std::move(rows));
}

std::string headline(const Triage& triage) {
    if (is_by_frequency(triage))
        return "Broader than words as frequent: " +
               count(static_cast<std::uint64_t>(std::ranges::count_if(triage.candidates, is_broad_for_its_frequency))) +
               " of " + count(triage.candidates.size()) + " words (95% interval above 1)";
    const std::size_t references = triage.references.size();
    return (triage.matched_by_senses ? "Broader than all references with as many senses: "
            : references == 1        ? "Broader than the reference: "
                                     : "Broader than all of the " + count(references) + " references: ") +
           number_of(triage, above_all) + " of " + count(triage.candidates.size()) +
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
    if (triage.matched_by_senses) text += "; compared where the numbers of senses are alike, within a quarter";
    return text + "; " + count(triage.tests) +
           " tests: " + method_sentence(triage.options, triage.device, triage.seconds);
}

// The reference words that the store does not have, each with the reason where it is known.
std::string missing_references(const Triage& triage) {
    std::vector<std::string> words;
    for (const auto& [word, reason] : triage.missing)
        words.push_back(reason.empty() ? word : word + " (" + reason + ")");
    return base::joined(words, ", ");
}

Json tests_of(const Triage& triage, const Candidate& candidate) {
    Json tests = Json::array();
    for (std::size_t k = 0; k < candidate.tests.size(); ++k) {
        const ReferenceTest& test = candidate.tests[k];
        if (test.matched)
            tests.push_back({{"reference", triage.references[k].word},
                             {"T", json_number(test.T)},
                             {"p", json_number(test.p)},
                             {"p_adjusted", json_number(test.q)},
                             {"broader", test.broader}});
    }
    return tests;
}

Section overview(const Triage& triage) {
    std::vector<std::string> first;
    for (std::size_t i = 0; i < std::min(named_words, triage.candidates.size()); ++i)
        first.push_back(triage.candidates[i].word);
    Section section{
        "In short",
        {Facts{{{count(triage.candidates.size()), "words"},
                {number_of(triage, above_all), "broader than all references"},
                {number_of(triage, above_some), "than some"},
                {number_of(triage, above_none), "than none"}}},
         Finding{Markup("Look at these first: ") + word_list(first) + "."},
         Paragraph{"Attention is the share of the references that a word is broader than, at an adjusted p-value of "
                   "at most " +
                   shortest(triage.options.alpha) +
                   (is_by_frequency(triage) ? "" : "; words with the same share are sorted by their breadth v") +
                   ". A word is broad where its "
                   "occurrences differ from each other: it may have several senses, or one that goes into many "
                   "contexts. The occurrences show which."}}};
    if (triage.matched_by_senses)
        section.blocks.emplace_back(Paragraph{
            "Each word is compared with references that have as many senses in WordNet, give or take a quarter. "
            "A word that is broader than all of them may have senses that its entry does not tell apart."});
    if (is_by_frequency(triage))
        section.blocks.emplace_back(Paragraph{
            "Frequent words tend to be broad. Here the words come first that are broadest for their frequency, by the "
            "low end of the 95% interval of the ratio to words as frequent. Each interval holds on its own: of words "
            "that are as broad as is usual, one in forty lies above 1 by chance."});
    if (!triage.missing.empty())
        section.blocks.emplace_back(
            Paragraph{"Reference words that the store does not have: " + missing_references(triage) + "."});
    if (!triage.left_out.empty()) section.blocks.emplace_back(Paragraph{left_out_sentence(triage.left_out)});
    return section;
}

ScatterPoint point_of(const Triage& triage, std::size_t rank, const Candidate& candidate) {
    const std::string note = "v = " + significant(candidate.breadth.v, 3) + ", " + count(candidate.frequency) +
                             " occurrences\nbroader than " + count(candidate.broader_than) + " of " +
                             count(references_of(candidate)) + ": " + broader_than(triage, candidate);
    const double prominence = rank <= 40 ? 1 / static_cast<double>(rank) : 0;
    return {static_cast<double>(candidate.frequency),
            candidate.breadth.v,
            standing_of(candidate),
            candidate.word,
            note,
            evidence_of(candidate),
            prominence};
}

ScatterPoint point_of(const ReferenceWord& word) {
    const std::string note =
        "a reference\nv = " + significant(word.breadth.v, 3) + ", " + count(word.frequency) + " occurrences";
    return {static_cast<double>(word.frequency), word.breadth.v, reference, word.word, note, {{}, {}, word.word}, 2};
}

Section picture(const Triage& triage) {
    ScatterPlot plot = frequency_plot("Every candidate and reference by its frequency and its breadth.");
    plot.groups = {{"broader than none", true}, {"than some"}, {"than all"}, {"references"}};
    for (std::size_t i = 0; i < triage.candidates.size(); ++i)
        plot.panels[0].points.push_back(point_of(triage, i + 1, triage.candidates[i]));
    for (const ReferenceWord& word : triage.references) plot.panels[0].points.push_back(point_of(word));
    return {"The words",
            {Figure{svg_of(plot),
                    "Each point is a word, by its frequency in the corpus and its breadth v, from " +
                        count(triage.common_size) +
                        " occurrences; the colour says how many of the references it is broader than. Both axes "
                        "are logarithmic.",
                    "triage-frequency"}}};
}

Section all_words(const Triage& triage) {
    const std::string caption = "All " + count(triage.candidates.size()) + " candidates " +
                                (is_by_frequency(triage) ? "by breadth given frequency (the low end of the interval)"
                                                         : "by attention, then by breadth") +
                                ". The first " +
                                count(std::min(triage.options.concordances, triage.candidates.size())) +
                                " open to occurrences spread over their clouds.";
    std::vector<std::string> keys = {"rank",     "word", "attention", "broader_than_words", "v", "ratio_to_median",
                                     "frequency"};
    if (triage.matched_by_senses) keys.emplace_back("senses");
    if (is_by_frequency(triage)) keys.emplace_back("given_frequency");
    return {"All words", {data_table(part_of(table_of(triage), keys, caption, in::page))}};
}

Section occurrences(const Triage& triage) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < std::min(words_with_occurrences, triage.candidates.size()); ++i)
        if (!triage.candidates[i].concordance.empty()) words.push_back(triage.candidates[i].word);
    return concordance_section("Occurrences of the first words", words);
}

}  // namespace

std::string broader_than(const Triage& triage, const Candidate& candidate) {
    const std::size_t all = references_of(candidate);
    if (candidate.broader_than == 0) return "none";
    if (candidate.broader_than == all) return "all";
    const bool most = 2 * candidate.broader_than > all;
    return (most ? "all but " : "") + base::joined(references(triage, candidate, !most), ", ");
}

// New columns for programs go to the end.
Table table_of(const Triage& triage) {
    struct Row {
        std::size_t rank;
        const Candidate* word;
    };
    std::vector<Row> rows;
    for (std::size_t i = 0; i < triage.candidates.size(); ++i) rows.push_back({i + 1, &triage.candidates[i]});
    const auto which = [&triage](const Row& row) {
        return Value(base::joined(references(triage, *row.word, true), " ")).shown_as(broader_than(triage, *row.word));
    };
    const auto given = [](auto member) { return path(&Row::word, &Candidate::given_frequency, member); };
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
                  .shown_as(count(row.word->broader_than) + " of " + count(references_of(*row.word)));
          },
          "", in::text | in::programs},
         {"references", [](const Row& row) { return references_of(*row.word); }},
         {"v", "breadth v", look::digits(3), path(&Row::word, &Candidate::breadth, &Breadth::v),
          "large where occurrences differ"},
         {"standard_error", path(&Row::word, &Candidate::breadth, &Breadth::v_standard_error)},
         {"ratio_to_median", "of median", look::digits(3),
          [&triage](const Row& row) { return row.word->breadth.v / triage.median_v; },
          "v over the median v of the references"},
         {"frequency", "frequency", look::count, path(&Row::word, &Candidate::frequency), "occurrences in the corpus"},
         {"n", path(&Row::word, &Candidate::breadth, &Breadth::n)},
         {"rows", path(&Row::word, &Candidate::rows)},
         {"broader_than_words", "which", look::name, which, "", in::text | in::programs},
         {"broader_than_words", "broader than", look::name, which, "which references", in::page},
         {"senses", triage.matched_by_senses ? "senses" : "", look::count,
          [&triage](const Row& row) { return triage.matched_by_senses ? Value(row.word->senses) : Value(); },
          "in WordNet"},
         {"given_frequency", "", {}, given(&FrequencyResidual::residual), "", in::programs},
         {"given_frequency_low", given(&FrequencyResidual::low)},
         {"given_frequency_high", given(&FrequencyResidual::high)},
         {"given_frequency", is_by_frequency(triage) ? "for its frequency" : "", look::decimals(2),
          [](const Row& row) { return ratio_given_frequency(*row.word); },
          "breadth over that of words as frequent, with its 95% interval", in::text | in::page}});
}

std::string text_of(const Triage& triage, std::size_t ends, const Style& style) {
    const std::string missing = triage.missing.empty() ? ""
                                                       : "reference words that the store does not have: " +
                                                             printable(missing_references(triage));
    return style.bold_line(headline(triage)) + "\n" +
           text_of(table_of(triage), style, both_ends(triage.candidates.size(), ends)) + occurrences_of(triage, style) +
           "\n" + style.dim_line(summary(triage)) + style.plain_line(missing) +
           style.dim_line(left_out_sentence(triage.left_out));
}

Json json_of(const Triage& triage) {
    Json results = json_of(table_of(triage)), missing = Json::array(), reasons = Json::array();
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
            {"order", name_of(triage.order)},
            {"matched_by_senses", triage.matched_by_senses},
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
    Page page;
    page.title = "Words that are broader than their references";
    page.subtitle = count(triage.candidates.size()) + " words, each tested against " + count(triage.references.size()) +
                    " reference words";
    page.sections = {overview(triage),
                     picture(triage),
                     all_words(triage),
                     {"The references", {data_table(references_table(triage))}}};
    if (!triage.candidates.front().concordance.empty())
        page.sections.insert(page.sections.begin() + 3, occurrences(triage));
    for (const Candidate& candidate : triage.candidates)
        if (!candidate.concordance.empty())
            page.concordances.push_back({candidate.word, candidate.word, lines_of(candidate.concordance)});
    page.settings = settings_of(triage.options, triage.device);
    page.settings.insert(page.settings.end(), {{"rows of each word", count(triage.common_size)},
                                               {"references", triage.references_from},
                                               {"tests", count(triage.tests)},
                                               {"time", duration(triage.seconds)}});
    return page;
}

}  // namespace wordbreadth::report
