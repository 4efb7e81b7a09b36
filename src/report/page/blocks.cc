// The parts of a page as HTML.
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/page/page.h"
#include "report/table/number.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;

// ' data-name="value"'; nothing where there is no value.
std::string data_attribute(const char* name, const std::string& value) {
    return value.empty() ? "" : " data-" + std::string(name) + "=\"" + escaped(value) + "\"";
}

std::string data_attribute(const char* name, std::size_t value) {
    return data_attribute(name, value == 0 ? "" : std::to_string(value));
}

const char* class_of(const Look& look) {
    if (look.kind == Look::Kind::subject) return "text subject";
    return look.is_text() ? "text" : "number";
}

std::string html_of(const Column& column) {
    const std::string help = column.help.empty() ? "" : " title=\"" + escaped(column.help) + "\"";
    return "<th scope=\"col\" class=\"" + std::string(class_of(column.look)) + "\"" +
           data_attribute("key", column.key == column.heading ? "" : column.key) + help + ">" +
           escaped(column.heading) + "</th>";
}

std::string content_of(const std::string& text, const Evidence& evidence) {
    if (evidence.concordance.empty()) return escaped(text);
    const std::string line = evidence.line ? " data-line=\"" + std::to_string(*evidence.line) + "\"" : std::string();
    return "<span class=\"evidence\" data-concordance=\"" + escaped(evidence.concordance) + "\"" + line + ">" +
           escaped(text) + "</span>";
}

// What a number is sorted by, at full precision; "" for a missing one, which comes last in either direction.
std::string sort_key(const Value& value) {
    if (value.kind == Value::Kind::count) return std::to_string(value.count);
    if (value.kind == Value::Kind::real) return field(value.real);
    return value.kind == Value::Kind::rate ? field(value.rate.value) : "";
}

std::string interval_of(const Rate& rate) {
    if (!std::isfinite(rate.low) || !std::isfinite(rate.high)) return "";
    return data_attribute("low", shortest(rate.low)) + data_attribute("high", shortest(rate.high));
}

// Numbers carry the value they are sorted by, unless their text is that value. Text follows its own direction.
std::string html_of(const Value& value, const Look& look) {
    const std::string text = readable(value, look, true), content = content_of(text, value.evidence);
    if (look.kind == Look::Kind::subject) return "<td class=\"subject\" dir=\"auto\">" + content + "</td>";
    if (look.is_text()) return "<td dir=\"auto\">" + content + "</td>";
    const std::string key = sort_key(value);
    return "<td class=\"number\"" + (key == text ? "" : " data-value=\"" + key + "\"") + interval_of(value.rate) + ">" +
           content + "</td>";
}

Json json_of(const Concordance& concordance) {
    Json lines = Json::array();
    for (const PageLine& line : concordance.lines)
        lines.push_back(Json::array({line.left, line.node, line.right, line.source, json_number(line.influence)}));
    return {{"title", concordance.title}, {"lines", std::move(lines)}};
}

// Outside of strings JSON has none of these, and inside it may spell them out: no text can end the script element.
std::string without_markup(const std::string& json) {
    std::string safe;
    safe.reserve(json.size());
    for (const char c : json) {
        if (c == '<') safe += "\\u003c";
        if (c == '>') safe += "\\u003e";
        if (c == '&') safe += "\\u0026";
        if (c != '<' && c != '>' && c != '&') safe += c;
    }
    return safe;
}

}  // namespace

std::string html_of(const Paragraph& paragraph) {
    return "<p>" + paragraph.text.html() + "</p>\n";
}

std::string html_of(const Finding& finding) {
    return "<p class=\"finding\">" + finding.text.html() + "</p>\n";
}

std::string html_of(const Facts& facts) {
    std::string html = "<dl class=\"facts\">\n";
    for (const Facts::Fact& fact : facts.facts)
        html += "<div><dt>" + escaped(fact.label) + "</dt><dd>" + escaped(fact.value) + "</dd></div>\n";
    return html + "</dl>\n";
}

std::string html_of(const Figure& figure) {
    const std::string caption =
        figure.caption.empty() ? "" : "<figcaption>" + figure.caption.html() + "</figcaption>\n";
    return "<figure class=\"picture" + std::string(figure.half ? " half" : "") + "\"" +
           data_attribute("name", figure.name) + ">\n" + figure.svg.markup() + caption + "</figure>\n";
}

std::string html_of(const ConcordanceView& view) {
    return "<figure class=\"concordance\" data-concordance=\"" + escaped(view.key) + "\"" +
           data_attribute("shown", view.shown) + ">\n<figcaption>" + view.caption.html() + "</figcaption>\n</figure>\n";
}

DataTable data_table(const Table& table, std::size_t shown) {
    std::vector<Cells> rows;
    for (std::size_t i = 0; i < table.size; ++i) rows.push_back(table.row(i));
    return {table_of(table.name, table.caption, table.columns, std::move(rows)), shown};
}

// The caption stands outside of what scrolls sideways.
std::string html_of(const DataTable& data) {
    const Table& table = data.table;
    std::string html =
        "<figure class=\"data\"" + data_attribute("name", table.name) + data_attribute("shown", data.shown) + ">\n";
    if (!table.caption.empty()) html += "<figcaption>" + escaped(table.caption) + "</figcaption>\n";
    html += "<div class=\"scroll\">\n<table>\n<thead><tr>";
    for (const Column& column : table.columns)
        if (column.is_in(in::page)) html += html_of(column);
    html += "</tr></thead>\n<tbody>\n";
    for (std::size_t i = 0; i < table.size; ++i) {
        const Cells cells = table.row(i);
        html += "<tr>";
        for (std::size_t c = 0; c < cells.size(); ++c)
            if (table.columns[c].is_in(in::page)) html += html_of(cells[c], table.columns[c].look);
        html += "</tr>\n";
    }
    return html + "</tbody>\n</table>\n</div>\n</figure>\n";
}

std::string script_json(const std::vector<Concordance>& concordances) {
    Json all = Json::array();
    for (const Concordance& concordance : concordances)
        all.push_back(Json::array({concordance.key, json_of(concordance)}));
    return without_markup(all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace wordbreadth::report
