#include "report/table.h"

#include <algorithm>
#include <numeric>

#include "report/text.h"

namespace wordbreadth::report {
namespace {

constexpr std::size_t gap = 2;            // between columns
constexpr std::size_t shortest_name = 8;  // names are not cut further, however narrow the terminal

std::size_t total(const std::vector<std::size_t>& widths) {
    return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
}

}  // namespace

std::string Table::text(const Style& style) const {
    const std::vector<std::size_t> fitted = widths(style.width);
    std::vector<std::string> titles;
    for (const Column& column : columns_) titles.push_back(column.title);
    std::string lines = style.bold(line(titles, fitted)) + "\n";
    for (const auto& row : rows_) lines += line(row, fitted) + "\n";
    return lines;
}

// Every column as wide as its widest cell; then, to keep to the limit, the widest name columns give way.
std::vector<std::size_t> Table::widths(std::size_t limit) const {
    std::vector<std::size_t> widths;
    for (const Column& column : columns_) widths.push_back(display_width(column.title));
    for (const auto& row : rows_)
        for (std::size_t c = 0; c < columns_.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));

    while (limit > 0 && total(widths) > limit) {
        std::size_t* widest = nullptr;
        for (std::size_t c = 0; c < columns_.size(); ++c)
            if (columns_[c].kind == Column::Kind::name && (widest == nullptr || widths[c] > *widest))
                widest = &widths[c];
        if (widest == nullptr || *widest <= shortest_name) break;
        --*widest;
    }
    return widths;
}

std::string Table::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
    std::string text;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const Column::Kind kind = columns_[c].kind;
        const std::string cell = kind == Column::Kind::name ? clipped(cells[c], widths[c]) : cells[c];
        const std::string padding(widths[c] - display_width(cell), ' ');
        if (c > 0) text.append(gap, ' ');
        text += kind == Column::Kind::number ? padding + cell : cell + padding;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

}  // namespace wordbreadth::report
