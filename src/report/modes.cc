// Why words are broad: their modes.
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/parts.h"

namespace wordbreadth::report {
namespace {

std::string whole_percent(double share) {
    return std::isfinite(share) ? fixed(100 * share, 0) + "%" : "-";
}

Value share_of(double share) {
    return Value(share).shown_as(whole_percent(share));
}

struct Row {
    std::size_t number;
    const Mode* mode;
};

Table modes_table(const Modes& found) {
    std::vector<Row> rows;
    for (const Mode& mode : found.modes) rows.push_back({rows.size() + 1, &mode});
    const bool documents = found.documents > 0;
    return table_of<Row>(
        "modes", "", std::move(rows),
        {{"mode", "mode", look::plain, &Row::number},
         {"share", "share", look::decimals(2), [](const Row& row) { return share_of(row.mode->share); }},
         {"rows", "rows", look::count, [](const Row& row) { return row.mode->rows.size(); }},
         {"documents", documents ? "documents" : "", look::count, path(&Row::mode, &Mode::documents)},
         {"largest_document", documents ? "largest document" : "", look::decimals(2),
          [](const Row& row) { return share_of(row.mode->largest_document); }},
         {"mean_cosine", path(&Row::mode, &Mode::mean_cosine)},
         {"breadth", "breadth", look::digits(3), path(&Row::mode, &Mode::v)},
         {"log_v_standard_error", "s.e. of its log", look::digits(2), path(&Row::mode, &Mode::log_v_standard_error)}});
}

std::string uses(const Modes& found) {
    return counted(found.modes.size(), "separate use");
}

std::string method_of(const Explanation& explanation, const Modes& found) {
    std::string text = "p = " + p_value(found.p) + " for one mode, from " +
                       counted(found.random_clouds, "random cloud") + "; breadth " + significant(found.v, 3);
    if (found.modes.size() > 1)
        text += ", within modes " + significant(found.within, 3) + ", " + whole_percent(found.between) +
                " of the spread between them";
    text += "; the median word of the store has " + significant(explanation.typical, 3);
    if (found.documents > 0)
        text += found.documents > 1 ? "; pairs from different documents: " + count(found.documents)
                                    : "; all rows are from one document, so that its repetitions count";
    return text + "; seed " + std::to_string(explanation.options.seed) +
           ". A mode is a group of similar contexts, not a sense: a topic or a phrase makes one, too.";
}

std::string key_of_lines(const ExplainedWord& word, const std::string& heading) {
    return word.found.word + " (" + heading + ")";
}

std::string shares(const Modes& found) {
    std::string text;
    for (const Mode& mode : found.modes) text += (text.empty() ? "" : ", ") + whole_percent(mode.share);
    return text;
}

// The sentence of why_broad() in a word or two.
std::string verdict_of(const WordModes& word, const Explanation& explanation) {
    if (!word.modes) return word.reason;
    const bool narrow = word.modes->v < explanation.typical;
    if (word.modes->spread == Spread::several_modes) return narrow ? "narrow, separate uses" : "separate uses";
    return narrow ? "narrow" : "vague";
}

Table words_table(const Explanation& explanation, const std::string& heading) {
    using Word = const ExplainedWord*;
    std::vector<Word> rows;
    for (const ExplainedWord& word : explanation.words) rows.push_back(&word);
    const auto of = [](auto get) {
        return [get](const Word& word) { return word->found.modes ? Value(get(*word->found.modes)) : Value(); };
    };
    return table_of<Word>(
        "modes", "Every word opens to its occurrences, its number of modes to the most typical ones of each.",
        std::move(rows),
        {{"word", "word", look::subject,
          [](const Word& word) {
              return Value(word->found.word).opening({word->found.word, {}, word->found.word});
          }},
         {"why", "why", look::name, [&explanation](const Word& word) { return verdict_of(word->found, explanation); },
          "narrow: narrower than the median word; vague: one broad mode, or shades that overlap"},
         {"modes", "modes", look::count,
          [&heading](const Word& word) {
              if (!word->found.modes) return Value();
              return Value(word->found.modes->modes.size()).opening({key_of_lines(*word, heading), {}, ""});
          }},
         {"shares", "shares", look::name, of(shares), "of the occurrences, the largest mode first"},
         {"breadth", "breadth", look::digits(3), of([](const Modes& found) { return found.v; }),
          "from pairs of occurrences in different documents"},
         {"within", "within", look::digits(3), of([](const Modes& found) { return found.within; }),
          "the breadth that is left within modes"},
         {"between", "between", look::decimals(2), of([](const Modes& found) { return share_of(found.between); }),
          "the share of the spread that lies between modes"}});
}

}  // namespace

std::string why_broad(const WordModes& word, double typical) {
    const std::string name = printable(word.word);
    if (!word.modes) return name + " " + printable(word.reason) + ".";
    const Modes& found = *word.modes;
    const bool narrow = found.v < typical;
    if (found.spread == Spread::one_mode)
        return narrow ? name + " is narrow: its occurrences form one group, tighter than the median word's."
                      : name +
                            " is broad because it is vague: its occurrences spread around one centre, and no group "
                            "stands apart.";
    const std::string between = whole_percent(found.between) + " of its spread lies between them";
    if (found.spread == Spread::broad_modes)
        return name + (narrow ? " is narrow, with " : " is broad because it is vague: it has ") +
               counted(found.modes.size(), "shade") + " of use, but only " + between + ".";
    if (narrow) return name + " is narrow, although it has " + uses(found) + ": " + between + ".";
    return name + " is broad because it has " + uses(found) + ": " + between +
           (found.within < typical ? ", and within them it is narrower than the median word."
                                   : ", but within them, too, it is broader than the median word.");
}

Table table_of(const Explanation&, const ExplainedWord& word) {
    return word.found.modes ? modes_table(*word.found.modes) : modes_table({});
}

std::string text_of(const Explanation& explanation, const ExplainedWord& word, const ConcordanceLook& look) {
    const Style& style = look.style;
    std::string text = style.bold_line(why_broad(word.found, explanation.typical));
    if (!word.found.modes) return text;
    const Modes& found = *word.found.modes;
    text += "\n" + text_of(modes_table(found), style);
    for (std::size_t i = 0; i < word.lines.size(); ++i) {
        const std::string documents = shared_document(word.lines[i]);
        text += "\n" +
                style.dim_line("mode " + std::to_string(i + 1) + ", " + whole_percent(found.modes[i].share) +
                               ", the most typical first" + (documents.empty() ? "" : "; " + documents)) +
                concordance(word.lines[i], look);
    }
    return text + "\n" + style.dim_line(method_of(explanation, found));
}

Json json_of(const Explanation& explanation, const ExplainedWord& word) {
    const Modes found = word.found.modes.value_or(Modes());
    const bool known = word.found.modes.has_value();
    const auto number = [&](double value) { return json_number(known ? value : NAN); };
    Json results = json_of(modes_table(found));
    for (std::size_t i = 0; i < word.lines.size(); ++i) results[i]["usages"] = json_of(table_of(word.lines[i]));
    return {{"word", word.found.word},
            {"frequency", word.frequency},
            {"rows", word.rows},
            {"documents", found.documents},
            {"modes", found.modes.size()},
            {"spread", known ? Json(name_of(found.spread)) : Json()},
            {"breadth", number(found.v)},
            {"within", number(found.within)},
            {"between", number(found.between)},
            {"median_breadth", json_number(explanation.typical)},
            {"p", number(found.p)},
            {"random_clouds", found.random_clouds},
            {"alpha", json_number(explanation.options.alpha)},
            {"seed", explanation.options.seed},
            {"why", why_broad(word.found, explanation.typical)},
            {"undefined", json_text(word.found.reason)},
            {"results", std::move(results)}};
}

void add_modes(Page& page, const Explanation& explanation, const std::string& heading) {
    if (explanation.words.empty()) return;
    page.sections.push_back(
        {heading,
         {Paragraph{"A word may be broad because it has separate uses, or because it is vague. Its occurrences are "
                    "divided into as many modes (groups of similar contexts) as random clouds of fewer modes do not "
                    "explain; those of one document never make a mode. A mode is not a sense: a topic or a phrase "
                    "makes one, too."},
          data_table(words_table(explanation, heading), 20)}});
    for (const ExplainedWord& word : explanation.words) {
        Concordance by_mode{key_of_lines(word, heading), why_broad(word.found, explanation.typical), {}};
        for (std::size_t i = 0; i < word.lines.size(); ++i)
            for (PageLine& line : lines_of(word.lines[i], "mode " + std::to_string(i + 1)))
                by_mode.lines.push_back(std::move(line));
        if (!by_mode.lines.empty()) page.concordances.push_back(std::move(by_mode));
    }
}

}  // namespace wordbreadth::report
