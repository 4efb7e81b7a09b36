// Breadth by the number of occurrences.
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/parts.h"

namespace wordbreadth::report {
namespace {

constexpr double clear = 0.01;  // p of neighbours that are alike

std::string about(double n) {
    return count(static_cast<std::uint64_t>(std::llround(n < 100 ? n : std::round(n / 10) * 10)));
}

std::string enough_sentence(const BreadthBySize& found) {
    std::string text;
    for (const EnoughRows& enough : found.enough) {
        if (!std::isfinite(enough.n)) continue;
        const bool at_once = !found.sizes.empty() && enough.n <= static_cast<double>(found.sizes.front().n);
        text += (text.empty() ? "The interval is within " : ", within ") + percent(enough.half_width) +
                (text.empty() ? " of the breadth" : "") + " from " + (at_once ? "" : "about ") + about(enough.n) +
                (text.empty() ? " occurrences" : "") + (enough.extrapolated ? " (extrapolated)" : "");
    }
    return text.empty() ? "No size has an interval: there are too few rows or documents." : text + ".";
}

// What the interval rests on: pairs of rows that do not depend on each other.
std::string order_sentence(const BreadthBySize& found) {
    if (!(found.p_in_order <= clear)) return "";
    const bool alike = found.in_order < found.all.breadth;
    return "Occurrences that follow each other are " + std::string(alike ? "more" : "less") +
           " alike than others: breadth " + significant(found.in_order, 3) + " within runs of " +
           std::to_string(rows_of_a_run) + " (p = " + p_value(found.p_in_order) +
           "), so the rows are not independent and the intervals are too narrow.";
}

}  // namespace

Table table_of(const BreadthBySize& found) {
    std::vector<const BreadthAtSize*> rows;
    for (const BreadthAtSize& size : found.sizes) rows.push_back(&size);
    using Row = const BreadthAtSize*;
    const std::string interval = percent(found.options.confidence) + " interval";
    return table_of<Row>(
        "by-size", "", std::move(rows),
        {{"n", "n", look::count, path(&BreadthAtSize::n)},
         {"documents", found.all.blocks > 0 ? "documents" : "", look::decimals(1), path(&BreadthAtSize::documents)},
         {"breadth", "breadth", look::digits(3), path(&BreadthAtSize::breadth)},
         {"low", interval + " from", look::digits(3), path(&BreadthAtSize::low)},
         {"high", "to", look::digits(3), path(&BreadthAtSize::high)},
         {"half_width", "half width", look::decimals(3),
          [](const Row& at) {
              const double share = at->half_width;
              return Value(share).shown_as(std::isfinite(share) ? fixed(100 * share, 1) + "%" : "-");
          }},
         {"v", "v (paper)", look::digits(3), path(&BreadthAtSize::v)},
         {"draws", path(&BreadthAtSize::draws)},
         {"defined", path(&BreadthAtSize::defined)}});
}

std::string text_of(const BreadthBySize& found, const Style& style) {
    const std::string documents =
        found.all.blocks > 0 ? "; pairs and jackknife by documents: " + count(found.all.blocks) : "";
    return style.bold_line(enough_sentence(found)) + style.plain_line(order_sentence(found)) + "\n" +
           text_of(table_of(found), style) + "\n" +
           style.dim_line(
               printable(found.name) + ", " + count(found.options.draws) +
               " samples of each size without replacement; the breadth has no bias, the paper's v has one that "
               "depends on n" +
               documents + "; seed " + std::to_string(found.options.seed));
}

Json json_of(const BreadthBySize& found) {
    Json enough = Json::array();
    for (const EnoughRows& each : found.enough)
        enough.push_back(
            {{"half_width", each.half_width}, {"n", json_number(each.n)}, {"extrapolated", each.extrapolated}});
    return {{"name", found.name},
            {"confidence", found.options.confidence},
            {"seed", found.options.seed},
            {"results", json_of(table_of(found))},
            {"enough", std::move(enough)},
            {"breadth_in_order", json_number(found.in_order)},
            {"p_in_order", json_number(found.p_in_order)}};
}

}  // namespace wordbreadth::report
