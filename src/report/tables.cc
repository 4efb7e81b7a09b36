#include "report/tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "report/number.h"
#include "report/table.h"
#include "report/text.h"
#include "wordbreadth/names.h"

namespace wordbreadth::report {
namespace {

using Kind = Column::Kind;

bool come_from_one_file(std::span<const CloudBreadth> clouds) {
    return std::all_of(clouds.begin(), clouds.end(),
                       [&](const CloudBreadth& cloud) { return cloud.file == clouds.front().file; });
}

std::vector<std::size_t> order_by_p(std::span<const TestResult> results) {
    std::vector<std::size_t> order(results.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t i) { return std::isnan(results[i].p) ? HUGE_VAL : results[i].p; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    return order;
}

// False discovery rates are called q; Holm's are p-values still.
std::string title_of(Adjustment method) {
    return (method == Adjustment::holm ? "p (" : "q (") + std::string(name_of(method)) + ")";
}

// Reasons, each once with those it holds for: the first few, lest they bury the table.
std::string listed(const std::vector<std::pair<std::string, std::string>>& reasons, const Style& style) {
    constexpr std::size_t most = 10;
    std::string lines;
    for (std::size_t i = 0; i < std::min(reasons.size(), most); ++i)
        lines += style.dim(folded(reasons[i].first + ": " + printable(reasons[i].second), style.width)) + "\n";
    if (reasons.size() > most)
        lines += style.dim("and " + count(reasons.size() - most) + " more reasons, see --format json") + "\n";
    return lines.empty() ? lines : "\n" + lines;
}

// One bad cloud is the reason of all its pairs.
std::string why_no_p(std::span<const TestResult> results, const Style& style) {
    std::vector<const TestResult*> first;  // of each reason
    std::map<std::string_view, std::size_t> pairs;
    for (const TestResult& result : results)
        if (!result.undefined.empty() && ++pairs[result.undefined] == 1) first.push_back(&result);
    std::vector<std::pair<std::string, std::string>> reasons;
    for (const TestResult* result : first) {
        const std::size_t others = pairs[result->undefined] - 1;
        reasons.emplace_back(
            "no p-value for " + printable(result->x) + " and " + printable(result->y) +
                (others == 0 ? "" : ", and " + count(others) + (others == 1 ? " pair" : " pairs") + " more"),
            result->undefined);
    }
    return listed(reasons, style);
}

std::string why_no_breadth(std::span<const CloudBreadth> clouds, const Style& style) {
    std::vector<std::pair<std::string, std::string>> reasons;
    for (const CloudBreadth& cloud : clouds)
        if (!cloud.undefined.empty()) reasons.emplace_back("no breadth", cloud.undefined);
    return listed(reasons, style);
}

// How many characters of the paths are folders that all of them share: these tell no file from another.
std::size_t shared_folders(std::span<const CloudBreadth> clouds) {
    std::string_view shared = clouds.front().file;
    for (const CloudBreadth& cloud : clouds) {
        const auto end = std::ranges::mismatch(shared, cloud.file).in1;
        shared = shared.substr(0, static_cast<std::size_t>(end - shared.begin()));
    }
    return shared.rfind('/') + 1;  // 0 where there is none
}

std::string instruction_sets(const Device& device) {
    std::string text;
    for (const std::string& set : device.instruction_sets) {
        if (!text.empty()) text += ", ";
        text += set == device.instruction_set ? set + " (used)" : set;
    }
    return text;
}

std::string what_auto_takes(std::span<const Device> devices) {
    const auto first =
        std::find_if(devices.begin(), devices.end(), [](const Device& device) { return device.available; });
    return first == devices.end() ? "none of them is usable"
                                  : "auto takes the first usable one: " + printable(first->name);
}

}  // namespace

std::string breadth_table(std::span<const CloudBreadth> clouds, const Style& style) {
    std::vector<Column> columns = {{"cloud", Kind::name}, {"n"}, {"d"}, {"r"}, {"kappa"}, {"breadth v"}, {"s.e. of v"}};
    const bool with_file = !come_from_one_file(clouds);
    if (with_file) columns.push_back({"file", Kind::name});
    const std::size_t dropped = style.width > 0 ? shared_folders(clouds) : 0;
    Table table(columns);
    for (const auto& [name, file, b, undefined] : clouds) {
        const bool has_none = !undefined.empty();
        std::vector<std::string> cells = {printable(name),
                                          std::to_string(b.n),
                                          std::to_string(b.d),
                                          has_none ? "-" : fixed(b.r, 4),
                                          has_none ? "-" : significant(b.kappa, 4),
                                          has_none ? "-" : significant(b.v, 4),
                                          has_none ? "-" : significant(b.v_standard_error, 2)};
        if (with_file) cells.push_back(printable(file.substr(dropped)));
        table.add(std::move(cells));
    }
    return table.text(style) + why_no_breadth(clouds, style);
}

std::string pairs_table(std::span<const TestResult> results, std::span<const double> adjusted, Adjustment method,
                        std::size_t shown, const Style& style) {
    std::vector<Column> columns = {{"x", Kind::name}, {"y", Kind::name}, {"n"}, {"m"}, {"ratio"}, {"T"}, {"p"}};
    const bool with_adjusted = method != Adjustment::none;
    if (with_adjusted) columns.push_back({title_of(method)});
    Table table(columns);
    std::vector<std::size_t> order = order_by_p(results);
    order.resize(std::min(order.size(), shown));
    for (const std::size_t i : order) {
        const TestResult& result = results[i];
        std::vector<std::string> cells = {printable(result.x),
                                          printable(result.y),
                                          std::to_string(result.n),
                                          std::to_string(result.m),
                                          std::isfinite(result.T) ? fixed(result.ratio, 3) : "-",
                                          fixed(result.T, 4),
                                          p_column(result.p)};
        if (with_adjusted) cells.push_back(p_column(adjusted[i]));
        table.add(std::move(cells));
    }
    return table.text(style) + why_no_p(results, style);
}

std::string devices_table(std::span<const Device> devices, const Style& style) {
    Table table({{"device", Kind::note}, {"", Kind::note}});
    for (const Device& device : devices) {
        table.add({printable(device.name), printable(device.description)});
        if (!device.available) table.add({"", "not usable: " + printable(device.unavailable_because)});
        if (device.available && !device.instruction_sets.empty())
            table.add({"", "instruction sets: " + printable(instruction_sets(device))});
    }
    return table.text(style) + "\n" + what_auto_takes(devices) + "\n";
}

}  // namespace wordbreadth::report
