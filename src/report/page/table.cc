#include "report/number.h"
#include "report/page/blocks.h"

namespace wordbreadth::report {
namespace {

const char* class_of(const TableColumn& column) {
    if (column.kind == TableColumn::Kind::subject) return "text subject";
    return column.kind == TableColumn::Kind::number ? "number" : "text";
}

std::string html_of(const TableColumn& column) {
    const std::string help = column.help.empty() ? "" : " title=\"" + escaped(column.help) + "\"";
    return "<th scope=\"col\" class=\"" + std::string(class_of(column)) + "\"" + data_attribute("key", column.key) +
           help + ">" + escaped(column.title) + "</th>";
}

std::string content_of(const Cell& cell) {
    if (cell.evidence.concordance.empty()) return escaped(cell.text);
    const std::string line =
        cell.evidence.line ? " data-line=\"" + std::to_string(*cell.evidence.line) + "\"" : std::string();
    return "<span class=\"evidence\" data-concordance=\"" + escaped(cell.evidence.concordance) + "\"" + line + ">" +
           escaped(cell.text) + "</span>";
}

std::string interval_of(const Cell& cell) {
    if (!std::isfinite(cell.low) || !std::isfinite(cell.high)) return "";
    return data_attribute("low", shortest(cell.low)) + data_attribute("high", shortest(cell.high));
}

// Numbers carry the value they are sorted by, unless their text is that value. Text follows its own direction.
std::string html_of(const Cell& cell, const TableColumn& column) {
    if (column.kind == TableColumn::Kind::text) return "<td dir=\"auto\">" + content_of(cell) + "</td>";
    if (column.kind == TableColumn::Kind::subject)
        return "<td class=\"subject\" dir=\"auto\">" + content_of(cell) + "</td>";
    const std::string value = std::isfinite(cell.value) ? shortest(cell.value) : "";
    const std::string key = value == cell.text ? "" : " data-value=\"" + value + "\"";
    return "<td class=\"number\"" + key + interval_of(cell) + ">" + content_of(cell) + "</td>";
}

std::string html_of(const std::vector<Cell>& row, const std::vector<TableColumn>& columns) {
    static const Cell missing;
    std::string html = "<tr>";
    for (std::size_t c = 0; c < columns.size(); ++c) html += html_of(c < row.size() ? row[c] : missing, columns[c]);
    return html + "</tr>\n";
}

}  // namespace

std::string html_of(const DataTable& table) {
    // The caption stands outside of what scrolls sideways.
    std::string html =
        "<figure class=\"data\"" + data_attribute("name", table.name) + data_attribute("shown", table.shown) + ">\n";
    if (!table.caption.empty()) html += "<figcaption>" + table.caption.html() + "</figcaption>\n";
    html += "<div class=\"scroll\">\n<table>\n<thead><tr>";
    for (const TableColumn& column : table.columns) html += html_of(column);
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) html += html_of(row, table.columns);
    return html + "</tbody>\n</table>\n</div>\n</figure>\n";
}

}  // namespace wordbreadth::report
