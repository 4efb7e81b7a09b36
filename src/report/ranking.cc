#include "report/ranking.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "report/json.h"
#include "report/number.h"
#include "report/table.h"
#include "report/text.h"
#include "report/tsv_record.h"
#include "wordbreadth/names.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Column::Kind;

std::vector<std::string> cells_of(std::size_t rank, const RankedWord& ranked) {
    const Breadth& b = ranked.breadth;
    return {count(rank),   printable(ranked.word),  significant(b.v, 4),    significant(b.v_standard_error, 2),
            fixed(b.r, 4), significant(b.kappa, 4), count(ranked.frequency)};
}

// The method in a sentence, and the words that it leaves out.
std::string summary(const Ranking& ranking) {
    std::string text = count(ranking.words.size()) + (ranking.words.size() == 1 ? " word" : " words") + " by " +
                       std::string(name_of(ranking.by)) + "; " + count(ranking.common_size) + " rows of each";
    if (!ranking.smallest.empty()) text += ", the size of the smallest cloud, \"" + printable(ranking.smallest) + "\"";
    return text + "; seed " + std::to_string(ranking.seed);
}

std::string left_out(const Ranking& ranking) {
    constexpr std::size_t most = 5;
    std::string text = "left out: ";
    for (std::size_t i = 0; i < std::min(ranking.left_out.size(), most); ++i) {
        const UnrankedWord& word = ranking.left_out[i];
        text += (i > 0 ? ", " : "") + printable(word.word) + " (" + printable(word.reason) + ")";
    }
    if (ranking.left_out.size() > most) text += " and " + count(ranking.left_out.size() - most) + " more";
    return text;
}

Json json_of(std::size_t rank, const RankedWord& ranked) {
    const Breadth& b = ranked.breadth;
    return {{"rank", rank},
            {"word", ranked.word},
            {"v", json_number(b.v)},
            {"standard_error", json_number(b.v_standard_error)},
            {"log_v_standard_error", json_number(b.log_v_standard_error)},
            {"r", json_number(b.r)},
            {"kappa", json_number(b.kappa)},
            {"frequency", ranked.frequency},
            {"n", b.n},
            {"rows", ranked.rows}};
}

Record record_of(std::size_t rank, const RankedWord& ranked) {
    const Breadth& b = ranked.breadth;
    return {{"rank", field(rank)},
            {"word", field(ranked.word)},
            {"v", field(b.v)},
            {"standard_error", field(b.v_standard_error)},
            {"log_v_standard_error", field(b.log_v_standard_error)},
            {"r", field(b.r)},
            {"kappa", field(b.kappa)},
            {"frequency", field(ranked.frequency)},
            {"n", field(b.n)},
            {"rows", field(ranked.rows)}};
}

bool is_named(const Neighbourhood& part, std::size_t place) {
    return std::ranges::binary_search(part.named, place);
}

Json with_results(const Ranking& ranking, Json results) {
    Json missing = Json::array(), filtered = Json::array();
    for (const FilteredOut& part : ranking.filtered)
        filtered.push_back({{"reason", part.reason}, {"words", part.words}});
    for (const UnrankedWord& word : ranking.left_out)
        missing.push_back(
            {{"word", word.word}, {"frequency", word.frequency}, {"rows", word.rows}, {"reason", word.reason}});
    return {{"by", name_of(ranking.by)},     {"common_size", ranking.common_size}, {"seed", ranking.seed},
            {"words", ranking.words.size()}, {"filtered", std::move(filtered)},    {"results", std::move(results)},
            {"left_out", std::move(missing)}};
}

}  // namespace

std::string ranking_table(const Ranking& ranking, std::size_t ends, const Style& style) {
    const std::size_t words = ranking.words.size();
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < words; ++i)
        if (i < ends || i + ends >= words) shown.push_back(i);
    return ranking_table(ranking, {std::move(shown), {}}, style);
}

std::string ranking_table(const Ranking& ranking, const Neighbourhood& part, const Style& style) {
    Table table({{"rank"}, {"word", Kind::name}, {"breadth v"}, {"s.e. of v"}, {"r"}, {"kappa"}, {"frequency"}});
    for (std::size_t i = 0; i < part.shown.size(); ++i) {
        const std::size_t place = part.shown[i];
        if (place > (i > 0 ? part.shown[i - 1] + 1 : 0)) table.add({"⋮", "", "", "", "", "", ""});
        std::vector<std::string> cells = cells_of(place + 1, ranking.words[place]);
        if (is_named(part, place)) cells.front().insert(0, "→ ");
        table.add(std::move(cells));
    }
    if (part.shown.back() + 1 < ranking.words.size()) table.add({"⋮", "", "", "", "", "", ""});
    std::string text = table.text(style) + "\n" + style.dim(folded(summary(ranking), style.width)) + "\n";
    if (!ranking.filtered.empty())
        text += style.dim(folded("filtered out: " + printable(text_of(ranking.filtered)), style.width)) + "\n";
    if (!ranking.left_out.empty()) text += style.dim(folded(left_out(ranking), style.width)) + "\n";
    return text;
}

Json json_of(const Ranking& ranking) {
    Json list = Json::array();
    for (std::size_t i = 0; i < ranking.words.size(); ++i) list.push_back(json_of(i + 1, ranking.words[i]));
    return with_results(ranking, std::move(list));
}

Json json_of(const Ranking& ranking, const Neighbourhood& part) {
    Json list = Json::array();
    for (const std::size_t place : part.shown) {
        list.push_back(json_of(place + 1, ranking.words[place]));
        list.back()["named"] = is_named(part, place);
    }
    return with_results(ranking, std::move(list));
}

std::string tsv_of(const Ranking& ranking) {
    std::string lines;
    for (std::size_t i = 0; i < ranking.words.size(); ++i) append(lines, record_of(i + 1, ranking.words[i]));
    return lines;
}

std::string tsv_of(const Ranking& ranking, const Neighbourhood& part) {
    std::string lines;
    for (const std::size_t place : part.shown) {
        Record record = record_of(place + 1, ranking.words[place]);
        record.emplace_back("named", field(is_named(part, place)));
        append(lines, record);
    }
    return lines;
}

}  // namespace wordbreadth::report
