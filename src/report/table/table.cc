#include "report/table/table.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/strings.h"
#include "report/table/layout.h"

namespace wordbreadth::report {
namespace {

using Kind = Value::Kind;

std::vector<std::size_t> places_in(const Table& table, unsigned rendering) {
    std::vector<std::size_t> places;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (table.columns[c].is_in(rendering)) places.push_back(c);
    return places;
}

std::string real_text(double value, const Look& look) {
    if (look.kind == Look::Kind::digits) return significant(value, look.digits);
    return look.kind == Look::Kind::p ? p_column(value) : fixed(value, look.digits);
}

std::string rate_text(const Rate& rate, const Look& look, bool compact) {
    if (rate.trials == 0) return "-";
    const bool percent = look.kind == Look::Kind::percent;
    const auto share = [&](double value) { return percent ? fixed(100 * value, 1) : fixed(value, 3); };
    return share(rate.value) + (percent ? "% (" : " (") + share(rate.low) + (compact ? "–" : " to ") +
           share(rate.high) + ")";
}

Json cell_json(const Value& value) {
    if (value.kind == Kind::text) return value.text;
    if (value.kind == Kind::count) return value.count;
    if (value.kind == Kind::real) return json_number(value.real);
    if (value.kind == Kind::truth) return value.count != 0;
    if (value.kind == Kind::rate)
        return {{"value", json_number(value.rate.value)},
                {"low", json_number(value.rate.low)},
                {"high", json_number(value.rate.high)},
                {"hits", value.rate.hits},
                {"trials", value.rate.trials}};
    if (value.kind == Kind::list) return value.list;
    return nullptr;
}

std::string field_of(const Value& value) {
    if (value.kind == Kind::text) return field(value.text);
    if (value.kind == Kind::count) return std::to_string(value.count);
    if (value.kind == Kind::real) return field(value.real);
    if (value.kind == Kind::truth) return value.count != 0 ? "true" : "false";
    if (value.kind == Kind::rate) return field(value.rate.value);
    if (value.kind == Kind::list) return field(base::joined(value.list, ","));
    return "";
}

void append_line(std::string& lines, const std::vector<std::string>& fields) {
    for (const std::string& each : fields) (lines += each) += '\t';
    lines.back() = '\n';
}

TextColumn text_column(const Column& column) {
    using TextKind = TextColumn::Kind;
    if (!column.look.is_text()) return {column.heading, TextKind::number};
    return {column.heading, column.look.kind == Look::Kind::note ? TextKind::note : TextKind::name};
}

TextTable laid_out(const Table& table, const std::vector<std::size_t>& shown, bool compact) {
    const std::vector<std::size_t> places = places_in(table, in::text);
    std::vector<TextColumn> columns;
    for (const std::size_t c : places) columns.push_back(text_column(table.columns[c]));
    std::vector<std::string> dots(columns.size());
    dots.front() = "⋮";
    TextTable text(std::move(columns));
    std::size_t next = 0;
    for (const std::size_t i : shown) {
        if (i > next) text.add(dots);
        next = i + 1;
        const Cells cells = table.row(i);
        std::vector<std::string> line;
        for (const std::size_t c : places)
            line.push_back(printable(readable(cells[c], table.columns[c].look, compact)));
        text.add(std::move(line));
    }
    if (next < table.size) text.add(std::move(dots));
    return text;
}

// Bytes of the control character that the text begins with, 0 where it begins with none: the first 32 characters, DEL,
// and U+0080 to U+009F, which some terminals obey, too.
std::size_t control_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x20 || byte(0) == 0x7F) return 1;
    return byte(0) == 0xC2 && text.size() > 1 && byte(1) >= 0x80 && byte(1) < 0xA0 ? 2 : 0;
}

}  // namespace

Value Value::shown_as(std::string other) const {
    Value value = *this;
    value.shown = std::move(other);
    return value;
}

Value Value::opening(Evidence behind) const {
    Value value = *this;
    value.evidence = std::move(behind);
    return value;
}

Value Value::between(double low, double high) const {
    Value value = *this;
    value.rate.low = low;
    value.rate.high = high;
    return value;
}

Value text_or_missing(const std::string& text) {
    return text.empty() ? Value() : Value(text);
}

bool Column::is_in(unsigned rendering) const {
    const bool named = (rendering & in::programs) != 0 ? !key.empty() : !heading.empty();
    return named && (in & rendering) != 0;
}

Table table_of(std::string name, std::string caption, std::vector<Column> columns, std::vector<Cells> rows) {
    const auto all = std::make_shared<const std::vector<Cells>>(std::move(rows));
    return {std::move(name), std::move(caption), std::move(columns), all->size(),
            [all](std::size_t index) { return (*all)[index]; }};
}

Table part_of(const Table& table, const std::vector<std::string>& keys, std::string caption, unsigned rendering) {
    Table part{table.name, std::move(caption), {}, table.size};
    std::vector<std::size_t> places;
    for (const std::string& key : keys) {
        const auto wanted = [&](const Column& column) { return column.key == key && (column.in & rendering) != 0; };
        const auto found = std::ranges::find_if(table.columns, wanted);
        part.columns.push_back(*found);
        places.push_back(static_cast<std::size_t>(found - table.columns.begin()));
    }
    part.row = [row = table.row, places = std::move(places)](std::size_t index) {
        const Cells all = row(index);
        Cells cells;
        for (const std::size_t place : places) cells.push_back(all[place]);
        return cells;
    };
    return part;
}

Table rows_of(const Table& table, std::vector<std::size_t> shown) {
    Table part = table;
    part.size = shown.size();
    part.row = [row = table.row, shown = std::move(shown)](std::size_t index) { return row(shown[index]); };
    return part;
}

std::string readable(const Value& value, const Look& look, bool compact) {
    if (!value.shown.empty()) return value.shown;
    if (value.kind == Kind::text) return value.text;
    if (value.kind == Kind::count)
        return look.kind == Look::Kind::plain ? std::to_string(value.count) : count(value.count);
    if (value.kind == Kind::real) return real_text(value.real, look);
    if (value.kind == Kind::truth) return value.count != 0 ? "yes" : "no";
    if (value.kind == Kind::rate) return rate_text(value.rate, look, compact);
    if (value.kind == Kind::list) return base::joined(value.list, ", ");
    return "";
}

std::string text_of(const Table& table, const Style& style) {
    return text_of(table, style, both_ends(table.size, table.size));
}

std::string text_of(const Table& table, const Style& style, const std::vector<std::size_t>& shown) {
    const TextTable full = laid_out(table, shown, false);
    return (full.is_wider_than(style.width) ? laid_out(table, shown, true) : full).text(style);
}

std::vector<std::size_t> both_ends(std::size_t rows, std::size_t ends) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < rows; ++i)
        if (i < ends || rows - i <= ends) shown.push_back(i);
    return shown;
}

std::string tsv_of(const Table& table) {
    const std::vector<std::size_t> places = places_in(table, in::tsv);
    const auto is_rate = [&](std::size_t c) { return table.columns[c].look.kind == Look::Kind::rate; };
    std::vector<std::string> fields;
    for (const std::size_t c : places) {
        const std::string& key = table.columns[c].key;
        fields.push_back(key);
        if (is_rate(c)) fields.insert(fields.end(), {key + "_low", key + "_high"});
    }
    std::string lines;
    append_line(lines, fields);
    for (std::size_t i = 0; i < table.size; ++i) {
        const Cells cells = table.row(i);
        fields.clear();
        for (const std::size_t c : places) {
            fields.push_back(field_of(cells[c]));
            if (is_rate(c)) fields.insert(fields.end(), {field(cells[c].rate.low), field(cells[c].rate.high)});
        }
        append_line(lines, fields);
    }
    return lines;
}

Json json_of(const Table& table) {
    const std::vector<std::size_t> places = places_in(table, in::json);
    Json list = Json::array();
    for (std::size_t i = 0; i < table.size; ++i) {
        const Cells cells = table.row(i);
        Json object = Json::object();
        for (const std::size_t c : places) object[table.columns[c].key] = cell_json(cells[c]);
        list.push_back(std::move(object));
    }
    return list;
}

Json json_number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json_text(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

std::string text_of(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string field(double value) {
    return std::isfinite(value) ? shortest(value) : std::string();
}

std::string field(std::string_view text) {
    std::string escaped;
    while (!text.empty()) {
        const std::size_t control = control_length(text);
        if (control > 0)
            escaped += printable(text.substr(0, control));
        else
            escaped += text.front() == '\\' ? "\\\\" : std::string(1, text.front());
        text.remove_prefix(std::max<std::size_t>(control, 1));
    }
    return escaped;
}

}  // namespace wordbreadth::report
