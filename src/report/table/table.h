// A table, described once and rendered as text, tab-separated values, Parquet, JSON and HTML.
//
// A description is a list of columns, each with the names it goes by, its look, and how to get its value from a row:
//
//     table_of<RankedWord>("rank", "All words.", words,
//                          {{"word", "word", look::subject, &RankedWord::word},
//                           {"v", "breadth v", look::digits(4), [](const auto& w) { return w.breadth.v; }},
//                           {"rows", &RankedWord::rows}})  // without a heading: for programs only
//
// What one row has and no column can hold (nested JSON) is added to the result of json_of() by whoever describes the
// table.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/table/text.h"
#include "wordbreadth/names.h"
#include "wordbreadth/rates.h"

namespace wordbreadth::report {

using Json = nlohmann::ordered_json;

// What stands behind a point of a figure or a cell of a page: a concordance of the page, or one line of it; none when
// the key is empty. Behind a point without one, a row of a table of the page.
struct Evidence {
    std::string concordance{};          // its key
    std::optional<std::size_t> line{};  // from 0
    std::string row{};                  // the subject of the row (look::subject)
};

// A cell. Missing values are empty, or null in JSON; so are NaN and infinities, which people see as "-". A rate is
// three columns in TSV (key, key_low, key_high) and an object in JSON. Not a variant: GCC 12 takes lists of those for
// uninitialised.
struct Value {
    enum class Kind { missing, text, count, real, truth, rate, list };

    Value() = default;
    Value(std::string value) : kind(Kind::text), text(std::move(value)) {}  // implicit, like the others: a cell
    Value(std::string_view value) : Value(std::string(value)) {}
    Value(const char* value) : Value(std::string(value)) {}
    template <std::same_as<bool> Truth>
    Value(Truth value) : kind(Kind::truth), count(value ? 1 : 0) {}
    template <std::unsigned_integral Count>
    requires(!std::same_as<Count, bool>) Value(Count value) : kind(Kind::count), count(value) {}
    Value(double value) : kind(Kind::real), real(value) {}
    template <class Choice>
    requires std::is_enum_v<Choice> Value(Choice value) : Value(wordbreadth::name_of(value)) {}
    Value(const Rate& value) : kind(Kind::rate), rate(value) {}
    Value(std::vector<std::string> value) : kind(Kind::list), list(std::move(value)) {}
    template <class T>
    Value(const std::optional<T>& value) : Value(value ? Value(*value) : Value()) {}

    // What people see in place of the value.
    [[nodiscard]] Value shown_as(std::string other) const;
    // What a click on the cell of a page shows.
    [[nodiscard]] Value opening(Evidence behind) const;
    // A number with its interval, which downloads from a page include.
    [[nodiscard]] Value between(double low, double high) const;

    Kind kind = Kind::missing;
    std::string text{};
    std::uint64_t count = 0;  // also whether it is true
    double real = 0;
    Rate rate{};
    std::vector<std::string> list{};
    std::string shown{};
    Evidence evidence{};
};

[[nodiscard]] Value text_or_missing(const std::string& text);  // missing where it is empty

// How people see the values of a column.
struct Look {
    enum class Kind { count, plain, digits, decimals, p, rate, percent, name, note, subject };
    Kind kind = Kind::count;
    int digits = 3;

    [[nodiscard]] bool is_text() const { return kind >= Kind::name; }
};

namespace look {

inline constexpr Look count{Look::Kind::count};      // 20,000
inline constexpr Look plain{Look::Kind::plain};      // 20000
inline constexpr Look p{Look::Kind::p};              // 0.00040, points under each other
inline constexpr Look rate{Look::Kind::rate};        // 0.013 (0.005 to 0.034)
inline constexpr Look percent{Look::Kind::percent};  // 1.3% (0.5 to 3.4)
inline constexpr Look name{Look::Kind::name};        // shortened where a terminal is narrow
inline constexpr Look note{Look::Kind::note};        // broken over lines there
inline constexpr Look subject{Look::Kind::subject};  // a name that says what the row is about, by which pages find it
constexpr Look digits(int number) {                  // significant ones
    return {Look::Kind::digits, number};
}
constexpr Look decimals(int number) {
    return {Look::Kind::decimals, number};
}

}  // namespace look

// The renderings that a column is part of.
namespace in {

inline constexpr unsigned text = 1, page = 2, tsv = 4, json = 8, programs = tsv | json,
                          everything = 15;  // tsv: Parquet too

}  // namespace in

struct Column {
    std::string key{};      // in TSV and JSON; empty: in neither
    std::string heading{};  // for people; empty: not for them
    Look look{};
    std::string help{};  // what the numbers are, shown at the heading on a page
    unsigned in = in::everything;
    Value::Kind holds = Value::Kind::missing;  // besides missing values; missing: it is not known before a row is seen

    [[nodiscard]] bool is_in(unsigned rendering) const;
};

using Cells = std::vector<Value>;  // one per column

struct Table {
    std::string name{};     // of its files: name.tsv, name.json
    std::string caption{};  // what it shows, in a sentence or two
    std::vector<Column> columns{};
    std::size_t size = 0;                           // rows
    std::function<Cells(std::size_t index)> row{};  // made when asked for: there may be millions
};

// What values of a type are made of it, where its name alone says so.
template <class Type>
[[nodiscard]] constexpr Value::Kind kind_made_of() {
    if constexpr (
        requires { typename Type::value_type; } && requires(const Type& type) { type.has_value(); })
        return kind_made_of<typename Type::value_type>();
    else if constexpr (std::is_same_v<Type, bool>)
        return Value::Kind::truth;
    else if constexpr (std::is_unsigned_v<Type>)
        return Value::Kind::count;
    else if constexpr (std::is_floating_point_v<Type>)
        return Value::Kind::real;
    else if constexpr (std::is_convertible_v<Type, std::string_view> || std::is_enum_v<Type>)
        return Value::Kind::text;
    else
        return Value::Kind::missing;
}

template <class Row>
struct ColumnOf : Column {
    // `Get`: a function of a row, or a member of it.
    template <class Get>
    ColumnOf(std::string name, std::string title, Look style, Get get, std::string explanation = "",
             unsigned renderings = in::everything)
        : Column{std::move(name), std::move(title),
                 style,           std::move(explanation),
                 renderings,      kind_made_of<std::remove_cvref_t<std::invoke_result_t<Get&, const Row&>>>()},
          value(std::move(get)) {}
    // For programs only.
    template <class Get>
    ColumnOf(std::string name, Get get) : ColumnOf(std::move(name), "", {}, std::move(get)) {}

    std::function<Value(const Row&)> value;
};

template <class Row>
using Columns = std::vector<ColumnOf<Row>>;

// Gets the value of a member of a row, or of a member of that; pointers are followed.
template <class Member, class... Inner>
[[nodiscard]] auto path(Member member, Inner... inner) {
    return [=](const auto& row) {
        if constexpr (sizeof...(inner) == 0)
            return std::invoke(member, row);
        else
            return path(inner...)(std::invoke(member, row));
    };
}

template <class Row>
[[nodiscard]] Cells cells_of(const Columns<Row>& columns, const Row& row) {
    Cells cells;
    cells.reserve(columns.size());
    for (const ColumnOf<Row>& column : columns) cells.push_back(column.value(row));
    return cells;
}

// What rows and values refer to must outlive the table.
template <class Row>
[[nodiscard]] Table table_of(std::string name, std::string caption, std::vector<Row> rows, Columns<Row> columns) {
    Table table{std::move(name), std::move(caption), {columns.begin(), columns.end()}, rows.size()};
    struct Described {
        std::vector<Row> rows;
        Columns<Row> columns;
    };
    table.row = [all = std::make_shared<const Described>(Described{std::move(rows), std::move(columns)})](
                    std::size_t index) { return cells_of(all->columns, all->rows[index]); };
    return table;
}

// Columns alone, the rows listed: for tables that are written out.
[[nodiscard]] Table table_of(std::string name, std::string caption, std::vector<Column> columns,
                             std::vector<Cells> rows);

// The columns of these keys alone, in this order, under a caption of their own. Of several columns with a key, the
// first that is part of the rendering.
[[nodiscard]] Table part_of(const Table& table, const std::vector<std::string>& keys, std::string caption,
                            unsigned rendering = in::everything);

// These rows alone.
[[nodiscard]] Table rows_of(const Table& table, std::vector<std::size_t> shown);

// For a terminal, without the caption. `shown`: the rows, ascending, with a row of dots where some are left out.
[[nodiscard]] std::string text_of(const Table& table, const Style& style);
[[nodiscard]] std::string text_of(const Table& table, const Style& style, const std::vector<std::size_t>& shown);

// The first and the last `ends` of that many rows, or all.
[[nodiscard]] std::vector<std::size_t> both_ends(std::size_t rows, std::size_t ends);

// A line of keys, then one line per row, numbers at full precision.
[[nodiscard]] std::string tsv_of(const Table& table);

// A list of objects, one per row; and the object of one.
[[nodiscard]] Json json_of(const Table& table);
[[nodiscard]] Json json_of(const Table& table, std::size_t index);

[[nodiscard]] std::string parquet_of(const Table& table);

// ---- Tables too long to keep: their text is made by several threads and written in order, a little of it in memory at
// a time. `row` of the table is called from all of them. `threads`: as Execution::threads.

using Sink = std::function<void(std::string_view text)>;

// As tsv_of().
void write_tsv(const Table& table, unsigned threads, const Sink& write);

// The columns of TSV, in row groups of at most 65,536 rows. Values that are missing are null; so are NaN and
// infinities. Lists are text, as in TSV.
void write_parquet(const Table& table, unsigned threads, const Sink& write);

// As text_of() of `around`, an object, with a list of `size` objects in place of the empty one at `key`.
void write_json(const Json& around, const std::string& key, std::size_t size,
                const std::function<Json(std::size_t index)>& object, unsigned threads, const Sink& write);

// null for NaN and infinities; for an empty text.
[[nodiscard]] Json json_number(double value);
[[nodiscard]] Json json_text(const std::string& text);

// Indented text, ended by a newline. Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string text_of(const Json& json);

// A field of a TSV file. In text, a backslash is written \\, and control characters are written as printable() does:
// \t, \n, \r, and others by their bytes, \x1b.
[[nodiscard]] std::string field(double value);
[[nodiscard]] std::string field(std::string_view text);

// A value as people see it; with compact intervals on pages and narrow terminals: 0.013 (0.005–0.034).
[[nodiscard]] std::string readable(const Value& value, const Look& look, bool compact);

// ---- Aligned columns for a terminal: what the text of a table is laid out with

struct TextColumn {
    enum class Kind {
        name,    // left; shortened when the table is too wide
        number,  // right
        note,    // left, never shortened; broken over lines when the table is too wide
    };
    std::string title;
    Kind kind = Kind::number;
};

// Laid out for the terminal: where the table is too wide, titles and notes take several lines, then names are
// shortened; what still does not fit goes into a further block below, behind the same first columns.
struct TextTable {
    std::vector<TextColumn> columns{};
    std::vector<std::vector<std::string>> rows{};  // a cell per column, already safe to print (see printable())

    // The title lines and the rows, each ended by a newline.
    [[nodiscard]] std::string text(const Style& style) const;

    // Whether it does not fit a terminal of that many columns as it is (0: any width will do).
    [[nodiscard]] bool is_wider_than(std::size_t limit) const;
};

}  // namespace wordbreadth::report
