#include "report/page/page.h"

#include <openssl/evp.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "arrays/npy.h"
#include "base/utf8.h"
#include "report/page/web/assets.h"
#include "report/verification.h"

namespace wordbreadth::report {
namespace {

// ---- Text

// DEL and the C1 controls are allowed by XML, but HTML reads them as something else.
bool is_allowed(std::int32_t c) {
    if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
    if ((c >= 0x7F && c < 0xA0) || (c >= 0xFDD0 && c <= 0xFDEF)) return false;
    return (c & 0xFFFE) != 0xFFFE;
}

std::string_view reference_to(std::int32_t c) {
    if (c == '&') return "&amp;";
    if (c == '<') return "&lt;";
    if (c == '>') return "&gt;";
    if (c == '"') return "&quot;";
    if (c == '\'') return "&#39;";
    return is_allowed(c) ? "" : "\xEF\xBF\xBD";
}

Markup within(const char* start, std::string_view text, const char* end) {
    return Markup::trusted(start + escaped(text) + end);
}

// ---- Cells, concordances

std::string number_attribute(const char* name, std::size_t value) {
    return attribute(name, value == 0 ? "" : std::to_string(value));
}

const char* class_of(const Look& look) {
    if (look.kind == Look::Kind::subject) return "text subject";
    return look.is_text() ? "text" : "number";
}

std::string html_of(const Column& column) {
    return "<th scope=\"col\" class=\"" + std::string(class_of(column.look)) + "\"" +
           attribute("data-key", column.key == column.heading ? "" : column.key) + attribute("title", column.help) +
           ">" + escaped(column.heading) + "</th>";
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
    return attribute("data-low", shortest(rate.low)) + attribute("data-high", shortest(rate.high));
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

std::string script_of(const Provenance& provenance) {
    if (provenance.command.empty()) return "";
    const std::string json = report::json_of(provenance).dump(-1, ' ', false, Json::error_handler_t::replace);
    return provenance_tag() + without_markup(json) + "</script>\n";
}

// ---- Around them

// As a security policy names a script or a style.
std::string hash_of(std::string_view text) {
    std::array<unsigned char, 32> digest{};
    std::array<unsigned char, 45> base64{};
    EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
    const int size = EVP_EncodeBlock(base64.data(), digest.data(), static_cast<int>(digest.size()));
    return "'sha256-" + std::string(base64.begin(), base64.begin() + size) + "'";
}

// Nothing is fetched, and nothing runs but our own script: text that got past the escaping would still do nothing.
std::string security_policy() {
    return "default-src 'none'; script-src " + hash_of(web::script) + "; style-src " + hash_of(web::page_css) +
           "; img-src data:; base-uri 'none'; form-action 'none'";
}

std::string head(const Page& page) {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
           security_policy() +
           "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"wordbreadth\">\n"
           "<title>" +
           escaped(page.title) + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>" + std::string(web::page_css) +
           "</style>\n</head>\n";
}

std::string anchor(std::size_t section) {
    return "section-" + std::to_string(section + 1);
}

std::string contents(const Page& page) {
    if (page.sections.size() < 3) return "";
    std::string html = "<nav aria-label=\"Contents\">\n<ol>\n";
    for (std::size_t i = 0; i < page.sections.size(); ++i)
        html += "<li><a href=\"#" + anchor(i) + "\">" + escaped(page.sections[i].heading) + "</a></li>\n";
    return html + "</ol>\n</nav>\n";
}

std::string header(const Page& page) {
    const std::string subtitle =
        page.subtitle.empty() ? "" : "<p class=\"subtitle\">" + page.subtitle.html() + "</p>\n";
    return "<header>\n<h1 dir=\"auto\">" + escaped(page.title) + "</h1>\n" + subtitle + contents(page) + "</header>\n";
}

std::string body_of(const Section& section, std::size_t number) {
    std::string html =
        "<section id=\"" + anchor(number) + "\">\n<h2 dir=\"auto\">" + escaped(section.heading) + "</h2>\n";
    for (const Block& block : section.blocks) html += std::visit([](const auto& part) { return html_of(part); }, block);
    return html + "</section>\n";
}

constexpr std::size_t longest_in_a_column = 80;  // bytes of a setting; longer ones have a line of their own

std::string footer(const Page& page) {
    std::string html = "<footer>\n<h2>How this was made</h2>\n<dl class=\"settings\">\n";
    for (const Setting& setting : page.settings)
        html += std::string(setting.value.size() > longest_in_a_column ? "<div class=\"long\">" : "<div>") + "<dt>" +
                escaped(setting.name) + "</dt><dd dir=\"auto\">" + escaped(setting.value) + "</dd></div>\n";
    html += "</dl>\n";
    if (!page.command.empty()) html += "<p>Again with</p>\n<pre><code>" + escaped(page.command) + "</code></pre>\n";
    return html + "</footer>\n";
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string html;
    html.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        const std::string_view reference = reference_to(base::next_character(text, at));
        html += reference.empty() ? text.substr(start, at - start) : reference;
    }
    return html;
}

std::string attribute(std::string_view name, std::string_view value) {
    if (value.empty()) return "";
    std::string text = escaped(value);
    for (std::size_t at = text.find('\t'); at != std::string::npos; at = text.find('\t', at))
        text.replace(at, 1, "&#9;");
    return " " + std::string(name) + "=\"" + text + "\"";
}

Markup Markup::trusted(std::string html) {
    Markup markup;
    markup.html_ = std::move(html);
    return markup;
}

Markup& Markup::operator+=(const Markup& more) {
    html_ += more.html_;
    return *this;
}

Markup operator+(Markup first, const Markup& second) {
    first += second;
    return first;
}

Markup word(std::string_view text) {
    return within("<i class=\"word\" dir=\"auto\">", text, "</i>");
}
Markup code(std::string_view text) {
    return within("<code dir=\"auto\">", text, "</code>");
}
Markup link(std::string_view path, std::string_view text) {
    return Markup::trusted("<a" + attribute("href", path) + ">" + escaped(text) + "</a>");
}

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
           attribute("data-name", figure.name) + ">\n" + figure.svg.markup() + caption + "</figure>\n";
}

std::string html_of(const ConcordanceView& view) {
    return "<figure class=\"concordance\" data-concordance=\"" + escaped(view.key) + "\"" +
           number_attribute("data-shown", view.shown) + ">\n<figcaption>" + view.caption.html() +
           "</figcaption>\n</figure>\n";
}

DataTable data_table(const Table& table, std::size_t shown) {
    std::vector<Cells> rows;
    for (std::size_t i = 0; i < table.size; ++i) rows.push_back(table.row(i));
    return {table_of(table.name, table.caption, table.columns, std::move(rows)), shown};
}

// The caption stands outside of what scrolls sideways.
std::string html_of(const DataTable& data) {
    const Table& table = data.table;
    std::string html = "<figure class=\"data\"" + attribute("data-name", table.name) +
                       number_attribute("data-shown", data.shown) + ">\n";
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

std::string html_of(const Page& page) {
    std::string html = head(page) + "<body>\n" + header(page) + "<main>\n";
    for (std::size_t i = 0; i < page.sections.size(); ++i) html += body_of(page.sections[i], i);
    html += "</main>\n" + footer(page);
    html += "<noscript><p>Sorting, searching and concordances need JavaScript.</p></noscript>\n";
    html += script_of(page.provenance);
    html += "<script type=\"application/json\" id=\"concordances\">" + script_json(page.concordances) + "</script>\n";
    return html + "<script>" + std::string(web::script) + "</script>\n</body>\n</html>\n";
}

void ResultFile::write(std::string_view content) {
    file_.write(std::as_bytes(std::span(content)));
    file_.keep();
}

void ResultFile::write_npy(std::span<const double> values) {
    const std::string header = arrays::npy_header("<f8", {values.size()});
    file_.write(std::as_bytes(std::span(header)));
    file_.write(std::as_bytes(values));
    file_.keep();
}

}  // namespace wordbreadth::report
