#include "report/ranking.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "report/json.h"
#include "report/names.h"
#include "report/number.h"
#include "report/table.h"
#include "report/text.h"
#include "report/tsv_record.h"

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

}  // namespace

std::string ranking_table(const Ranking& ranking, std::size_t ends, const Style& style) {
    Table table({{"rank"}, {"word", Kind::name}, {"breadth v"}, {"s.e. of v"}, {"r"}, {"kappa"}, {"frequency"}});
    const std::size_t words = ranking.words.size();
    const std::size_t first_end = words > 2 * ends ? ends : words;
    const std::size_t second_start = words > 2 * ends ? words - ends : words;
    for (std::size_t i = 0; i < first_end; ++i) table.add(cells_of(i + 1, ranking.words[i]));
    if (first_end < words) table.add({"⋮", "", "", "", "", "", ""});
    for (std::size_t i = second_start; i < words; ++i) table.add(cells_of(i + 1, ranking.words[i]));
    std::string text = table.text(style) + "\n" + style.dim(folded(summary(ranking), style.width)) + "\n";
    if (!ranking.left_out.empty()) text += style.dim(folded(left_out(ranking), style.width)) + "\n";
    return text;
}

Json json_of(const Ranking& ranking) {
    Json list = Json::array(), missing = Json::array();
    for (std::size_t i = 0; i < ranking.words.size(); ++i) list.push_back(json_of(i + 1, ranking.words[i]));
    for (const UnrankedWord& word : ranking.left_out)
        missing.push_back(
            {{"word", word.word}, {"frequency", word.frequency}, {"rows", word.rows}, {"reason", word.reason}});
    return {{"by", name_of(ranking.by)},
            {"common_size", ranking.common_size},
            {"seed", ranking.seed},
            {"results", std::move(list)},
            {"left_out", std::move(missing)}};
}

std::string tsv_of(const Ranking& ranking) {
    std::string lines;
    for (std::size_t i = 0; i < ranking.words.size(); ++i) append(lines, record_of(i + 1, ranking.words[i]));
    return lines;
}

}  // namespace wordbreadth::report
