#include "report/table/table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>

#include "base/strings.h"
#include "report/table/in_order.h"

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

std::string dumped(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

// The text as it is, unless something in it has to be escaped.
void append_field(std::string& line, std::string_view text) {
    const auto is_plain = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x20 && byte != 0x7F && byte != 0xC2 && byte != '\\';
    };
    if (std::ranges::all_of(text, is_plain))
        line += text;
    else
        line += field(text);
}

template <class Number>
void append_number(std::string& line, Number value) {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    line.append(digits.data(), end.ptr);
}

void append_field(std::string& line, double value) {
    if (std::isfinite(value)) append_number(line, value);
}

void append_field(std::string& line, const Value& value) {
    if (value.kind == Kind::text) append_field(line, std::string_view(value.text));
    if (value.kind == Kind::count) append_number(line, value.count);
    if (value.kind == Kind::real) append_field(line, value.real);
    if (value.kind == Kind::truth) line += value.count != 0 ? "true" : "false";
    if (value.kind == Kind::rate) append_field(line, value.rate.value);
    if (value.kind == Kind::list) append_field(line, std::string_view(base::joined(value.list, ",")));
}

constexpr std::size_t rows_at_a_time = 512;  // by a thread
constexpr std::size_t pieces_of_thread = 4;  // between two waits for each other

// Writes what append(i, text) adds for every row, in order.
template <class Append>
void write_rows(std::size_t rows, unsigned threads, const Append& append, const Sink& write) {
    const std::size_t pieces = (rows + rows_at_a_time - 1) / rows_at_a_time;
    const auto make = [&](std::size_t piece, std::string& text) {
        const std::size_t begin = piece * rows_at_a_time;
        const std::size_t end = std::min(begin + rows_at_a_time, rows);
        for (std::size_t i = begin; i < end; ++i) append(i, text);
    };
    const auto take = [&](std::string& text) {
        if (!text.empty()) write(text);
        text.clear();
    };
    in_order<std::string>(pieces, pieces_of_thread, threads, make, take);
}

// ---- Text

using TextKind = TextColumn::Kind;
using Lines = std::vector<std::string>;
using Widths = std::vector<std::size_t>;  // of the columns
using Block = std::vector<std::size_t>;   // columns that stand beside each other

constexpr std::size_t gap = 2;            // between columns
constexpr std::size_t shortest_name = 8;  // names are not cut further, however narrow the terminal

std::size_t total(std::span<const std::size_t> widths) {
    return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
}

std::size_t longest_word(const std::string& text) {
    std::size_t width = 0;
    for (const std::string& word : wrapped(text, 1)) width = std::max(width, display_width(word));
    return width;
}

// Of a cell whose text is broken or cut wherever it may be.
std::size_t least_width(const std::string& cell, TextKind kind) {
    if (kind == TextKind::note) return longest_word(cell);
    return kind == TextKind::name ? std::min(display_width(cell), shortest_name) : display_width(cell);
}

// Every column as wide as its widest cell; `title_width` and `cell_width` measure.
template <class TitleWidth, class CellWidth>
Widths widest(const TextTable& table, const TitleWidth& title_width, const CellWidth& cell_width) {
    Widths widths;
    for (const auto& [title, kind] : table.columns) {
        std::size_t width = title_width(title);
        for (const Lines& row : table.rows) width = std::max(width, cell_width(row[widths.size()], kind));
        widths.push_back(width);
    }
    return widths;
}

std::size_t unbroken(const std::string& cell, TextKind) {
    return display_width(cell);
}

// Until they keep to the limit, the widest of those that are wider than they have to be gives way.
void give_way(std::span<std::size_t> widths, std::span<const std::size_t> least, std::size_t limit) {
    while (total(widths) > limit) {
        std::size_t* widest = nullptr;
        for (std::size_t c = 0; c < widths.size(); ++c)
            if (widths[c] > least[c] && (widest == nullptr || widths[c] > *widest)) widest = &widths[c];
        if (widest == nullptr) return;
        --*widest;
    }
}

// How many columns say what a row is about: the names and notes that it begins with, or a number (a rank) and these;
// more where rows are alike in them.
std::size_t keys_of(const TextTable& table) {
    constexpr std::size_t most = 3;
    const auto& columns = table.columns;
    const std::size_t others = std::max<std::size_t>(columns.size(), 2) - 1;
    std::size_t first = columns.size() > 1 && columns[1].kind != TextKind::number ? 1 : 0;
    while (first < columns.size() && columns[first].kind != TextKind::number) ++first;
    first = std::clamp<std::size_t>(first, 1, others);
    const auto are_told_apart = [&] {
        std::map<Lines, const Lines*> seen;
        return std::ranges::all_of(table.rows, [&](const Lines& row) {
            const Lines key(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(first));
            return *seen.emplace(key, &row).first->second == row;  // a row of dots may come twice
        });
    };
    while (first < std::min(most, others) && !are_told_apart()) ++first;
    return first;
}

// Titles give way first, then names and notes. Where that is not enough, only the first columns do, until they leave
// half of the line for those that come beside them, block after block.
Widths fitted_widths(const TextTable& table, std::size_t limit) {
    Widths fitted = widest(table, display_width, unbroken);
    if (limit == 0 || total(fitted) <= limit) return fitted;
    const Widths least = widest(table, longest_word, least_width);
    give_way(fitted, widest(table, longest_word, unbroken), limit);
    if (total(least) <= limit) {
        give_way(fitted, least, limit);
        return fitted;
    }
    const std::size_t first = keys_of(table);
    give_way(std::span(fitted).first(first), least, limit / 2);
    const std::size_t taken = total(std::span(fitted).first(first)) + gap;
    for (std::size_t c = first; c < fitted.size(); ++c)
        fitted[c] = std::max(least[c], std::min(fitted[c], limit - std::min(limit, taken)));
    return fitted;
}

// One block after the other, each filled as far as it goes; all begin with the same columns.
std::vector<Block> filled_blocks(const Block& first, const Widths& widths, std::size_t limit) {
    std::vector<Block> blocks;
    std::size_t used = limit;
    for (std::size_t c = first.size(); c < widths.size(); ++c) {
        used += gap + widths[c];
        if (used > limit) {
            blocks.push_back(first);
            used = total(std::span(widths).first(first.size())) + gap + widths[c];
        }
        blocks.back().push_back(c);
    }
    return blocks;
}

// As few as the limit allows, none much wider than the others.
std::vector<Block> blocks_of(const TextTable& table, const Widths& widths, std::size_t limit) {
    const bool fits = limit == 0 || total(widths) <= limit || widths.size() < 2;
    Block first(fits ? widths.size() : keys_of(table));
    std::iota(first.begin(), first.end(), std::size_t{0});
    if (fits) return {first};
    std::vector<Block> found = filled_blocks(first, widths, limit);
    while (--limit > 0) {
        std::vector<Block> narrower = filled_blocks(first, widths, limit);
        if (narrower.size() > found.size()) break;
        found = std::move(narrower);
    }
    return found;
}

// A cell in the lines that it takes.
Lines lines_of(const std::string& cell, TextKind kind, std::size_t width) {
    if (display_width(cell) <= width || kind == TextKind::number) return {cell};
    return kind == TextKind::name ? Lines{clipped(cell, width)} : wrapped(cell, width);
}

std::string padded(const std::string& text, TextKind kind, std::size_t width) {
    const std::string padding(width - std::min(width, display_width(text)), ' ');
    return kind == TextKind::number ? padding + text : text + padding;
}

// The cells of a block beside each other, `cell(c)` that of a column; of unequal height, titles stand upon their
// columns.
template <class Cell>
Lines lines_of(const TextTable& table, const Block& block, const Widths& widths, bool titles, const Cell& cell) {
    std::vector<Lines> cells;
    std::size_t height = 0;
    for (const std::size_t c : block) {
        cells.push_back(lines_of(cell(c), titles ? TextKind::note : table.columns[c].kind, widths[c]));
        height = std::max(height, cells.back().size());
    }
    Lines lines(height);
    for (std::size_t i = 0; i < height; ++i) {
        for (std::size_t k = 0; k < block.size(); ++k) {
            const std::size_t line = titles ? i + cells[k].size() - height : i;  // past the end, above a title too
            if (k > 0) lines[i].append(gap, ' ');
            lines[i] +=
                padded(line < cells[k].size() ? cells[k][line] : "", table.columns[block[k]].kind, widths[block[k]]);
        }
        lines[i].erase(lines[i].find_last_not_of(' ') + 1);
    }
    return lines;
}

TextColumn text_column(const Column& column) {
    if (!column.look.is_text()) return {column.heading, TextKind::number};
    return {column.heading, column.look.kind == Look::Kind::note ? TextKind::note : TextKind::name};
}

TextTable laid_out(const Table& table, const std::vector<std::size_t>& shown, bool compact) {
    const std::vector<std::size_t> places = places_in(table, in::text);
    TextTable text;
    for (const std::size_t c : places) text.columns.push_back(text_column(table.columns[c]));
    std::vector<std::string> dots(places.size());
    dots.front() = "⋮";
    std::size_t next = 0;
    for (const std::size_t i : shown) {
        if (i > next) text.rows.push_back(dots);
        next = i + 1;
        const Cells cells = table.row(i);
        std::vector<std::string> line;
        for (const std::size_t c : places)
            line.push_back(printable(readable(cells[c], table.columns[c].look, compact)));
        text.rows.push_back(std::move(line));
    }
    if (next < table.size) text.rows.push_back(std::move(dots));
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
    std::string lines;
    write_tsv(table, 1, [&](std::string_view text) { lines += text; });
    return lines;
}

void write_tsv(const Table& table, unsigned threads, const Sink& write) {
    const std::vector<std::size_t> places = places_in(table, in::tsv);
    const auto is_rate = [&](std::size_t c) { return table.columns[c].look.kind == Look::Kind::rate; };
    std::string titles;
    for (const std::size_t c : places) {
        const std::string& key = table.columns[c].key;
        titles += key + "\t";
        if (is_rate(c)) titles += key + "_low\t" + key + "_high\t";
    }
    titles.back() = '\n';
    write(titles);
    const auto append_line = [&](std::size_t index, std::string& lines) {
        const Cells cells = table.row(index);
        for (const std::size_t c : places) {
            append_field(lines, cells[c]);
            lines += '\t';
            if (!is_rate(c)) continue;
            append_field(lines, cells[c].rate.low);
            lines += '\t';
            append_field(lines, cells[c].rate.high);
            lines += '\t';
        }
        lines.back() = '\n';
    };
    write_rows(table.size, threads, append_line, write);
}

Json json_of(const Table& table) {
    Json list = Json::array();
    for (std::size_t i = 0; i < table.size; ++i) list.push_back(json_of(table, i));
    return list;
}

Json json_of(const Table& table, std::size_t index) {
    const Cells cells = table.row(index);
    Json object = Json::object();
    for (const std::size_t c : places_in(table, in::json)) object[table.columns[c].key] = cell_json(cells[c]);
    return object;
}

void write_json(const Json& around, const std::string& key, std::size_t size,
                const std::function<Json(std::size_t index)>& object, unsigned threads, const Sink& write) {
    const std::string text = text_of(around);
    if (size == 0) return write(text);
    const std::string name = "\n  " + Json(key).dump() + ": [";  // no value has a line break in it
    const std::size_t place = text.find(name + "]") + name.size();
    write(std::string_view(text).substr(0, place));
    const auto append_object = [&](std::size_t index, std::string& lines) {
        lines += index == 0 ? "\n    " : ",\n    ";
        for (const char c : dumped(object(index))) {
            lines += c;
            if (c == '\n') lines += "    ";
        }
    };
    write_rows(size, threads, append_object, write);
    write("\n  ");
    write(std::string_view(text).substr(place));
}

Json json_number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json_text(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

std::string text_of(const Json& json) {
    return dumped(json) + "\n";
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

bool TextTable::is_wider_than(std::size_t limit) const {
    return limit > 0 && total(widest(*this, display_width, unbroken)) > limit;
}

std::string TextTable::text(const Style& style) const {
    const Widths widths = fitted_widths(*this, style.width);
    std::string text;
    for (const Block& block : blocks_of(*this, widths, style.width)) {
        if (!text.empty()) text += "\n";
        const auto title = [&](std::size_t c) { return columns[c].title; };
        for (const std::string& line : lines_of(*this, block, widths, true, title)) text += style.bold(line) + "\n";
        for (const Lines& row : rows)
            for (const std::string& line : lines_of(*this, block, widths, false, [&](std::size_t c) { return row[c]; }))
                text += line + "\n";
    }
    return text;
}

}  // namespace wordbreadth::report
