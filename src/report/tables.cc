#include "report/tables.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "report/names.h"
#include "report/number.h"
#include "report/table.h"
#include "report/text.h"

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

// Why pairs have no p-value: the first few, lest they bury the table.
std::string reasons(std::span<const TestResult> results, const Style& style) {
    constexpr std::size_t most = 10;
    std::string lines;
    std::size_t found = 0;
    for (const TestResult& result : results) {
        if (result.undefined.empty() || ++found > most) continue;
        const std::string line = "no p-value for " + printable(result.x) + " and " + printable(result.y) + ": " +
                                 printable(result.undefined);
        lines += style.dim(folded(line, style.width)) + "\n";
    }
    if (found > most) lines += style.dim("and for " + count(found - most) + " more, see --format json") + "\n";
    return lines.empty() ? lines : "\n" + lines;
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
    Table table(columns);
    for (const auto& [name, file, b] : clouds) {
        std::vector<std::string> cells = {printable(name),
                                          std::to_string(b.n),
                                          std::to_string(b.d),
                                          fixed(b.r, 4),
                                          significant(b.kappa, 4),
                                          significant(b.v, 4),
                                          significant(b.v_standard_error, 2)};
        if (with_file) cells.push_back(printable(file));
        table.add(std::move(cells));
    }
    return table.text(style);
}

std::string pairs_table(std::span<const TestResult> results, std::span<const double> adjusted, Adjustment method,
                        const Style& style) {
    std::vector<Column> columns = {{"x", Kind::name}, {"y", Kind::name}, {"n"}, {"m"}, {"ratio"}, {"T"}, {"p"}};
    const bool with_adjusted = method != Adjustment::none;
    if (with_adjusted) columns.push_back({title_of(method)});
    Table table(columns);
    for (const std::size_t i : order_by_p(results)) {
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
    return table.text(style) + reasons(results, style);
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
