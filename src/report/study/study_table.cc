#include "report/study/study_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "report/json.h"
#include "report/number.h"
#include "report/table.h"
#include "report/text.h"
#include "report/tsv_record.h"

namespace wordbreadth::report {
namespace {

using Json = nlohmann::ordered_json;

std::string readable(double value, const StudyColumn& column) {
    if (column.form == StudyColumn::Form::p) return p_column(value);
    return column.form == StudyColumn::Form::fixed ? fixed(value, column.digits) : significant(value, column.digits);
}

using Kind = StudyValue::Kind;

std::string readable(const StudyValue& value, const StudyColumn& column) {
    switch (value.kind) {
        case Kind::none:
            return "";
        case Kind::text:
            return value.text;
        case Kind::count:
            return count(value.count);
        case Kind::number:
            return readable(value.number, column);
        case Kind::rate:
            return text_of(value.rate);
    }
    return "";
}

// Intervals are narrower there, and on a narrow terminal, where columns are many: 0.013 (0.005–0.034).
std::string on_a_page(const StudyValue& value, const StudyColumn& column) {
    const Rate& rate = value.rate;
    if (value.kind != Kind::rate || rate.trials == 0) return readable(value, column);
    return fixed(rate.value, 3) + " (" + fixed(rate.low, 3) + "–" + fixed(rate.high, 3) + ")";
}

// What a column of numbers is sorted by.
double sortable(const StudyValue& value) {
    if (value.kind == Kind::count) return static_cast<double>(value.count);
    if (value.kind == Kind::number) return value.number;
    return value.kind == Kind::rate ? value.rate.value : NAN;
}

Json json_of(const Rate& rate) {
    return {{"value", json_number(rate.value)},
            {"low", json_number(rate.low)},
            {"high", json_number(rate.high)},
            {"hits", rate.hits},
            {"trials", rate.trials}};
}

Json json_of(const StudyValue& value) {
    switch (value.kind) {
        case Kind::none:
            return nullptr;
        case Kind::text:
            return value.text;
        case Kind::count:
            return value.count;
        case Kind::number:
            return json_number(value.number);
        case Kind::rate:
            return json_of(value.rate);
    }
    return nullptr;
}

std::string field_of(const StudyValue& value) {
    if (value.kind == Kind::text) return field(value.text);
    if (value.kind == Kind::count) return field(value.count);
    if (value.kind == Kind::number) return field(value.number);
    return value.kind == Kind::rate ? field(value.rate.value) : "";
}

bool holds(Kind kind, const StudyTable& table, std::size_t column) {
    return std::ranges::any_of(table.rows, [&](const auto& row) { return row[column].kind == kind; });
}

void append_line(std::string& lines, const std::vector<std::string>& fields) {
    for (const std::string& each : fields) (lines += each) += '\t';
    lines.back() = '\n';
}

// `form` makes the cells.
Table text_table(const StudyTable& table, std::string (*form)(const StudyValue&, const StudyColumn&)) {
    std::vector<Column> columns;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        columns.push_back(
            {table.columns[c].title, holds(Kind::text, table, c) ? Column::Kind::note : Column::Kind::number});
    Table text(std::move(columns));
    for (const auto& row : table.rows) {
        std::vector<std::string> cells;
        for (std::size_t c = 0; c < row.size(); ++c) cells.push_back(printable(form(row[c], table.columns[c])));
        text.add(std::move(cells));
    }
    return text;
}

}  // namespace

std::string text_of(const Rate& rate) {
    if (rate.trials == 0) return "-";
    return fixed(rate.value, 3) + " (" + fixed(rate.low, 3) + " to " + fixed(rate.high, 3) + ")";
}

std::string tsv_of(const StudyTable& table) {
    std::string lines;
    std::vector<std::string> titles;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const std::string& key = table.columns[c].key;
        titles.push_back(key);
        if (holds(Kind::rate, table, c)) titles.insert(titles.end(), {key + "_low", key + "_high"});
    }
    append_line(lines, titles);
    for (const auto& row : table.rows) {
        std::vector<std::string> fields;
        for (std::size_t c = 0; c < row.size(); ++c) {
            fields.push_back(field_of(row[c]));
            if (!holds(Kind::rate, table, c)) continue;
            fields.push_back(field(row[c].rate.low));
            fields.push_back(field(row[c].rate.high));
        }
        append_line(lines, fields);
    }
    return lines;
}

Json json_of(const StudyTable& table) {
    Json list = Json::array();
    for (const auto& row : table.rows) {
        Json object = Json::object();
        for (std::size_t c = 0; c < row.size(); ++c) object[table.columns[c].key] = json_of(row[c]);
        list.push_back(std::move(object));
    }
    return list;
}

std::string text_of(const StudyTable& table, const Style& style) {
    const Table full = text_table(table, readable);
    return (full.is_wider_than(style.width) ? text_table(table, on_a_page) : full).text(style);
}

StudyTable part_of(const StudyTable& table, const std::vector<std::string>& keys, std::string caption) {
    StudyTable part{table.name, std::move(caption), {}};
    part.rows.resize(table.rows.size());
    for (const std::string& key : keys) {
        const auto found = std::ranges::find(table.columns, key, &StudyColumn::key);
        const auto place = static_cast<std::size_t>(found - table.columns.begin());
        part.columns.push_back(*found);
        for (std::size_t i = 0; i < table.rows.size(); ++i) part.rows[i].push_back(table.rows[i][place]);
    }
    return part;
}

DataTable data_table(const StudyTable& table) {
    DataTable data;
    data.caption = table.caption;
    data.name = table.name;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const StudyColumn& column = table.columns[c];
        const auto kind = holds(Kind::text, table, c) ? TableColumn::Kind::text : TableColumn::Kind::number;
        data.columns.push_back({column.title, kind, column.help, column.key});
    }
    for (const auto& row : table.rows) {
        std::vector<Cell> cells;
        for (std::size_t c = 0; c < row.size(); ++c)
            cells.push_back(
                {on_a_page(row[c], table.columns[c]), sortable(row[c]), {}, row[c].rate.low, row[c].rate.high});
        data.rows.push_back(std::move(cells));
    }
    return data;
}

}  // namespace wordbreadth::report
