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
    return "Consecutive occurrences are " + std::string(alike ? "more" : "less") + " alike than others: breadth " +
           significant(found.in_order, 3) + " within runs of " + std::to_string(rows_of_a_run) +
           " (p = " + p_value(found.p_in_order) +
           "), so the rows are not independent and the intervals are too narrow.";
}

std::string occurrences_of(const BreadthBySize& found) {
    const std::string documents = found.all.blocks > 0 ? " of " + counted(found.all.blocks, "document") : "";
    return counted(found.all.n, "occurrence") + documents;
}

std::vector<Facts::Fact> facts_of(const BreadthBySize& found) {
    const BreadthAtSize& all = found.sizes.back();
    std::vector<Facts::Fact> facts = {{significant(found.all.breadth, 3), "breadth"}};
    if (std::isfinite(all.half_width))
        facts.push_back({fixed(100 * all.half_width, 1) + "%",
                         "half width of its " + percent(found.options.confidence) + " interval"});
    for (const EnoughRows& enough : found.enough)
        if (std::isfinite(enough.n))
            facts.push_back({about(enough.n), "occurrences for an interval of " + percent(enough.half_width) +
                                                  (enough.extrapolated ? ", extrapolated" : "")});
    return facts;
}

Axis occurrences_axis() {
    return {.label = "occurrences", .kind = Axis::Kind::logarithmic, .column = "n"};
}

Svg breadth_figure(const BreadthBySize& found) {
    LineChart chart;
    chart.heading = {"Breadth by the number of occurrences",
                     "The breadth that samples of each size give, with its interval, and the v of the paper."};
    chart.x = occurrences_axis();
    chart.y = {.label = "breadth", .kind = Axis::Kind::logarithmic};
    chart.lines = {{"breadth"}, {"v (paper)"}};
    for (const BreadthAtSize& size : found.sizes) {
        const auto n = static_cast<double>(size.n);
        chart.lines[0].points.push_back({n, {size.breadth, size.low, size.high}});
        chart.lines[1].points.push_back({n, size.v});
    }
    return svg_of(chart);
}

Svg width_figure(const BreadthBySize& found) {
    LineChart chart;
    chart.heading = {"How wide the interval is", "The half width of the interval by the number of occurrences."};
    chart.x = occurrences_axis();
    chart.y = {.label = "half width, %", .kind = Axis::Kind::logarithmic, .column = "half_width_percent"};
    chart.lines = {{"half width"}};
    for (const BreadthAtSize& size : found.sizes)
        chart.lines[0].points.push_back({static_cast<double>(size.n), 100 * size.half_width});
    for (const EnoughRows& enough : found.enough)
        chart.levels.push_back({100 * enough.half_width, percent(enough.half_width)});
    return svg_of(chart);
}

}  // namespace

Table table_of(const BreadthBySize& found) {
    std::vector<const BreadthAtSize*> rows;
    for (const BreadthAtSize& size : found.sizes) rows.push_back(&size);
    using Row = const BreadthAtSize*;
    const std::string interval = percent(found.options.confidence) + " interval";
    return table_of<Row>(
        "by-size", "", std::move(rows),
        {{"n", "n", look::count, path(&BreadthAtSize::n), "occurrences of a sample"},
         {"documents", found.all.blocks > 0 ? "documents" : "", look::decimals(1), path(&BreadthAtSize::documents),
          "that the occurrences of a sample come from, on average"},
         {"breadth", "breadth", look::digits(3), path(&BreadthAtSize::breadth), "of a sample, the geometric mean"},
         {"low", interval + " from", look::digits(3), path(&BreadthAtSize::low), "that a sample gives, on average"},
         {"high", "to", look::digits(3), path(&BreadthAtSize::high), "that a sample gives, on average"},
         {"half_width", "half width", look::decimals(3),
          [](const Row& at) {
              const double share = at->half_width;
              return Value(share).shown_as(std::isfinite(share) ? fixed(100 * share, 1) + "%" : "-");
          },
          "of the interval, as a ratio"},
         {"v", "v (paper)", look::digits(3), path(&BreadthAtSize::v), "which depends on n"},
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

Page page_of(const BreadthBySize& found) {
    const std::string interval = percent(found.options.confidence) + " interval";
    Page page;
    page.title = "How many occurrences of \"" + found.name + "\" are enough";
    page.subtitle = "samples of its " + occurrences_of(found);
    Section overview{"In short", {Facts{facts_of(found)}, Finding{enough_sentence(found)}}};
    if (const std::string order = order_sentence(found); !order.empty()) overview.blocks.emplace_back(Paragraph{order});
    overview.blocks.emplace_back(
        Paragraph{"Samples of each size are drawn without replacement; breadth and " + interval +
                  " are what such a sample gives, on average. " +
                  (found.all.blocks > 0 ? "They come from pairs of occurrences of different documents, and the "
                                          "interval from leaving out one document at a time. "
                                        : "The interval comes from leaving out one occurrence at a time. ") +
                  "Further occurrences are taken to be like these where a number is extrapolated."});
    Table table = table_of(found);
    table.caption = "All sizes; the last is that of the whole cloud.";
    page.sections = {
        std::move(overview),
        {"By the number of occurrences",
         {Figure{breadth_figure(found),
                 "Breadth with its " + interval +
                     ". It does not depend on the number of occurrences; the v of the paper does. Both axes are "
                     "logarithmic.",
                 "by-size-breadth"},
          Figure{width_figure(found),
                 "Half the width of the interval, as a share of the breadth. Beyond a few dozen occurrences, four "
                 "times as many halve it. Both axes are logarithmic.",
                 "by-size-interval"},
          data_table(table)}}};
    page.settings = {{"samples of each size", count(found.options.draws)},
                     {"blocks", found.all.blocks > 0 ? "document" : "none"},
                     {"seed", std::to_string(found.options.seed)}};
    return page;
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
